// The examples at the top of the headers, as code (tools/check_examples.py compares them).
#include <gtest/gtest.h>

#include "simulate/describe.h"
#include "simulate/simulator.h"
#include "simulate/system.h"
#include "tests/lineage/runs.h"
#include "tests/twins/language_cases.h"

namespace clew::simulate {
namespace {

// example: src/simulate/simulator.h
TEST(SimulateExamples, ASimulator) {
  using Run = clew::Run;
  const lineage::Sample sample = lineage::Sample::protocol("broadcast/simple_deliv.ded");
  const dedalus::Program& program = *sample.program;
  const Scenario scenario = twins::scenario_of("a b c, eot 4, drop a>c@1");
  const FaultSet& faults = scenario.faults;
  Simulator simulator(program, {"a", "b", "c"}, CrashModel::kSilent, {});
  if (std::optional<RuntimeError> error = simulator.run(4, faults)) {
    FAIL() << "at tick " << error->tick;
  }
  Run run = describe(simulator, scenario);
  EXPECT_EQ(run.facts.size(), 4U);
  EXPECT_EQ(run.outcome().kind, Outcome::Kind::kViolated);
}

// example: src/simulate/losses.h
TEST(SimulateExamples, SomeLosses) {
  const FaultSet faults = twins::scenario_of("a b c, eot 6, drop a>b@2, crash c@4").faults;
  const auto number_of = [](const NodeName& name) { return static_cast<size_t>(name[0] - 'a'); };
  Losses losses(3);
  losses.set(faults, number_of);
  EXPECT_TRUE(losses.omitted(0, 1, 2));
  EXPECT_FALSE(losses.omitted(1, 0, 2));
  EXPECT_TRUE(losses.crashed(2, 5));
  EXPECT_FALSE(losses.crashed(2, 3));
  EXPECT_EQ(first_omission_difference(losses, Losses(3)), 2);
  EXPECT_EQ(first_crash_difference(losses, Losses(3)), 4);
  EXPECT_EQ(first_crash_difference(losses, losses), Losses::kNever);
}

// example: src/simulate/system.h
TEST(SimulateExamples, ASystem) {
  using Run = clew::Run;
  const lineage::Sample sample = lineage::Sample::protocol("broadcast/simple_deliv.ded");
  const std::vector<std::string> nodes = {"a", "b", "c"};
  const auto lowered =
      std::make_shared<const dedalus::LoweredProgram>(*sample.program, nodes, false);
  const Scenario scenario = twins::scenario_of("a b c, eot 4");
  ProgramSystem system(lowered);
  Result<Run> run = system.run(scenario, Detail::kVerdict);
  ASSERT_TRUE(run.ok());
  judge(system.specs(), *run);
  EXPECT_EQ(run->outcome().kind, Outcome::Kind::kHolds);
  EXPECT_TRUE(run->messages.empty());
}

}  // namespace
}  // namespace clew::simulate
