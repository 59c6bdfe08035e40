// What the operators of the language mean on values: the one place for the engine, the checker and
// explanations. The twin and the verifier say it again in words of their own: that is their worth.
//
//   calculate(Operator::kDivide, 7, 2)                  // 3: towards zero
//   calculate(Operator::kDivide, 7, 0)                  // ArithmeticError::kDivisionByZero
//   holds_for(Comparison::kLess, a <=> b)               // values of any kind that have an order
#pragma once

#include <compare>
#include <cstdint>
#include <variant>

#include "base/check.h"

namespace clew {

enum class Operator { kAdd, kSubtract, kMultiply, kDivide };
enum class Comparison { kLess, kLessEqual, kGreater, kGreaterEqual, kEqual, kNotEqual };

// kOverflow: the result does not fit into 64 bits.
enum class ArithmeticError { kDivisionByZero, kOverflow };

// On integers. Of strings there is kAdd alone, which joins them.
inline std::variant<int64_t, ArithmeticError> calculate(Operator op, int64_t a, int64_t b) {
  int64_t result = 0;
  bool overflows = false;
  switch (op) {
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
      if (b == 0) return ArithmeticError::kDivisionByZero;
      overflows = a == INT64_MIN && b == -1;
      if (!overflows) result = a / b;
      break;
  }
  if (overflows) return ArithmeticError::kOverflow;
  return result;
}

// Whether a comparison holds for two values of which one comes before the other in this way.
// Integers come before strings.
inline bool holds_for(Comparison comparison, std::strong_ordering order) {
  switch (comparison) {
    case Comparison::kLess:
      return order < 0;
    case Comparison::kLessEqual:
      return order <= 0;
    case Comparison::kGreater:
      return order > 0;
    case Comparison::kGreaterEqual:
      return order >= 0;
    case Comparison::kEqual:
      return order == 0;
    case Comparison::kNotEqual:
      return order != 0;
  }
  CHECK(false, "comparison {}", static_cast<int>(comparison));
  return false;
}

}  // namespace clew
