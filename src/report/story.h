// The faults of a Run in words, as one would tell them.
//
//   ticks 2 to 3: b and c are cut off from a and Z: every message between them is lost
//   tick 2: what a sends to b is lost
//   tick 4: a crashes
//
// Omissions that lose all messages between two groups of nodes for some ticks are told as a
// partition.
#pragma once

#include <string>
#include <vector>

#include "domain/run.h"

namespace clew::report {

// One entry for each sentence, in the order of time; none if there are no faults.
std::vector<std::string> tell_faults(const Run& run);

}  // namespace clew::report
