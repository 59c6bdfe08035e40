#include "lineage/pattern.h"

#include <gtest/gtest.h>

namespace clew::lineage {
namespace {

TEST(Pattern, PrintedAsParsed) {
  for (const char* text : {"p()", "p(_)", "p(\"a, b\", -7, _)", "log(\"(\", \")\")", "a.b?(0)"}) {
    const auto pattern = parse_pattern(text);
    ASSERT_TRUE(pattern) << text;
    EXPECT_EQ(to_string(*pattern), text);
  }
  for (const char* text : {"", "p", "p(", "p(a)", "p(\"a)", "p(1,2)", "p(1 2)", "p(, )"}) {
    EXPECT_FALSE(parse_pattern(text)) << text;
  }
}

TEST(Pattern, Matches) {
  const Pattern pattern = *parse_pattern("p(\"a\", _, 3)");
  EXPECT_TRUE(matches(pattern, {"p", {"a", "b", int64_t{3}}}));
  EXPECT_FALSE(matches(pattern, {"p", {"a", "b", int64_t{4}}}));
  EXPECT_FALSE(matches(pattern, {"p", {"a", "b", "3"}}));
  EXPECT_FALSE(matches(pattern, {"p", {"a", "b"}}));
  EXPECT_FALSE(matches(pattern, {"q", {"a", "b", int64_t{3}}}));
}

TEST(Pattern, FindsFactsOfItsRelation) {
  const std::vector<Fact> facts = {{"o", {"a"}}, {"p", {"a"}}, {"p", {"b"}}, {"q", {"a"}}};
  EXPECT_EQ(find_facts(*parse_pattern("p(_)"), facts).size(), 2U);
  EXPECT_EQ(find_facts(*parse_pattern("p(\"b\")"), facts).at(0), &facts[2]);
  EXPECT_TRUE(find_facts(*parse_pattern("r(_)"), facts).empty());
}

}  // namespace
}  // namespace clew::lineage
