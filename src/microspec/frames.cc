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
  fact.values.reserve(rows.arity() - skip);
  for (uint32_t i = skip; i < rows.arity(); ++i) fact.values.push_back(datum(rows.tuple(row)[i]));
  return fact;
}

Datum Frames::datum(datalog::Value value) const {
  const datalog::ValueTable& values = engine.values();
  if (values.is_integer(value)) return values.number(value);
  return values.text(value);
}

}  // namespace clew::microspec
