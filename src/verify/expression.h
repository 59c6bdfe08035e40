// Values of expressions, and whether conditions hold, as docs/language.md defines them.
#pragma once

#include <vector>

#include "verify/rule.h"

namespace clew::verify {

inline constexpr ValueId kUnbound = UINT32_MAX;
using Binding = std::vector<ValueId>;  // by slot

// Thrown when an expression has no value: "it divides by zero".
struct Failure {
  const char* what;
};

Datum evaluate(const dedalus::Term& term, const Rule& rule, const Binding& binding,
               const Values& values);

bool holds(const dedalus::Term& condition, const Rule& rule, const Binding& binding,
           const Values& values);

}  // namespace clew::verify
