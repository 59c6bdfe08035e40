#include "lineage/rule_form.h"

#include "dedalus/parse.h"

namespace clew::lineage {

namespace {

RuleForm read_rule(const std::string& text) {
  SourceSet sources;
  Diagnostics ignored;
  const FileId id = sources.add("rule", text);
  const dedalus::File file = dedalus::parse(id, sources, ignored);
  RuleForm form;
  if (file.clauses.size() != 1 || file.clauses[0].kind != dedalus::Clause::Kind::kRule) return form;
  const dedalus::Clause& clause = file.clauses[0];
  form.time = clause.head.time.kind;
  form.location = dedalus::location_of(clause);
  for (const dedalus::Literal& literal : clause.body) {
    if (literal.kind == dedalus::Literal::Kind::kCondition) continue;
    form.location_relation = literal.atom.relation;
    form.location_absent = literal.kind == dedalus::Literal::Kind::kNegative;
    break;
  }
  for (const dedalus::Term& arg : clause.head.args) {
    form.aggregate.push_back(arg.kind == dedalus::Term::Kind::kAggregate);
    form.aggregates |= form.aggregate.back();
  }
  return form;
}

}  // namespace

const RuleForm& RuleForms::of(const std::string& rule) {
  const auto at = forms_.find(rule);
  return at != forms_.end() ? at->second : forms_.emplace(rule, read_rule(rule)).first->second;
}

}  // namespace clew::lineage
