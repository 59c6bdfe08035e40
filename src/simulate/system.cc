#include "simulate/system.h"

#include <algorithm>

#include "base/check.h"

namespace clew::simulate {

namespace {

// A Run of which only what the Specs read is there: at the last tick, or, if one of them wants
// that, at every tick.
Run describe_verdict(const Simulator& simulator, const Specs& specs, Scenario scenario) {
  Run run;
  run.scenario = std::move(scenario);
  const auto& index = simulator.program().relation_index;
  const bool every_tick =
      std::ranges::any_of(specs, [](const auto& spec) { return spec->every_tick(); });
  for (Tick tick = every_tick ? 1 : simulator.eot(); tick <= simulator.eot(); ++tick) {
    std::vector<Fact>& facts = run.facts.emplace_back();
    for (const std::shared_ptr<const Spec>& spec : specs) {
      for (const std::string& name : spec->reads()) {
        const auto found = index.find(name);
        if (found == index.end()) continue;
        const Simulator::Rows rows = simulator.rows_at(found->second, tick);
        for (datalog::Row row = rows.begin; row < rows.end; ++row) {
          facts.push_back(describe_row(simulator, found->second, row));
        }
      }
    }
    std::ranges::sort(facts);
  }
  return run;
}

}  // namespace

Specs specs_of(const dedalus::Program& program) {
  Specs specs;
  for (const dedalus::PromiseInfo& promise : program.promises) {
    const Promise::Relations relations{promise.pre, promise.post, promise.defines_pre,
                                       promise.every_tick};
    specs.push_back(std::make_shared<const Promise>(promise.name, relations));
  }
  return specs;
}

ProgramSystem::ProgramSystem(std::shared_ptr<const dedalus::LoweredProgram> program,
                             std::shared_ptr<const RuleTable> rules, const Stop& stop)
    : program_(std::move(program)),
      rules_(std::move(rules)),
      specs_(specs_of(program_->program())),
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
    const Diagnostic diagnostic = to_diagnostic(*error_);
    return Error{diagnostic.message, diagnostic.help};
  }
  if (!whole) return describe_verdict(simulator, specs_, scenario);
  Run run = describe(simulator, scenario);
  if (detail == Detail::kLineage && rules_ != nullptr) add_firings(simulator, rules_, run);
  return run;
}

}  // namespace clew::simulate
