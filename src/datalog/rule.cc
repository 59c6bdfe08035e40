#include "datalog/rule.h"

#include <fmt/format.h>

#include <algorithm>

namespace clew::datalog {

namespace {

const char* symbol(Operator op) {
  switch (op) {
    case Operator::kAdd:
      return "+";
    case Operator::kSubtract:
      return "-";
    case Operator::kMultiply:
      return "*";
    case Operator::kDivide:
      return "/";
  }
  return "?";
}

const char* symbol(Comparison comparison) {
  switch (comparison) {
    case Comparison::kLess:
      return "<";
    case Comparison::kLessEqual:
      return "<=";
    case Comparison::kGreater:
      return ">";
    case Comparison::kGreaterEqual:
      return ">=";
    case Comparison::kEqual:
      return "==";
    case Comparison::kNotEqual:
      return "!=";
  }
  return "?";
}

const char* name(Fold fold) {
  switch (fold) {
    case Fold::kGroup:
      return "group";
    case Fold::kCount:
      return "count";
    case Fold::kSum:
      return "sum";
    case Fold::kMin:
      return "min";
    case Fold::kMax:
      return "max";
  }
  return "?";
}

std::string print_atom(RelationId relation, const std::vector<Expression>& args,
                       const RuleSet& rules, const ValueTable& values) {
  std::string text = rules.relations[relation].name + "(";
  for (size_t i = 0; i < args.size(); ++i) {
    text += (i == 0 ? "" : ", ") + print(args[i], values);
  }
  return text + ")";
}

std::string print_folds(const Rule& rule, const RuleSet& rules) {
  std::string text = rules.relations[rule.head].name + "(";
  for (size_t i = 0; i < rule.folds.size(); ++i) {
    const bool group = rule.folds[i] == Fold::kGroup;
    text += i == 0 ? "" : ", ";
    text += group ? fmt::format("C{}", i) : fmt::format("{}<C{}>", name(rule.folds[i]), i);
  }
  return text + ")";
}

}  // namespace

std::string print(const Expression& expression, const ValueTable& values) {
  switch (expression.kind) {
    case Expression::Kind::kAny:
      return "_";
    case Expression::Kind::kSlot:
      return fmt::format("X{}", expression.slot);
    case Expression::Kind::kConstant:
      return values.print(expression.constant);
    case Expression::Kind::kOperator:
      break;
  }
  return fmt::format("({} {} {})", print(expression.operands[0], values), symbol(expression.op),
                     print(expression.operands[1], values));
}

std::string print(const BodyItem& item, const RuleSet& rules, const ValueTable& values) {
  if (item.kind == BodyItem::Kind::kCondition) {
    return fmt::format("{} {} {}", print(item.args[0], values), symbol(item.comparison),
                       print(item.args[1], values));
  }
  const char* prefix = item.kind == BodyItem::Kind::kAbsent ? "notin " : "";
  return prefix + print_atom(item.relation, item.args, rules, values);
}

bool BodyItem::is_plain() const {
  return std::ranges::all_of(args, [](const Expression& e) { return e.is_plain(); });
}

RelationId RuleSet::declare(std::string name, uint32_t arity, bool permanent) {
  relations.push_back({std::move(name), arity, permanent});
  return static_cast<RelationId>(relations.size() - 1);
}

std::string print(const Rule& rule, const RuleSet& rules, const ValueTable& values) {
  std::string text = rule.aggregates() ? print_folds(rule, rules)
                                       : print_atom(rule.head, rule.head_args, rules, values);
  text += rule.to_next_frame ? "@next" : "";
  for (size_t i = 0; i < rule.body.size(); ++i) {
    text += (i == 0 ? " :- " : ", ") + print(rule.body[i], rules, values);
  }
  return text + ";";
}

std::string print(const RuleSet& rules, const ValueTable& values) {
  std::string text;
  for (const Rule& rule : rules.rules) text += print(rule, rules, values) + "\n";
  return text;
}

}  // namespace clew::datalog
