// The value of an Expression, or why it has none.
#pragma once

#include <cstdint>
#include <optional>

#include "datalog/rule.h"
#include "datalog/value.h"

namespace clew::datalog {

// Why an evaluation had to end.
struct EvaluationError {
  enum class Kind { kDivisionByZero, kOverflow, kWrongType, kTooManyRows };

  Kind kind = Kind::kOverflow;
  uint32_t place = 0;  // of the Expression or fold; kTooManyRows: of the Rule
  RuleId rule = 0;     // that was being applied
};

// Nothing and an error in `error`, if the value does not exist.
std::optional<Value> evaluate(const Expression& expression, const Value* slots, ValueTable& values,
                              EvaluationError& error);

bool holds(Comparison comparison, Value a, Value b, const ValueTable& values);

}  // namespace clew::datalog
