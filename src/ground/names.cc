// What atoms stand for, and which of them a Run shows.
#include <fmt/format.h>

#include "base/text.h"
#include "ground/grounder.h"

namespace clew::ground {

using datalog::RelationId;
using datalog::Row;

std::optional<size_t> Grounder::contributes_to(const Name& name) const {
  return contributions_[name.relation];
}

std::vector<uint32_t> Grounder::kinds_shown(const Run& run) const {
  std::vector<bool> shown(possible_.relations);
  const auto show = [&](const std::string& relation) {
    const auto at = program_.relation_index.find(relation);
    if (at != program_.relation_index.end()) shown[at->second] = true;
  };
  for (const std::vector<Fact>& facts : run.facts) {
    for (size_t i = 0; i < facts.size(); ++i) {
      if (i == 0 || facts[i].relation != facts[i - 1].relation) show(facts[i].relation);
    }
  }
  for (const Message& message : run.messages) show(message.fact.relation);
  for (const datalog::Rule& rule : lowered_.rules.rules) {
    if (rule.only_in_last_frame) shown[rule.head] = true;
  }
  // What is remembered of a tick is no relation of the program: no run shows it.
  for (size_t relation = program_.relations.size(); relation < shown.size(); ++relation) {
    shown[relation] = true;
  }
  // What an aggregate is made of is seen when the aggregate is.
  for (RelationId relation = 0; relation < contributions_.size(); ++relation) {
    if (!contributions_[relation]) continue;
    const std::string& head = program_.rules[*contributions_[relation]].head.relation;
    const auto at = program_.relation_index.find(head);
    shown[relation] = at != program_.relation_index.end() && shown[at->second];
  }
  // What is read of a tick may be part of a recursion, and is seen when what it was is.
  for (RelationId relation = 0; relation < lowered_.readings.size(); ++relation) {
    const auto& reading = lowered_.readings[relation];
    if (reading) shown[relation] = shown[reading->relation];
  }
  std::vector<uint32_t> kinds;
  for (uint32_t kind = 0; kind < shown.size(); ++kind) {
    if (shown[kind]) kinds.push_back(kind);
  }
  return kinds;
}

std::vector<uint32_t> Grounder::tuple(const Name& name) const {
  const datalog::Relation& rows = engine_.relation(name.relation);
  std::vector<uint32_t> bits(rows.arity());
  for (uint32_t i = 0; i < bits.size(); ++i) bits[i] = rows.tuple(name.row)[i].bits;
  return bits;
}

std::string Grounder::tuple_text(const Name& name) const {
  const datalog::Relation& rows = engine_.relation(name.relation);
  std::string text = "(";
  for (uint32_t i = 0; i < rows.arity(); ++i) {
    const datalog::Value value = rows.tuple(name.row)[i];
    text += i == 0 ? "" : ", ";
    text += values_.is_integer(value) ? values_.print(value) : clew::quoted(values_.text(value));
  }
  return text + ")";
}

std::string Grounder::print_tuple(RelationId relation, Row row) const {
  const datalog::Relation& rows = engine_.relation(relation);
  std::string text = "(";
  for (uint32_t i = 0; i < rows.arity(); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", values_.print(rows.tuple(row)[i]));
  }
  return text + ")";
}

std::string Grounder::relation_name(const Name& name) const {
  return lowered_.rules.relations[name.relation].name;
}

std::string Grounder::print(formula::Atom atom) const {
  if (rules_.is_fault(atom)) return to_string(rules_.fault_of(atom));
  if (!rules_.is_named(atom)) return fmt::format("#{}", atom);
  const Name& what = name(atom);
  return fmt::format("{}{}@{}", relation_name(what), print_tuple(what.relation, what.row),
                     what.tick);
}

}  // namespace clew::ground
