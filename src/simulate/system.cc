#include "simulate/system.h"

#include <algorithm>
#include <set>

#include "base/check.h"
#include "microspec/specs.h"

namespace clew::simulate {

namespace {

// What the Specs read, by name, so that facts come in order.
std::vector<datalog::RelationId> relations_read(const Specs& specs,
                                                const dedalus::Program& program) {
  std::set<std::string> names;
  for (const std::shared_ptr<const Spec>& spec : specs) {
    for (std::string& name : spec->reads()) names.insert(std::move(name));
  }
  std::vector<datalog::RelationId> ids;
  for (const std::string& name : names) {
    const auto found = program.relation_index.find(name);
    if (found != program.relation_index.end()) ids.push_back(found->second);
  }
  return ids;
}

}  // namespace

ProgramSystem::ProgramSystem(std::shared_ptr<const dedalus::LoweredProgram> program,
                             std::shared_ptr<const RuleTable> rules, const Stop& stop)
    : program_(std::move(program)),
      rules_(std::move(rules)),
      specs_(microspec::specs_of(program_->program())),
      read_(relations_read(specs_, program_->program())),
      every_tick_(std::ranges::any_of(specs_, [](const auto& spec) { return spec->every_tick(); })),
      for_verdict_(program_, {.lineage = false, .only_verdict = true, .stop = stop}) {}

ProgramSystem::ProgramSystem(const dedalus::Program& program, const FaultModel& model)
    : ProgramSystem(std::make_shared<const dedalus::LoweredProgram>(
          program, model.nodes, model.crash_model == CrashModel::kStop)) {}

Run ProgramSystem::describe_verdict(const Scenario& scenario) const {
  Run run;
  run.scenario = scenario;
  const microspec::Frames frames = for_verdict_.frames();
  const Tick eot = frames.last_tick();
  for (Tick tick = every_tick_ ? 1 : eot; tick <= eot; ++tick) {
    std::vector<Fact>& facts = run.facts.emplace_back();
    for (const datalog::RelationId id : read_) {
      const microspec::Frames::Rows rows = frames.rows_at(id, tick);
      const size_t others = facts.size();
      facts.reserve(others + rows.end - rows.begin);
      for (datalog::Row row = rows.begin; row < rows.end; ++row) {
        facts.push_back(frames.fact(id, row));
      }
      std::ranges::sort(facts.begin() + static_cast<std::ptrdiff_t>(others), facts.end(), {},
                        &Fact::values);
    }
  }
  return run;
}

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
  if (!whole) return describe_verdict(scenario);
  Run run = describe(simulator, scenario);
  if (detail == Detail::kLineage && rules_ != nullptr) add_firings(simulator, rules_, run);
  return run;
}

}  // namespace clew::simulate
