// Every numbered invariant of growing.h, broken: the CHECK says so.
#include <gtest/gtest.h>

#include "ground/growing.h"
#include "tests/lineage/runs.h"

namespace clew::ground {
namespace {

class GrowingInvariants : public testing::Test {
 protected:
  static std::shared_ptr<const dedalus::LoweredProgram> lower(const lineage::Sample& sample) {
    const std::vector<std::string> nodes = {"a", "b", "c"};
    return std::make_shared<const dedalus::LoweredProgram>(*sample.program, nodes, false);
  }
  void expect_wrong(const FaultModel& model, const std::string& message) {
    GrowingGrounder grounder(lower(sample_), {.first_eot = 3, .most_crashes = 1}, {});
    EXPECT_EXIT((void)grounder.ask(model), testing::ExitedWithCode(1), message);
  }

  lineage::Sample sample_ = lineage::Sample::protocol("broadcast/simple_deliv.ded");
  FaultModel model_{.nodes = {"a", "b", "c"}, .eot = 3, .eff = 2, .crashes = 1};
};

TEST_F(GrowingInvariants, OneOnlyViewsReadCrash) {
  const lineage::Sample reads("p(\"a\")@1; q(X)@next :- p(X), notin crash(X, X, _);");
  const auto lowered = lower(reads);
  EXPECT_FALSE(GrowingGrounder::can_ground(*lowered));
  EXPECT_EXIT(GrowingGrounder(lowered, {}, {}), testing::ExitedWithCode(1),
              "a rule reads crashes that are still to come");
}

TEST_F(GrowingInvariants, TwoBoundsAreInTheRange) {
  FaultModel early = model_;
  early.eot = 2;
  expect_wrong(early, "EOT 2, EFF 2, 1 crash");
  FaultModel crashing = model_;
  crashing.crashes = 2;
  expect_wrong(crashing, "EOT 3, EFF 2, 2 crashes");
}

TEST_F(GrowingInvariants, ThreeBoundsAreOfTheProgram) {
  FaultModel fewer = model_;
  fewer.nodes.pop_back();
  expect_wrong(fewer, "bounds of another program");
  FaultModel stopping = model_;
  stopping.crash_model = CrashModel::kStop;
  expect_wrong(stopping, "bounds of another program");
}

}  // namespace
}  // namespace clew::ground
