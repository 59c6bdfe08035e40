#include "report/explanation.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/wrap.h"

namespace clew::report {
namespace {

explain::Explanation example_explanation() {
  using Hint = explain::Explanation::Hint;
  explain::Explanation explanation;
  explanation.goal = {"pre", {"b", "data"}};
  explanation.summary = {
      "log(\"b\", \"data\") does not reach b: what a sends at tick 1 is lost (drop a>b@1)."};
  explanation.consequences = {{9, "first"}, {9, "second"}, {10, "third"}};
  explanation.supported = "post(\"b\", \"data\")";
  explanation.supports = {{{"m1"}, {"drop a>b@1"}},
                          {{}, {}},
                          {{"m1", "m2", "m3", "m4", "m5"}, {"f1", "f2"}},
                          {{"m6"}, {"f3"}}};
  explanation.more_supports = 5;
  explanation.parting = {2, {"log", {"b", "data"}}, true, "without faults there is something"};
  Rule rule;
  rule.path = "p.ded";
  rule.line = 11;
  explanation.hints = {{Hint::Kind::kTime, "sent once", rule}, {Hint::Kind::kSpace, "only a", {}}};
  return explanation;
}

TEST(ExplanationText, Sections) {
  EXPECT_EQ('\n' + to_text(example_explanation()), R"(
why it broke:
  log("b", "data") does not reach b: what a sends at tick 1 is lost
    (drop a>b@1).
tick by tick:
   9  first
      second
  10  third
without faults post("b", "data") had 9 supports beside what both runs have:
  m1; cut by drop a>b@1
  no message needed
  m1, m2, m3 and 2 more; cut by f1, f2
  and 6 more
the runs part at tick 2: without faults there is something
hint (time): sent once (p.ded:11)
hint (space): only a
)");
  EXPECT_EQ(to_text(explain::Explanation{}), "");
  explain::Explanation many = example_explanation();
  many.all_counted = false;
  EXPECT_NE(to_text(many).find("had at least 9 supports"), std::string::npos);
}

TEST(ExplanationText, ControlCharactersAreNotShown) {
  explain::Explanation explanation;
  explanation.summary = {"a\tb\x1b[31m"};
  EXPECT_EQ(to_text(explanation), "why it broke:\n  a b [31m\n");
}

TEST(ExplanationJson, Keys) {
  const auto json = nlohmann::json::parse(to_json(example_explanation()));
  EXPECT_EQ(json["goal"], "pre(\"b\", \"data\")");
  EXPECT_EQ(json["consequences"][2], (nlohmann::json{{"tick", 10}, {"text", "third"}}));
  EXPECT_EQ(json["supports"][0]["cut_by"][0], "drop a>b@1");
  EXPECT_EQ(json["more_supports"], 5);
  EXPECT_EQ(json["parting"]["tick"], 2);
  EXPECT_EQ(json["hints"][0]["kind"], "time");
  EXPECT_EQ(json["hints"][0]["rule_where"], "p.ded:11");
  EXPECT_TRUE(nlohmann::json::parse(to_json(explain::Explanation{}))["parting"].is_null());
  EXPECT_EQ(to_json(example_explanation()).find('\n'), std::string::npos);
}

TEST(Wrap, BreaksOutsideOfParentheses) {
  EXPECT_EQ(wrap("aa p(b, c) dd ee", "> ", "  ", 12), "> aa p(b, c)\n  dd ee\n");
  EXPECT_EQ(wrap("a longword", "", "", 4), "a\nlongword\n");
  EXPECT_EQ(wrap("p(\"(\") b c", "", "", 8), "p(\"(\") b\nc\n");
  EXPECT_EQ(wrap("", "x", "", 8), "x\n");
}

}  // namespace
}  // namespace clew::report
