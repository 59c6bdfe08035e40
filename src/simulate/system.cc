#include "simulate/system.h"

#include "base/check.h"
#include "microspec/specs.h"

namespace clew::simulate {

ProgramSystem::ProgramSystem(std::shared_ptr<const dedalus::LoweredProgram> program,
                             std::shared_ptr<const RuleTable> rules, const Stop& stop)
    : program_(std::move(program)),
      rules_(std::move(rules)),
      specs_(microspec::specs_of(program_->program())),
      for_verdict_(program_, {.lineage = false, .only_verdict = true, .stop = stop}) {}

ProgramSystem::ProgramSystem(const dedalus::Program& program, const FaultModel& model)
    : ProgramSystem(std::make_shared<const dedalus::LoweredProgram>(
          program, model.nodes, model.crash_model == CrashModel::kStop)) {}

Result<Run> ProgramSystem::run(const Scenario& scenario, Detail detail) {
  CHECK(scenario.nodes == program_->nodes(), "other nodes than those of the program");
  CHECK((scenario.program.crash_model == CrashModel::kStop) == program_->stop(),
        "another crash model");
  const bool whole = detail != Detail::kVerdict;
  if (whole && full_ == nullptr) {
    full_ = std::make_unique<Simulator>(program_, SimulatorOptions{.stop = for_verdict_.stop()});
  }
  Simulator& simulator = whole ? *full_ : for_verdict_;
  error_ = simulator.run(scenario.program.eot, scenario.faults);
  if (error_) {
    const Diagnostic diagnostic = microspec::to_diagnostic(*error_);
    return Error{diagnostic.message, diagnostic.help};
  }
  if (!whole) return verdict_of(simulator.frames(), specs_, scenario);
  Run run = describe(simulator, scenario);
  if (detail == Detail::kLineage && rules_ != nullptr) add_firings(simulator, rules_, run);
  return run;
}

}  // namespace clew::simulate
