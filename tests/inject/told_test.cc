#include "inject/told.h"

#include <gtest/gtest.h>

namespace clew::inject {
namespace {

std::string read_as(const std::string& text) {
  const Result<Fact> fact = read_told(text);
  return fact.ok() ? to_told(*fact) : fact.error().message;
}

TEST(ToldTest, ReadsFacts) {
  struct Case {
    std::string text, told;
  };
  const std::vector<Case> table = {
      {"acked(\"w1\", 7)", "acked(\"w1\", 7)"},
      {"  p ( -7 ,\"a,b)\" )  ", "p(-7, \"a,b)\")"},
      {"p()", "p()"},
      {"p.q_1?(9223372036854775807)", "p.q_1?(9223372036854775807)"},
      {R"(p("\"\\\n\t\r\x00\xff"))", "p(\"\\\"\\\\\\x0a\\x09\\x0d\\x00\xff\")"},
      {"", "it does not begin with the name of a relation"},
      {"(1)", "it does not begin with the name of a relation"},
      {"p", "`(` is expected at byte 2, not the end"},
      {"p[1]", "`(` is expected at byte 2, not `[1]`"},
      {"p(1", "`,` is expected at byte 4, not the end"},
      {"p(1 2)", "`,` is expected at byte 5, not `2)`"},
      {"p(1,)", "a value is missing at byte 5"},
      {"p(,1)", "a value is missing at byte 3"},
      {"p(\"a)", "a string does not end"},
      {"p(\"a\\", "a \\ in a string is followed by one of \\ \" n r t x00"},
      {"p(\"\\x1\")", "a \\ in a string is followed by one of \\ \" n r t x00"},
      {"p(\"\\q\")", "a \\ in a string is followed by one of \\ \" n r t x00"},
      {"p(w1)", "`w1` is no integer of 64 bits"},
      {"p(9223372036854775808)", "`9223372036854775808` is no integer of 64 bits"},
      {"p(1); q(2)", "there is more after the `)`"},
      {"p(\"" + std::string(kMostTold, 'x') + "\")",
       "a fact of 65,541 bytes is too long: at most 65,536 are read"},
  };
  for (const Case& one : table) EXPECT_EQ(read_as(one.text), one.told) << one.text;
  std::string many = "p(0";
  for (size_t i = 0; i < kMostToldColumns; ++i) many += ",0";
  EXPECT_EQ(read_as(many + ")"), "it has more than 100 values");
}

TEST(ToldTest, FillsTemplates) {
  struct Case {
    std::string is, told;
  };
  const std::vector<std::string> groups = {"w1 took 7", "w1", "7"};
  const std::vector<Case> table = {
      {"acked(\"$1\", $2)", "acked(\"w1\", 7)"},
      {"p(\"$0\", \"$$1\", \"<$1/$2>\", $2$2, -$2)",
       "p(\"w1 took 7\", \"$1\", \"<w1/7>\", 77, -7)"},
      {"p(3)", "p(3)"},
      {"p($1)", "`w1` is no integer of 64 bits"},
      {"p(x)", "`x` is no integer of 64 bits"},
      {"p(\"$3\")", "$3 is asked for, but `line` has 2 groups"},
      {"p(\"$x\")", "a $ is followed by the number of a group, or by another $"},
      {"p(\"$\")", "a $ is followed by the number of a group, or by another $"},
  };
  for (const Case& one : table) {
    const Result<FactTemplate> is = FactTemplate::make(one.is, groups.size() - 1);
    if (!is.ok()) {
      EXPECT_EQ(is.error().message, one.told) << one.is;
      continue;
    }
    const Result<Fact> fact = is->fill(groups);
    EXPECT_EQ(fact.ok() ? to_told(*fact) : fact.error().message, one.told) << one.is;
  }
}

// What a line holds cannot become more than a value.
TEST(ToldTest, LinesDoNotWriteFacts) {
  const Result<FactTemplate> is = FactTemplate::make("p(\"$1\")", 1);
  ASSERT_TRUE(is.ok());
  const Result<Fact> fact = is->fill({"", "\"), q(\"$1"});
  ASSERT_TRUE(fact.ok());
  EXPECT_EQ(*fact, (Fact{"p", {"\"), q(\"$1"}}));
}

}  // namespace
}  // namespace clew::inject
