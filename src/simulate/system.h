// A Program as a System: what search runs.
#pragma once

#include "domain/fault_model.h"
#include "domain/system.h"
#include "simulate/simulator.h"

namespace clew::simulate {

class ProgramSystem : public System {
 public:
  ProgramSystem(std::shared_ptr<const dedalus::LoweredProgram> program, Tick eot)
      : simulator_(std::move(program), {.lineage = false, .only_verdict = true}), eot_(eot) {}
  // Lowers the program for itself. `program` outlives this.
  ProgramSystem(const dedalus::Program& program, const FaultModel& model)
      : simulator_(program, model.nodes, model.crash_model,
                   {.lineage = false, .only_verdict = true}),
        eot_(model.eot) {}

  std::optional<Outcome::Kind> run(const FaultSet& faults) override {
    error_ = simulator_.run(eot_, faults);
    if (error_) return std::nullopt;
    return simulator_.outcome();
  }

  // Why the last run could not be finished.
  const std::optional<RuntimeError>& error() const { return error_; }
  // For other horizons: what later runs end with.
  void set_eot(Tick eot) { eot_ = eot; }
  const Simulator& simulator() const { return simulator_; }

 private:
  Simulator simulator_;
  Tick eot_;
  std::optional<RuntimeError> error_;
};

}  // namespace clew::simulate
