#include "microspec/frames.h"

#include <algorithm>

namespace clew::microspec {

using datalog::RelationId;
using datalog::Row;

Frames::Rows Frames::rows_at(RelationId relation, Tick tick) const {
  const datalog::Relation& all = engine.relation(relation);
  if (all.permanent()) return {all.begin(), all.end()};
  const auto next = static_cast<size_t>(tick);
  const Row begin = entered[next - 1].begins[relation];
  return {begin, next < entered.size() ? entered[next].begins[relation] : all.end()};
}

Tick Frames::tick_of(RelationId relation, Row row) const {
  const auto begin = [relation](const datalog::Engine::Mark& mark) {
    return mark.begins[relation];
  };
  return static_cast<Tick>(std::ranges::upper_bound(entered, row, {}, begin) - entered.begin());
}

Fact Frames::fact(RelationId relation, Row row, uint32_t skip) const {
  const datalog::Relation& rows = engine.relation(relation);
  Fact fact{engine.rules().relations[relation].name, {}};
  for (uint32_t i = skip; i < rows.arity(); ++i) fact.values.push_back(datum(rows.tuple(row)[i]));
  return fact;
}

Datum Frames::datum(datalog::Value value) const {
  const datalog::ValueTable& values = engine.values();
  if (values.is_integer(value)) return values.number(value);
  return values.text(value);
}

namespace {

void add_read(const Frames& frames, const Spec& spec, Tick tick, std::vector<Fact>& facts) {
  for (const std::string& name : spec.reads()) {
    const auto found = frames.program.relation_index.find(name);
    if (found == frames.program.relation_index.end()) continue;
    const Frames::Rows rows = frames.rows_at(found->second, tick);
    for (Row row = rows.begin; row < rows.end; ++row) {
      facts.push_back(frames.fact(found->second, row));
    }
  }
}

}  // namespace

Run verdict_of(const Frames& frames, const Specs& specs, Scenario scenario) {
  Run run;
  run.scenario = std::move(scenario);
  const Tick last = frames.last_tick();
  const bool every_tick =
      std::ranges::any_of(specs, [](const auto& spec) { return spec->every_tick(); });
  for (Tick tick = every_tick ? 1 : last; tick <= last; ++tick) {
    std::vector<Fact>& facts = run.facts.emplace_back();
    for (const std::shared_ptr<const Spec>& spec : specs) add_read(frames, *spec, tick, facts);
    std::ranges::sort(facts);
  }
  return run;
}

}  // namespace clew::microspec
