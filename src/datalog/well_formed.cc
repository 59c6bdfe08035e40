#include "base/check.h"
#include "datalog/rule.h"

namespace clew::datalog {

namespace {

// Slots of an expression are below the limit; if `bound` is given, they are in it.
void check_slots(const Expression& expression, const Rule& rule, const std::vector<bool>* bound) {
  if (expression.kind == Expression::Kind::kSlot) {
    CHECK(expression.slot < rule.slots, "slot {} of {}", expression.slot, rule.slots);
    CHECK(bound == nullptr || (*bound)[expression.slot], "a head has slot {}, which nothing binds",
          expression.slot);
  }
  for (const Expression& operand : expression.operands) check_slots(operand, rule, bound);
}

void check_atom(const RuleSet& rules, RelationId relation, size_t args) {
  CHECK(relation < rules.relations.size(), "relation {} is not declared", relation);
  const RelationDecl& decl = rules.relations[relation];
  CHECK(args == decl.arity, "{} has {} columns, but {} arguments", decl.name, decl.arity, args);
}

void check_joining(const RuleSet& rules, const Rule& rule) {
  check_atom(rules, rule.head, rule.head_args.size());
  std::vector<bool> bound(rule.slots);
  for (const BodyItem& item : rule.body) {
    if (item.kind != BodyItem::Kind::kCondition) {
      check_atom(rules, item.relation, item.args.size());
    }
    for (const Expression& arg : item.args) {
      check_slots(arg, rule, nullptr);
      const bool binds =
          item.kind == BodyItem::Kind::kPositive && arg.kind == Expression::Kind::kSlot;
      if (binds) bound[arg.slot] = true;
    }
  }
  for (const Expression& arg : rule.head_args) check_slots(arg, rule, &bound);
}

void check_aggregating(const RuleSet& rules, const Rule& rule) {
  check_atom(rules, rule.head, rule.folds.size());
  CHECK(rule.body.size() == 1 && rule.body[0].kind == BodyItem::Kind::kPositive,
        "an aggregating rule reads one positive atom");
  const BodyItem& source = rule.body[0];
  check_atom(rules, source.relation, source.args.size());
  CHECK(source.args.size() == rule.folds.size(), "{} folds for {} columns", rule.folds.size(),
        source.args.size());
  CHECK(rule.fold_places.size() == rule.folds.size(), "{} places for {} folds",
        rule.fold_places.size(), rule.folds.size());
  for (const Expression& arg : source.args) {
    CHECK(arg.kind == Expression::Kind::kAny, "an aggregating rule takes its rows as they are");
  }
}

}  // namespace

void check_well_formed(const RuleSet& rules) {
  for (const Rule& rule : rules.rules) {
    if (rule.aggregates()) {
      check_aggregating(rules, rule);
    } else {
      check_joining(rules, rule);
    }
  }
}

}  // namespace clew::datalog
