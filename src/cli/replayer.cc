#include "cli/replayer.h"

#include "lineage/explain.h"
#include "simulate/describe.h"

namespace clew::cli {

Replayer::Replayer(const ProgramInput& input, const std::vector<NodeName>& nodes, CrashModel model)
    : input_(input), simulator_(input.program, nodes, model, {}) {}

std::optional<Run> Replayer::run(const Scenario& scenario) {
  error_ = simulator_.run(scenario.eot, scenario.faults);
  if (error_) return std::nullopt;
  Run run = simulate::describe(simulator_, scenario);
  run.firings = simulate::describe_firings(simulator_, input_.sources);
  return run;
}

lineage::Explanation Replayer::explain(const Run& bad) {
  auto replay = [&](const FaultSet& faults) {
    Scenario scenario = bad.scenario;
    scenario.faults = faults;
    return run(scenario);
  };
  if (!good_ || good_->scenario.eot != bad.scenario.eot) good_ = replay({});
  if (!good_) return {};
  return lineage::explain(*good_, bad, {&input_.program, replay, &input_.sources});
}

}  // namespace clew::cli
