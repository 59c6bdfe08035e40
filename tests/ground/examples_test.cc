// The examples at the top of the headers, as code (tools/check_examples.py compares them).
#include <gtest/gtest.h>

#include <algorithm>

#include "formula/formula.h"
#include "ground/grounder.h"
#include "ground/growing.h"
#include "ground/growing_check.h"
#include "ground/reach.h"
#include "tests/lineage/runs.h"

namespace clew::ground {
namespace {

class GroundExamples : public testing::Test {
 protected:
  std::shared_ptr<const dedalus::LoweredProgram> lower() const {
    return std::make_shared<const dedalus::LoweredProgram>(*sample_.program, model_.nodes, false);
  }

  lineage::Sample sample_ = lineage::Sample::protocol("broadcast/simple_deliv.ded");
  FaultModel model_{.nodes = {"a", "b", "c"}, .eot = 4, .eff = 2, .crashes = 1};
};

// example: src/ground/grounder.h
TEST_F(GroundExamples, AGrounder) {
  const dedalus::Program& program = *sample_.program;
  const FaultModel& model = model_;
  Grounder grounder(program, model, {});
  if (Status status = grounder.run(); !status.ok()) {
    FAIL() << status.error().message;
  }
  EXPECT_TRUE(evaluate(grounder.rules(), {Omission{"a", "b", 1}}).holds(grounder.rules().goal()));
  EXPECT_FALSE(evaluate(grounder.rules(), {Omission{"b", "a", 1}}).holds(grounder.rules().goal()));
  std::vector<std::string> names;
  for (formula::Atom atom = 1; atom < grounder.rules().atoms(); ++atom) {
    if (grounder.rules().is_named(atom)) names.push_back(grounder.print(atom));
  }
  EXPECT_TRUE(std::ranges::find(names, "missing(\"b\", \"data\")@4") != names.end());
}

// example: src/ground/growing.h
TEST_F(GroundExamples, AGroundingThatGrows) {
  const auto lowered = lower();
  FaultModel model = model_;
  GrowingGrounder grounder(lowered, {.first_eot = 4, .most_crashes = 1}, {});
  formula::Formula formula(grounder.rules(), {.asks = true});
  formula.learn_all();
  Result<formula::Question> question = grounder.ask(model);
  formula.ask(*question);
  EXPECT_EQ(formula.solve({}), formula::Formula::Answer::kFaults);
  EXPECT_EQ(grounder.ticks(), 4);
}

// example: src/ground/reach.h
TEST_F(GroundExamples, WhatIsReached) {
  const auto lowered = lower();
  const FaultModel& model = model_;
  Reach reach(lowered, model, {.relations = {"pre"}});
  if (!reach.ground().ok()) {
    FAIL();
  }
  Reach::Count count = reach.count("pre");
  EXPECT_EQ(count.tuples, 3U);
  EXPECT_TRUE(count.exact);
}

TEST_F(GroundExamples, WhatIsReachedUnderFaultsAlone) {
  Reach reach(lower(), model_, {.relations = {"missing", "nothing"}});
  ASSERT_TRUE(reach.ground().ok());
  EXPECT_EQ(reach.count("missing", 1).tuples, 1U);
  EXPECT_FALSE(reach.count("missing", 1).exact);
  EXPECT_EQ(reach.count("missing").tuples, 2U);
  EXPECT_TRUE(reach.count("missing").exact);
  EXPECT_EQ(reach.count("nothing").tuples, 0U);
}

// example: src/ground/growing_check.h
TEST_F(GroundExamples, AQuestionOfLargerBounds) {
  const auto lowered = lower();
  const std::function<bool()> stop = [] { return false; };
  FaultModel model = model_;
  model.eff = 0;
  model.crashes = 0;
  GrowingCheck check(lowered, {.first_eot = 4, .most_crashes = 1});
  EXPECT_TRUE(check.ask(model, stop) == GrowingCheck::Answer::kNothing);
  EXPECT_TRUE(check.ask(model_, stop) == GrowingCheck::Answer::kSomething);
}

}  // namespace
}  // namespace clew::ground
