// A rule that could not be applied: evaluation ended in this tick.
#pragma once

#include "base/diagnostic.h"
#include "datalog/expression.h"
#include "dedalus/lower.h"
#include "domain/fact.h"

namespace clew::microspec {

struct RuntimeError {
  datalog::EvaluationError::Kind kind = datalog::EvaluationError::Kind::kOverflow;
  Span span;
  Tick tick = 1;
};

// Where the rules say that it happened.
RuntimeError locate(const datalog::EvaluationError& error, const dedalus::Lowered& lowered,
                    Tick tick);
// As a Diagnostic, with a remedy.
Diagnostic to_diagnostic(const RuntimeError& error);

}  // namespace clew::microspec
