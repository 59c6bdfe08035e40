// A Program as a System: what search runs.
//
//   ProgramSystem system(lowered);
//   Result<Run> run = system.run(scenario, Detail::kVerdict);
//
// Searches that only want the outcome never pay for the rest of a Run.
#pragma once

#include <memory>
#include <optional>

#include "domain/fault_model.h"
#include "domain/system.h"
#include "simulate/describe.h"
#include "simulate/simulator.h"

namespace clew::simulate {

class ProgramSystem : public System {
 public:
  // Without `rules`, Detail::kLineage gives no more than Detail::kTrace. `stop` ends a run.
  explicit ProgramSystem(std::shared_ptr<const dedalus::LoweredProgram> program,
                         std::shared_ptr<const RuleTable> rules = nullptr, const Stop& stop = {});
  // Lowers the program for itself. `program` outlives this.
  ProgramSystem(const dedalus::Program& program, const FaultModel& model);

  const Specs& specs() const override { return specs_; }
  // Requires a valid scenario with the nodes and the crash model of the program as it was lowered.
  // Detail::kLineage gives Firings; Supports are the business of src/lineage.
  Result<Run> run(const Scenario& scenario, Detail detail) override;

  // Why the last run could not be finished, with its place in the program.
  const std::optional<RuntimeError>& error() const { return error_; }
  // The last run for a verdict.
  const Simulator& simulator() const { return for_verdict_; }

 private:
  // A Run of which only what the Specs read is there: at the last tick, or, if one of them wants
  // that, at every tick.
  Run describe_verdict(const Scenario& scenario) const;

  std::shared_ptr<const dedalus::LoweredProgram> program_;
  std::shared_ptr<const RuleTable> rules_;
  Specs specs_;
  std::vector<datalog::RelationId> read_;  // by the Specs
  bool every_tick_;                        // some Spec reads them at every tick
  Simulator for_verdict_;
  std::unique_ptr<Simulator> full_{};  // made when it is first needed
  std::optional<RuntimeError> error_;
};

}  // namespace clew::simulate
