// What changed from tick to tick, by node.
//
//   tick 1
//     a  + bcast("a", "data")  log("a", "data")
//     b  + node("b", "a")
//   tick 2
//     a  - bcast("a", "data")
//     b  + log("b", "data")
//     elsewhere
//        + post("data")
//   ticks 3-9: nothing changed
//
// `+` is what became true, `-` what stopped being true. A fact belongs to the node in its first
// column; one that has no node there is elsewhere.
#pragma once

#include <string>
#include <vector>

#include "domain/run.h"

namespace clew::report {

// Only facts of `relations`, or all facts if that is empty. Lines have at most 80 columns, except
// those of a single longer fact. Ends in a newline.
std::string changes(const Run& run, const std::vector<std::string>& relations = {});

}  // namespace clew::report
