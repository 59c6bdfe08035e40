// Runs scenarios with all that explanations need.
//
//   Replayer replayer(input, scenario.nodes, scenario.program.crash_model);
//   std::optional<Run> bad = replayer.run_without_firings(scenario);
//   replayer.explain(*bad);                                // why it is violated
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "check/program_input.h"
#include "domain/run.h"
#include "explain/explanation.h"
#include "simulate/simulator.h"

namespace clew::check {

class Replayer {
 public:
  // `input` outlives the replayer. `stop` ends a run, which throws Stopped.
  Replayer(const ProgramInput& input, std::shared_ptr<const dedalus::LoweredProgram> program,
           Stop stop = {});
  Replayer(const ProgramInput& input, const std::vector<NodeName>& nodes, CrashModel model,
           Stop stop = {});

  // Requires a valid scenario with the replayer's nodes and crash model. Nothing if a rule fails:
  // then error() says which.
  std::optional<Run> run(const Scenario& scenario);  // with firings, which take a lot of memory
  std::optional<Run> run_without_firings(const Scenario& scenario);
  const std::optional<microspec::RuntimeError>& error() const { return error_; }

  // Requires a violated run; it needs no firings. Of a large run it is said that it is too large,
  // and if it was stopped, wherever it was by then, that; nothing is said if the run without faults
  // fails.
  explain::Explanation explain(const Run& bad);
  // The tick that the last run has come to.
  Tick tick() const { return simulator_.tick(); }

 private:
  explain::Explanation try_to_explain(const Run& bad);

  const ProgramInput& input_;
  Stop stop_;
  simulate::Simulator simulator_;
  std::shared_ptr<const RuleTable> rules_;
  std::optional<microspec::RuntimeError> error_;
  std::optional<Run> good_;  // without faults, as long as the last one asked about
};

}  // namespace clew::check
