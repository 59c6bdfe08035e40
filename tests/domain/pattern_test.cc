#include "domain/pattern.h"

#include <gtest/gtest.h>

namespace clew {
namespace {

const std::optional<Datum> kAny;

TEST(Pattern, IsPrintedLikeAFact) {
  EXPECT_EQ(to_string(Pattern{"p", {}}), "p()");
  EXPECT_EQ(to_string(Pattern{"p", {kAny}}), "p(_)");
  EXPECT_EQ(to_string(Pattern{"p", {"a, b", int64_t{-7}, kAny}}), "p(\"a, b\", -7, _)");
  EXPECT_EQ(to_string(to_pattern({"log", {"b", "data"}})), "log(\"b\", \"data\")");
}

TEST(Pattern, Matches) {
  const Pattern pattern{"p", {"a", kAny, int64_t{3}}};
  EXPECT_TRUE(matches(pattern, {"p", {"a", "b", int64_t{3}}}));
  EXPECT_FALSE(matches(pattern, {"p", {"a", "b", int64_t{4}}}));
  EXPECT_FALSE(matches(pattern, {"p", {"a", "b", "3"}}));
  EXPECT_FALSE(matches(pattern, {"p", {"a", "b"}}));
  EXPECT_FALSE(matches(pattern, {"q", {"a", "b", int64_t{3}}}));
}

TEST(Pattern, FindsFactsOfItsRelation) {
  const std::vector<Fact> facts = {{"o", {"a"}}, {"p", {"a"}}, {"p", {"b"}}, {"q", {"a"}}};
  EXPECT_EQ(find_facts({"p", {kAny}}, facts).size(), 2U);
  EXPECT_EQ(find_facts({"p", {"b"}}, facts).at(0), &facts[2]);
  EXPECT_TRUE(find_facts({"r", {kAny}}, facts).empty());
}

}  // namespace
}  // namespace clew
