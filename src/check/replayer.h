// Runs scenarios with all that explanations need.
//
//   Replayer replayer(input, scenario.nodes, scenario.crash_model);
//   std::optional<Run> bad = replayer.run_without_firings(scenario);
//   replayer.explain(*bad);                                // why it is violated
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "check/program_input.h"
#include "domain/run.h"
#include "lineage/explanation.h"
#include "simulate/simulator.h"

namespace clew::check {

class Replayer {
 public:
  // `input` outlives the replayer.
  Replayer(const ProgramInput& input, std::shared_ptr<const dedalus::LoweredProgram> program);
  Replayer(const ProgramInput& input, const std::vector<NodeName>& nodes, CrashModel model);

  // Requires a valid scenario with the replayer's nodes and crash model. Nothing if a rule fails:
  // then error() says which.
  std::optional<Run> run(const Scenario& scenario);  // with firings, which take a lot of memory
  std::optional<Run> run_without_firings(const Scenario& scenario);
  const std::optional<simulate::RuntimeError>& error() const { return error_; }

  // Requires a violated run; it needs no firings. Of a large run it is said that it is too large;
  // nothing is said if the run without faults fails, or if the user has interrupted the process.
  lineage::Explanation explain(const Run& bad);

 private:
  const ProgramInput& input_;
  simulate::Simulator simulator_;
  std::optional<simulate::RuntimeError> error_;
  std::optional<Run> good_;  // without faults, as long as the last one asked about
};

}  // namespace clew::check
