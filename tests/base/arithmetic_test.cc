#include "base/arithmetic.h"

#include <gtest/gtest.h>

#include <string>

namespace clew {
namespace {

std::string text(Operator op, int64_t a, int64_t b) {
  const std::variant<int64_t, ArithmeticError> result = calculate(op, a, b);
  if (const auto* number = std::get_if<int64_t>(&result)) return std::to_string(*number);
  const bool by_zero = std::get<ArithmeticError>(result) == ArithmeticError::kDivisionByZero;
  return by_zero ? "division by zero" : "overflow";
}

TEST(ArithmeticTest, Calculates) {
  EXPECT_EQ(text(Operator::kAdd, 2, 3), "5");
  EXPECT_EQ(text(Operator::kSubtract, 2, 3), "-1");
  EXPECT_EQ(text(Operator::kMultiply, -2, 3), "-6");
  EXPECT_EQ(text(Operator::kDivide, 7, 2), "3");
  EXPECT_EQ(text(Operator::kDivide, -7, 2), "-3");
}

TEST(ArithmeticTest, SaysWhyThereIsNoResult) {
  EXPECT_EQ(text(Operator::kAdd, INT64_MAX, 1), "overflow");
  EXPECT_EQ(text(Operator::kSubtract, INT64_MIN, 1), "overflow");
  EXPECT_EQ(text(Operator::kMultiply, INT64_MIN, -1), "overflow");
  EXPECT_EQ(text(Operator::kDivide, INT64_MIN, -1), "overflow");
  EXPECT_EQ(text(Operator::kDivide, 0, 0), "division by zero");
}

TEST(ArithmeticTest, Compares) {
  struct Case {
    Comparison comparison;
    bool less;
    bool equal;
    bool greater;
  };
  const Case table[] = {
      {Comparison::kLess, true, false, false},    {Comparison::kLessEqual, true, true, false},
      {Comparison::kGreater, false, false, true}, {Comparison::kGreaterEqual, false, true, true},
      {Comparison::kEqual, false, true, false},   {Comparison::kNotEqual, true, false, true},
  };
  for (const Case& one : table) {
    EXPECT_EQ(holds_for(one.comparison, 1 <=> 2), one.less);
    EXPECT_EQ(holds_for(one.comparison, 2 <=> 2), one.equal);
    EXPECT_EQ(holds_for(one.comparison, 3 <=> 2), one.greater);
  }
}

}  // namespace
}  // namespace clew
