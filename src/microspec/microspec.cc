#include "microspec/microspec.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/check.h"
#include "microspec/firings.h"
#include "microspec/rule_table.h"
#include "microspec/specs.h"

namespace clew::microspec {

using dedalus::RelationIndex;

namespace {

// Nothing is ever at a node, so that it does not matter who they are. With `stop`, `crash` holds
// only at the ticks at which the Run has it.
std::shared_ptr<const dedalus::LoweredProgram> lower_spec(const dedalus::Program& program) {
  return std::make_shared<const dedalus::LoweredProgram>(program, std::vector<std::string>{}, true);
}

// What the rules derive and the Run lacks so far; for a verdict only what the Specs read.
std::vector<RelationIndex> wanted(const MicroSpec& spec, Detail detail) {
  std::set<std::string> read;
  for (const std::shared_ptr<const Spec>& one : spec.specs()) {
    for (const std::string& name : one->reads()) read.insert(name);
  }
  std::vector<RelationIndex> relations;
  const auto& all = spec.program().relations;
  for (RelationIndex i = 1; i < all.size(); ++i) {
    const bool lacks = all[i].derived && !all[i].given;
    if (lacks && (detail != Detail::kVerdict || read.contains(all[i].name))) relations.push_back(i);
  }
  return relations;
}

void add_facts(const Frames& frames, const std::vector<RelationIndex>& relations, Run& run) {
  for (Tick tick = 1; tick <= frames.last_tick(); ++tick) {
    std::vector<Fact>& facts = run.facts[static_cast<size_t>(tick - 1)];
    const auto given = static_cast<std::ptrdiff_t>(facts.size());
    for (const RelationIndex relation : relations) {
      const Frames::Rows rows = frames.rows_at(relation, tick);
      for (datalog::Row row = rows.begin; row < rows.end; ++row) {
        facts.push_back(frames.fact(relation, row));
      }
    }
    std::sort(facts.begin() + given, facts.end());
    std::inplace_merge(facts.begin(), facts.begin() + given, facts.end());
  }
}

Error describe(const RuntimeError& error, const Rule& rule) {
  const Diagnostic diagnostic = to_diagnostic(error);
  return {fmt::format("{}: {}, by {}", rule.where(), diagnostic.message, rule.text),
          diagnostic.help};
}

}  // namespace

MicroSpec::MicroSpec(dedalus::Program program, const SourceSet& sources)
    : program_(std::make_shared<const dedalus::Program>(std::move(program))),
      lowered_(lower_spec(*program_)),
      specs_(specs_of(*program_)),
      rules_(make_rule_table(*program_, sources)) {}

std::optional<MicroSpec> load_microspec(const std::vector<std::string>& paths,
                                        const dedalus::GivenRelations& given, SourceSet& sources,
                                        Diagnostics& diagnostics) {
  std::optional<dedalus::Program> program = dedalus::load_spec(paths, given, sources, diagnostics);
  if (!program) return std::nullopt;
  return MicroSpec(*std::move(program), sources);
}

Judge::Judge(MicroSpec spec, Stop stop)
    : spec_(std::move(spec)),
      stop_(std::move(stop)),
      for_verdict_(spec_.lowered(), spec_.lowered().for_verdict(),
                   {.lineage = false, .stop = stop_}) {}

Status Judge::derive(Run& run, Detail detail) {
  CHECK(!run.facts.empty(), "a run without a tick");
  CHECK(run.facts.size() == static_cast<size_t>(run.scenario.program.eot),
        "{} ticks of a run that ends at {}", run.facts.size(), run.scenario.program.eot);
  error_.reset();
  const bool whole = detail != Detail::kVerdict;
  if (whole && full_ == nullptr) {
    full_ = std::make_unique<Evaluation>(spec_.lowered(), spec_.lowered().full(),
                                         datalog::EngineOptions{.stop = stop_});
  }
  Evaluation& evaluation = whole ? *full_ : for_verdict_;
  const Result<Evaluated> evaluated = evaluation.run(run.facts);
  if (!evaluated.ok()) return evaluated.error();
  error_ = evaluated->error;
  if (error_) return describe(*error_, (*spec_.rules())[evaluated->clause]);
  add_facts(evaluation.frames(), wanted(spec_, detail), run);
  if (detail == Detail::kLineage) add_firings(run);
  return Nothing{};
}

void Judge::add_firings(Run& run) {
  const auto nobody_sends = [](datalog::Value, datalog::Value, Tick) { return false; };
  std::vector<Firing> firings =
      describe_firings(full_->frames(), full_->engine(), nobody_sends, stop_);
  if (run.rules == nullptr) {
    run.rules = spec_.rules();
  } else {
    auto both = std::make_shared<RuleTable>(*spec_.rules());
    for (Firing& firing : run.firings) firing.rule += static_cast<RuleId>(both->size());
    both->insert(both->end(), run.rules->begin(), run.rules->end());
    run.rules = std::move(both);
  }
  run.firings.insert(run.firings.end(), std::make_move_iterator(firings.begin()),
                     std::make_move_iterator(firings.end()));
}

Status Judge::judge(Run& run, Detail detail) {
  if (Status derived = derive(run, detail); !derived.ok()) return derived;
  clew::judge(spec_.specs(), run);
  return Nothing{};
}

}  // namespace clew::microspec
