#include "verify/expression.h"

#include "base/check.h"

namespace clew::verify {

namespace {

using dedalus::Op;
using dedalus::Term;

int64_t divide(int64_t left, int64_t right) {
  if (right == 0) throw Failure{"it divides by zero"};
  if (left == INT64_MIN && right == -1) throw Failure{"it leaves 64 bits"};
  return left / right;
}

int64_t calculate(Op op, int64_t left, int64_t right) {
  int64_t result = 0;
  bool overflow = false;
  switch (op) {
    case Op::kAdd:
      overflow = __builtin_add_overflow(left, right, &result);
      break;
    case Op::kSubtract:
      overflow = __builtin_sub_overflow(left, right, &result);
      break;
    case Op::kMultiply:
      overflow = __builtin_mul_overflow(left, right, &result);
      break;
    case Op::kDivide:
      return divide(left, right);
    default:
      CHECK(false, "a comparison has no value");
  }
  if (overflow) throw Failure{"it leaves 64 bits"};
  return result;
}

Datum combine(Op op, const Datum& left, const Datum& right) {
  const auto* left_text = std::get_if<std::string>(&left);
  const auto* right_text = std::get_if<std::string>(&right);
  if (op == Op::kAdd && left_text != nullptr && right_text != nullptr) {
    return *left_text + *right_text;
  }
  if (left_text != nullptr || right_text != nullptr) {
    throw Failure{"it calculates with a string"};
  }
  return calculate(op, std::get<int64_t>(left), std::get<int64_t>(right));
}

}  // namespace

Datum evaluate(const Term& term, const Rule& rule, const Binding& binding, const Values& values) {
  switch (term.kind) {
    case Term::Kind::kVariable:
    case Term::Kind::kAggregate:
      return values.datum(binding[rule.slots.at(term.text)]);
    case Term::Kind::kString:
      return term.text;
    case Term::Kind::kInteger:
      return term.integer;
    case Term::Kind::kBinary:
      return combine(term.op, evaluate(term.operands[0], rule, binding, values),
                     evaluate(term.operands[1], rule, binding, values));
    case Term::Kind::kWildcard:
      break;
  }
  CHECK(false, "a wildcard has no value");
  return {};
}

bool holds(const Term& condition, const Rule& rule, const Binding& binding, const Values& values) {
  const Datum left = evaluate(condition.operands[0], rule, binding, values);
  const Datum right = evaluate(condition.operands[1], rule, binding, values);
  switch (condition.op) {
    case Op::kLess:
      return left < right;
    case Op::kLessEqual:
      return left <= right;
    case Op::kGreater:
      return left > right;
    case Op::kGreaterEqual:
      return left >= right;
    case Op::kEqual:
      return left == right;
    case Op::kNotEqual:
      return left != right;
    default:
      break;
  }
  CHECK(false, "a condition compares");
  return false;
}

}  // namespace clew::verify
