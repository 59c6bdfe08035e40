#include "datalog/expression.h"

namespace clew::datalog {

namespace {

using Kind = EvaluationError::Kind;

std::optional<Value> fail(Kind kind, const Expression& expression, EvaluationError& error) {
  error.kind = kind;
  error.place = expression.place;
  return std::nullopt;
}

std::optional<Value> calculate(const Expression& expression, int64_t a, int64_t b,
                               ValueTable& values, EvaluationError& error) {
  const std::variant<int64_t, ArithmeticError> result = clew::calculate(expression.op, a, b);
  if (const auto* number = std::get_if<int64_t>(&result)) return values.integer(*number);
  const bool by_zero = std::get<ArithmeticError>(result) == ArithmeticError::kDivisionByZero;
  return fail(by_zero ? Kind::kDivisionByZero : Kind::kOverflow, expression, error);
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
  const bool integers = values.is_integer(*a) && values.is_integer(*b);
  if (integers) return calculate(expression, values.number(*a), values.number(*b), values, error);
  const bool strings = !values.is_integer(*a) && !values.is_integer(*b);
  if (!strings || expression.op != Operator::kAdd) {
    return fail(Kind::kWrongType, expression, error);
  }
  return values.intern(values.text(*a) + values.text(*b));
}

bool holds(Comparison comparison, Value a, Value b, const ValueTable& values) {
  // Equal values have equal bits.
  if (comparison == Comparison::kEqual) return a == b;
  if (comparison == Comparison::kNotEqual) return a != b;
  return holds_for(comparison, values.compare(a, b) <=> 0);
}

}  // namespace clew::datalog
