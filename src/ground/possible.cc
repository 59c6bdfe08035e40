#include "ground/possible.h"

namespace clew::ground {

using datalog::BodyItem;
using datalog::Rule;

namespace {

Rule possible_rule(const Possible& possible, Rule rule) {
  for (BodyItem& item : rule.body) {
    if (item.kind == BodyItem::Kind::kAbsent) item.relation = possible.certain(item.relation);
  }
  if (rule.aggregates()) rule.at_least = possible.certain(rule.body[0].relation);
  return rule;
}

Rule certain_rule(const Possible& possible, Rule rule) {
  rule.head = possible.certain(rule.head);
  rule.unlogged = true;
  for (BodyItem& item : rule.body) {
    if (item.kind == BodyItem::Kind::kPositive) item.relation = possible.certain(item.relation);
  }
  return rule;
}

}  // namespace

Possible make_possible(const datalog::RuleSet& rules) {
  Possible possible;
  possible.relations = static_cast<uint32_t>(rules.relations.size());
  possible.rules.relations = rules.relations;
  for (datalog::RelationDecl decl : rules.relations) {
    decl.name += "!";
    possible.rules.relations.push_back(std::move(decl));
  }
  for (const Rule& rule : rules.rules) {
    possible.rules.rules.push_back(possible_rule(possible, rule));
  }
  for (const Rule& rule : rules.rules) {
    // The fold of the certain rows is certain only if no further row is possible. That is rare
    // enough to leave it out: what is left out here is merely called possible.
    if (!rule.aggregates()) possible.rules.rules.push_back(certain_rule(possible, rule));
  }
  return possible;
}

}  // namespace clew::ground
