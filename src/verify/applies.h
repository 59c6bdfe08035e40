// In which runs a promise applies: a claim about a promise that never does is empty.
//
//   Applies applies = when_applies(grounding, circuit);
//   applies.without_faults      // so many tuples of `pre` at the last tick, if nothing fails
//   applies.faults              // if there are none: faults under which there is one
//
// A certificate proves that nothing is violated, which is no news where nothing is promised. So the
// circuit is evaluated without any faults; if that gives no tuple, with the faults that propagation
// leads to.
#pragma once

#include <optional>

#include "verify/ground.h"

namespace clew::verify {

struct Applies {
  size_t without_faults = 0;  // tuples
  // Admissible faults under which there is a tuple. Nothing: none were found, which is not to say
  // that there are none.
  std::optional<FaultSet> faults{};
};

// Refuses a claim that is empty as far as this checker can tell: no tuple of `pre` is possible at
// the last tick.
Applies when_applies(Grounding& grounding, Circuit& circuit);

}  // namespace clew::verify
