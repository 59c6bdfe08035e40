// Runs scenarios with all that explanations need.
//
//   Replayer replayer(input, scenario.nodes, scenario.crash_model);
//   std::optional<Run> bad = replayer.run(scenario);        // with firings
//   replayer.explain(*bad);                                 // why it is violated
#pragma once

#include <optional>
#include <vector>

#include "cli/program_input.h"
#include "domain/run.h"
#include "lineage/explanation.h"
#include "simulate/simulator.h"

namespace clew::cli {

class Replayer {
 public:
  // `input` outlives the replayer.
  Replayer(const ProgramInput& input, const std::vector<NodeName>& nodes, CrashModel model);

  // Requires a valid scenario with the replayer's nodes and crash model. Nothing if a rule fails:
  // then error() says which.
  std::optional<Run> run(const Scenario& scenario);
  const std::optional<simulate::RuntimeError>& error() const { return error_; }

  // Requires a violated run. Nothing is said if the run without faults fails.
  lineage::Explanation explain(const Run& bad);

 private:
  const ProgramInput& input_;
  simulate::Simulator simulator_;
  std::optional<simulate::RuntimeError> error_;
  std::optional<Run> good_;  // without faults, as long as the last one asked about
};

}  // namespace clew::cli
