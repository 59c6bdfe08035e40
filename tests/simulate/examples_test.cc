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
