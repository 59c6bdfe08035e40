// The examples at the top of the headers, as code (tools/check_examples.py compares them).
#include <gtest/gtest.h>

#include <algorithm>

#include "explain/body_match.h"
#include "explain/explain.h"
#include "tests/lineage/runs.h"

namespace clew::explain {
namespace {

// example: src/explain/body_match.h
TEST(ExplainExamples, HowFarARuleGets) {
  using Run = clew::Run;
  const auto sample = lineage::Sample::protocol("broadcast/simple_deliv.ded");
  const Run run = *sample.run("a b c, eot 4");
  const auto sends = std::ranges::find_if(sample.program->rules, [](const dedalus::Clause& clause) {
    return clause.head.time.kind == dedalus::TimeSuffix::Kind::kAsync;
  });
  const dedalus::Clause& rule = *sends;
  const Pattern pattern{"log", {"b", std::nullopt}};
  BodyMatch match(rule, run);
  std::optional<BodyMatch::Result> result = match.furthest(pattern, 3);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->met.empty());
  EXPECT_EQ(to_string(result->obstacle.pattern), "bcast(\"a\", _)");
  EXPECT_EQ(match.furthest(pattern, 1)->matches.size(), 1U);
}

// example: src/explain/explain.h
TEST(ExplainExamples, AnExplanation) {
  using Run = clew::Run;
  const auto sample = lineage::Sample::protocol("broadcast/simple_deliv.ded");
  const dedalus::Program& program = *sample.program;
  const Run good = *sample.run("a b c, eot 4");
  const Run bad = *sample.run("a b c, eot 4, drop a>b@1");
  Explanation explanation = explain(good, bad, {&program});
  EXPECT_EQ(explanation.summary[0],
            "post(\"a\", \"data\") does not hold because of missing(\"b\", \"data\").");
}

}  // namespace
}  // namespace clew::explain
