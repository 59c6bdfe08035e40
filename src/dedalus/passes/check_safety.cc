// Safety: a variable gets its values from the plain arguments of positive literals; the location
// variable is also given by the node at which the rule fires. Whatever computes with a variable,
// compares it or passes it to the head needs one that has values. A variable that occurs only as a
// plain argument of a negated literal is existential there and needs none.
#include <fmt/format.h>

#include <string>
#include <unordered_set>

#include "dedalus/passes/passes.h"
#include "dedalus/passes/wording.h"

namespace clew::dedalus {
namespace {

class RuleSafety {
 public:
  RuleSafety(const Clause& rule, Diagnostics& diagnostics, Suggester& suggester)
      : rule_(rule), diagnostics_(diagnostics), suggester_(suggester) {}

  void check() {
    collect_bound();
    check_location();
    for (const Term& arg : rule_.head.args) {
      if (arg.kind != Term::Kind::kWildcard) need(arg);
    }
    for (const Literal& literal : rule_.body) {
      if (literal.kind == Literal::Kind::kCondition) {
        need(literal.condition);
        continue;
      }
      for (const Term& arg : literal.atom.args) {
        if (arg.kind == Term::Kind::kBinary) need(arg);
      }
    }
  }

 private:
  void bind(const std::string& variable) {
    if (bound_.insert(variable).second) bound_in_order_.push_back(variable);
  }

  void collect_bound() {
    const Location location = location_of(rule_);
    if (location.kind == Location::Kind::kVariable) bind(location.text);
    for (const Literal& literal : rule_.body) {
      for (const Term& arg : literal.atom.args) {
        if (arg.kind != Term::Kind::kVariable) continue;
        if (literal.kind == Literal::Kind::kPositive) {
          bind(arg.text);
        } else {
          negated_.insert(arg.text);
        }
      }
    }
  }

  void check_location() {
    for (const Literal& literal : rule_.body) {
      if (literal.kind == Literal::Kind::kCondition) continue;
      const std::vector<Term>& args = literal.atom.args;
      if (args.empty() || args.front().kind != Term::Kind::kBinary) return;
      diagnostics_.error("computed-location", args.front().span,
                         "the location of a rule cannot be computed",
                         "let the body begin with a relation at a variable, a string or `_`");
      return;
    }
  }

  void need(const Term& term) {
    switch (term.kind) {
      case Term::Kind::kVariable:
      case Term::Kind::kAggregate:
        if (!bound_.contains(term.text)) report_unbound(term);
        return;
      case Term::Kind::kWildcard:
        diagnostics_.error("wildcard-in-expression", term.span,
                           "`_` has no value to compute with or to compare",
                           "name the variable, here and where the body binds it");
        return;
      case Term::Kind::kBinary:
        for (const Term& operand : term.operands) need(operand);
        return;
      case Term::Kind::kString:
      case Term::Kind::kInteger:
        return;
    }
  }

  void report_unbound(const Term& term) {
    if (!reported_.insert(term.text).second) return;
    if (reported_.size() == 1) collect_computed();
    const char* why = "does not occur in the body";
    if (computed_.contains(term.text)) why = "is only computed with or compared";
    if (negated_.contains(term.text)) why = "occurs in the body only under `notin`";
    diagnostics_.error("unsafe-variable", term.span,
                       fmt::format("{} has no value: it {}", name_of(term.text), why),
                       help_for(term));
  }

  void collect_computed() {
    for (const Literal& literal : rule_.body) {
      if (literal.kind == Literal::Kind::kCondition) collect_variables(literal.condition);
      for (const Term& arg : literal.atom.args) collect_variables(arg);
    }
  }

  void collect_variables(const Term& term) {
    if (term.kind == Term::Kind::kVariable) computed_.insert(term.text);
    for (const Term& operand : term.operands) collect_variables(operand);
  }

  std::string help_for(const Term& term) {
    if (auto meant = suggester_.suggest(term.text, bound_in_order_)) {
      return fmt::format("did you mean {}?", name_of(*meant));
    }
    return fmt::format("match it in the body outside of `notin`, or write {} if a string is meant",
                       string_of(term.text));
  }

  const Clause& rule_;
  Diagnostics& diagnostics_;
  Suggester& suggester_;
  std::unordered_set<std::string> bound_;
  std::vector<std::string> bound_in_order_;
  std::unordered_set<std::string> negated_;   // as a plain argument under `notin`
  std::unordered_set<std::string> computed_;  // anywhere in the body; see collect_computed
  std::unordered_set<std::string> reported_;
};

}  // namespace

void check_safety(Draft& draft) {
  Suggester suggester;
  for (const Clause& clause : draft.clauses) {
    if (clause.kind == Clause::Kind::kRule) {
      RuleSafety(clause, draft.diagnostics, suggester).check();
    }
  }
}

}  // namespace clew::dedalus
