#include "datalog/expression.h"

#include <gtest/gtest.h>

#include "base/check.h"

namespace clew::datalog {
namespace {

// A word is an integer if it looks like one.
Value value_of(const std::string& word, ValueTable& values) {
  const bool number = word.find_first_not_of("-0123456789") == std::string::npos;
  return number ? values.integer(std::stoll(word)) : values.intern(word);
}

Operator operator_of(char sign) {
  switch (sign) {
    case '+':
      return Operator::kAdd;
    case '-':
      return Operator::kSubtract;
    case '*':
      return Operator::kMultiply;
    default:
      return Operator::kDivide;
  }
}

std::string name_of(EvaluationError::Kind kind) {
  switch (kind) {
    case EvaluationError::Kind::kDivisionByZero:
      return "division by zero";
    case EvaluationError::Kind::kOverflow:
      return "overflow";
    case EvaluationError::Kind::kWrongType:
      return "wrong type";
    case EvaluationError::Kind::kTooManyRows:
      break;
  }
  return "too many rows";
}

TEST(Expression, Calculates) {
  const std::string most = "9223372036854775807";
  const std::string least = "-9223372036854775808";
  const struct {
    std::string left;
    char sign;
    std::string right;
    std::string result;
  } table[] = {
      {"7", '+', "2", "9"},
      {"7", '-', "2", "5"},
      {"7", '*', "2", "14"},
      {"7", '/', "2", "3"},
      {"-7", '/', "2", "-3"},
      {most, '+', "0", most},
      {most, '+', "1", "overflow"},
      {least, '-', "0", least},
      {least, '-', "1", "overflow"},
      {most, '*', "-1", "-9223372036854775807"},
      {least, '*', "-1", "overflow"},
      {least, '/', "1", least},
      {least, '/', "-1", "overflow"},
      {most, '/', "-1", "-9223372036854775807"},
      {"1", '/', "0", "division by zero"},
      {"0", '/', "0", "division by zero"},
      {"a", '+', "b", "\"ab\""},
      {"a", '-', "b", "wrong type"},
      {"a", '*', "b", "wrong type"},
      {"a", '+', "1", "wrong type"},
      {"1", '+', "a", "wrong type"},
  };
  for (const auto& one : table) {
    ValueTable values;
    Expression sum{.kind = Expression::Kind::kOperator, .op = operator_of(one.sign)};
    sum.operands = {slot(1), constant(value_of(one.right, values))};
    sum.place = 5;
    const Value slots[] = {values.integer(99), value_of(one.left, values)};
    EvaluationError error;
    const std::optional<Value> value = evaluate(sum, slots, values, error);
    EXPECT_EQ(value ? values.print(*value) : name_of(error.kind), one.result)
        << one.left << one.sign << one.right;
    EXPECT_EQ(error.place, value ? 0U : 5U);
  }
}

// The error of the inner one, the left one first.
TEST(Expression, FailsWhereAnOperandFails) {
  ValueTable values;
  Expression bad{.kind = Expression::Kind::kOperator, .op = Operator::kDivide, .place = 3};
  bad.operands = {constant(values.integer(1)), constant(values.integer(0))};
  Expression worse = bad;
  worse.place = 4;
  const Expression good = constant(values.integer(1));
  const std::vector<std::pair<std::vector<Expression>, uint32_t>> table = {
      {{bad, good}, 3}, {{good, worse}, 4}, {{bad, worse}, 3}};
  for (const auto& [operands, place] : table) {
    const Expression sum{.kind = Expression::Kind::kOperator, .operands = operands, .place = 9};
    EvaluationError error;
    EXPECT_FALSE(evaluate(sum, nullptr, values, error));
    EXPECT_EQ(error.place, place);
  }
}

TEST(Expression, Compares) {
  ValueTable values;
  const Value one = values.integer(1), two = values.integer(2);
  // For 1 and 2, 2 and 2, 2 and 1.
  const std::vector<std::pair<Comparison, std::vector<bool>>> table = {
      {Comparison::kLess, {true, false, false}},
      {Comparison::kLessEqual, {true, true, false}},
      {Comparison::kGreater, {false, false, true}},
      {Comparison::kGreaterEqual, {false, true, true}},
      {Comparison::kEqual, {false, true, false}},
      {Comparison::kNotEqual, {true, false, true}},
  };
  for (const auto& [comparison, expected] : table) {
    EXPECT_EQ(holds(comparison, one, two, values), expected[0]);
    EXPECT_EQ(holds(comparison, two, two, values), expected[1]);
    EXPECT_EQ(holds(comparison, two, one, values), expected[2]);
  }
}

}  // namespace
}  // namespace clew::datalog
