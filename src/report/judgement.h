// Whether the Run kept its Spec, tuple by tuple, and the verdict in one line.
//
//   At tick 4, the last:
//     in post      pre("b", "data")
//     not in post  pre("c", "data")
//   violated: 1 of 2 tuples of pre is not in post
#pragma once

#include <string>

#include "domain/run.h"

namespace clew::report {

// Ends in a newline. A vacuous Run is told why it is, and what to do about it: to whoever ran it,
// or to whoever has recorded it elsewhere.
std::string judgement(const Run& run, bool recorded = false);

}  // namespace clew::report
