#include "microspec/runtime_error.h"

#include <fmt/format.h>

namespace clew::microspec {

RuntimeError locate(const datalog::EvaluationError& error, const dedalus::Lowered& lowered,
                    Tick tick) {
  return {error.kind, lowered.places[error.place], tick};
}

Diagnostic to_diagnostic(const RuntimeError& error) {
  using Kind = datalog::EvaluationError::Kind;
  Diagnostic diagnostic;
  diagnostic.span = error.span;
  switch (error.kind) {
    case Kind::kDivisionByZero:
      diagnostic.code = "division-by-zero";
      diagnostic.message = fmt::format("division by zero at tick {}", error.tick);
      diagnostic.help = "guard it with a condition such as `X != 0` in the same body";
      break;
    case Kind::kOverflow:
      diagnostic.code = "integer-overflow";
      diagnostic.message =
          fmt::format("the result does not fit into 64 bits at tick {}", error.tick);
      diagnostic.help = "bound the values with a condition such as `X < 1000`";
      break;
    case Kind::kWrongType:
      diagnostic.code = "wrong-type";
      diagnostic.message = fmt::format(
          "a string meets an integer, or an operator for integers, at tick {}", error.tick);
      diagnostic.help = "keep strings and integers in different columns";
      break;
    case Kind::kTooManyRows:
      diagnostic.code = "too-many-facts";
      diagnostic.message = fmt::format(
          "this rule keeps deriving new facts at tick {}; the run was stopped", error.tick);
      diagnostic.help = "add a condition that ends the recursion, such as `X < 100`";
      break;
  }
  return diagnostic;
}

}  // namespace clew::microspec
