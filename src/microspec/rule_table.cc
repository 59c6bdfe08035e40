#include "microspec/rule_table.h"

#include "dedalus/print.h"

namespace clew::microspec {

namespace {

Rule::Kind kind_of(dedalus::TimeSuffix::Kind time) {
  using Time = dedalus::TimeSuffix::Kind;
  return time == Time::kAsync  ? Rule::Kind::kAsync
         : time == Time::kNext ? Rule::Kind::kNext
                               : Rule::Kind::kDeductive;
}

Rule::Location place_of(const dedalus::Clause& clause) {
  using Kind = dedalus::Location::Kind;
  const dedalus::Location location = dedalus::location_of(clause);
  if (location.kind == Kind::kConstant) return {Rule::Location::Kind::kNode, location.text};
  if (location.kind != Kind::kVariable) return {};
  for (const dedalus::Literal& literal : clause.body) {
    if (literal.kind == dedalus::Literal::Kind::kCondition) continue;
    const bool absent = literal.kind == dedalus::Literal::Kind::kNegative;
    return {absent ? Rule::Location::Kind::kAbsence : Rule::Location::Kind::kFact,
            literal.atom.relation};
  }
  return {};
}

}  // namespace

Rule make_rule(const dedalus::Clause& clause, const SourceSet& sources) {
  Rule rule;
  rule.text = dedalus::print(clause);
  rule.path = sources.path(clause.span.file);
  rule.line = sources.place(clause.span.file, clause.span.begin).line;
  rule.last_line = sources.place(clause.span.file, clause.span.end - 1).line;
  rule.kind = kind_of(clause.head.time.kind);
  rule.location = place_of(clause);
  for (const dedalus::Term& arg : clause.head.args) {
    rule.aggregate.push_back(arg.kind == dedalus::Term::Kind::kAggregate);
  }
  return rule;
}

std::shared_ptr<const RuleTable> make_rule_table(const dedalus::Program& program,
                                                 const SourceSet& sources) {
  auto table = std::make_shared<RuleTable>();
  table->reserve(program.rules.size());
  for (const dedalus::Clause& clause : program.rules) table->push_back(make_rule(clause, sources));
  return table;
}

}  // namespace clew::microspec
