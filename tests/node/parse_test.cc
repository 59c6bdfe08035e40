#include "node/parse.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace clew::node {
namespace {

enum class Colour { kRed, kBlue };
struct Within {
  CLEW_FIELDS(Within)
};
struct Around {
  std::string text;
  std::vector<int> numbers;
  std::map<std::string, Id> map;
  CLEW_FIELDS(Around, text, numbers, map)
};
using Either = std::variant<Around, Within, bool, int>;

const Names kParseNames{"a", "ab", "a-b"};

template <class T>
std::string again(const std::string& text) {
  try {
    return print(parse<T>(text, kParseNames), kParseNames);
  } catch (const NotText& error) {
    return std::string("! ") + error.what() + (error.remedy.empty() ? "" : " | " + error.remedy);
  }
}

TEST(Parse, WhatPrintGives) {
  for (const char* text : {"0", "-5", "2147483647"}) EXPECT_EQ(again<int>(text), text);
  EXPECT_EQ(again<uint64_t>(print(UINT64_MAX, kParseNames)), print(UINT64_MAX, kParseNames));
  EXPECT_EQ(parse<Colour>("1", kParseNames), Colour::kBlue);
  for (const char* text : {"true", "false"}) EXPECT_EQ(again<bool>(text), text);
  for (const char* text : {"a", "ab", "a-b"}) EXPECT_EQ(again<Id>(text), text);
  for (const char* text : {"\"\"", "\"a \"\"b\"\" {\""}) EXPECT_EQ(again<std::string>(text), text);
  for (const char* text : {"none", "a"}) EXPECT_EQ(again<std::optional<Id>>(text), text);
  EXPECT_EQ((again<std::tuple<int, bool, Id>>("(1, true, ab)")), "(1, true, ab)");
  EXPECT_EQ((again<std::array<int, 2>>("[1, 2]")), "[1, 2]");
  EXPECT_EQ((again<std::set<int>>("{1, 2}")), "{1, 2}");
  EXPECT_EQ((again<std::vector<std::vector<int>>>("[[], [1], [2, 3]]")), "[[], [1], [2, 3]]");
  const std::string outer = "Around{text: \"x\", numbers: [1, 2], map: {\"k\": a, \"l\": a-b}}";
  for (const std::string& text :
       {outer, std::string("Within"), std::string("true"), std::string("7")}) {
    EXPECT_EQ(again<Either>(text), text);
  }
}

TEST(Parse, WhatPeopleType) {
  const std::string outer = "Around{text: \"x\", numbers: [1], map: {}}";
  for (const char* text :
       {"Around{\"x\",[1],{}}", " Around { map:{} , text : \"x\", numbers: [ 1 ] } ",
        "{\"x\", [1], {}}"}) {
    EXPECT_EQ(again<Around>(text), outer);
  }
  EXPECT_EQ(again<Within>("Within{}"), "Within");
  EXPECT_EQ((again<std::set<int>>("{2, 1, 2}")), "{1, 2}");
}

TEST(Parse, SaysWhatIsWrong) {
  EXPECT_EQ(again<int>("x"), "! column 1: `x` where a number is expected");
  EXPECT_EQ(again<int>("1 2"), "! column 3: `2` where the end is expected");
  EXPECT_EQ(again<int>("2147483648"),
            "! column 1: `2147483648` where a number that its type can hold is expected");
  EXPECT_EQ(again<int>("99999999999999999999"),
            "! column 1: `99999999999999999999` where a number of 64 bits is expected");
  EXPECT_EQ(again<Id>("c"),
            "! column 1: `c` where the name of a node is expected | there are a, ab, a-b");
  EXPECT_EQ(again<Id>("abc"),
            "! column 1: `abc` where the name of a node is expected | there are a, ab, a-b");
  EXPECT_EQ(again<std::string>("k"),
            "! column 1: `k` where a string in quotes is expected | a shell takes quotes away: put "
            "'...' around it all");
  EXPECT_EQ(again<std::string>("\"k"),
            "! column 3: the end where a \" at the end of the string is expected | within a "
            "string, write \"\" for a \"");
  EXPECT_EQ(again<bool>("yes"), "! column 1: `yes` where true or false is expected");
  EXPECT_EQ(
      again<Either>("Other{}"),
      "! column 1: `Other` where one of these is expected | there are Around, Within, a value "
      "without a name, a value without a name");
  EXPECT_EQ(again<Around>("Around{\"x\"}"),
            "! column 12: the end where more members before the } is expected | Around has text, "
            "numbers, map");
  EXPECT_EQ(again<Around>("Around{\"x\", [], {}, 1}"),
            "! column 21: `1` where } is expected | Around has text, numbers, map");
  EXPECT_EQ(again<Around>("Around{name: \"x\"}"),
            "! column 8: `name` where a member of Around is expected | it has text, numbers, map");
  EXPECT_EQ(again<Around>("Around{text: \"x\", text: \"y\"}"),
            "! column 19: `text` where a member that was not given yet is expected");
  EXPECT_EQ(again<Around>("Around{text: \"x\", []}"),
            "! column 19: `[` where the name of a member and a colon is expected");
  EXPECT_EQ((again<std::array<int, 2>>("[1]")),
            "! column 4: the end where more parts before the ] is expected");
  EXPECT_EQ((again<std::tuple<int, int>>("(1)")), "! column 3: `)` where a , is expected");
}

}  // namespace
}  // namespace clew::node
