#include "datalog/expression.h"

namespace clew::datalog {

namespace {

using Kind = EvaluationError::Kind;

std::optional<Value> fail(Kind kind, const Expression& expression, EvaluationError& error) {
  error.kind = kind;
  error.place = expression.place;
  return std::nullopt;
}

std::optional<Value> divide(const Expression& expression, int64_t a, int64_t b, ValueTable& values,
                            EvaluationError& error) {
  if (b == 0) return fail(Kind::kDivisionByZero, expression, error);
  if (a == INT64_MIN && b == -1) return fail(Kind::kOverflow, expression, error);
  return values.integer(a / b);
}

std::optional<Value> calculate(const Expression& expression, int64_t a, int64_t b,
                               ValueTable& values, EvaluationError& error) {
  int64_t result = 0;
  bool overflows = false;
  switch (expression.op) {
    case Operator::kAdd:
      overflows = __builtin_add_overflow(a, b, &result);
      break;
    case Operator::kSubtract:
      overflows = __builtin_sub_overflow(a, b, &result);
      break;
    case Operator::kMultiply:
      overflows = __builtin_mul_overflow(a, b, &result);
      break;
    case Operator::kDivide:
      return divide(expression, a, b, values, error);
  }
  if (overflows) return fail(Kind::kOverflow, expression, error);
  return values.integer(result);
}

}  // namespace

std::optional<Value> evaluate(const Expression& expression, const Value* slots, ValueTable& values,
                              EvaluationError& error) {
  if (expression.kind == Expression::Kind::kSlot) return slots[expression.slot];
  if (expression.kind == Expression::Kind::kConstant) return expression.constant;
  std::optional<Value> a = evaluate(expression.operands[0], slots, values, error);
  if (!a) return a;
  std::optional<Value> b = evaluate(expression.operands[1], slots, values, error);
  if (!b) return b;
  bool integers = values.is_integer(*a) && values.is_integer(*b);
  if (integers) return calculate(expression, values.number(*a), values.number(*b), values, error);
  bool strings = !values.is_integer(*a) && !values.is_integer(*b);
  if (!strings || expression.op != Operator::kAdd) {
    return fail(Kind::kWrongType, expression, error);
  }
  return values.intern(values.text(*a) + values.text(*b));
}

bool holds(Comparison comparison, Value a, Value b, const ValueTable& values) {
  switch (comparison) {
    case Comparison::kEqual:
      return a == b;
    case Comparison::kNotEqual:
      return a != b;
    case Comparison::kLess:
      return values.compare(a, b) < 0;
    case Comparison::kLessEqual:
      return values.compare(a, b) <= 0;
    case Comparison::kGreater:
      return values.compare(a, b) > 0;
    case Comparison::kGreaterEqual:
      return values.compare(a, b) >= 0;
  }
  return false;
}

}  // namespace clew::datalog
