// A Run as a log with vector clocks, for ShiViz: docs/formats/shiviz.md.
//
//   (?<host>\S*) (?<clock>{.*})\n(?<event>.*)
//
//   a {"a":1}
//   tick 1: sends log("b", "data") to b
//   b {"a":1,"b":2}
//   tick 2: gets log("b", "data") from a
#pragma once

#include <string>

#include "domain/run.h"

namespace clew::report {

// What ShiViz takes the log apart with; the first line of the log.
inline constexpr const char* kShivizRegex = R"((?<host>\S*) (?<clock>{.*})\n(?<event>.*))";

// An event is all that happens at a node at one tick: first it gets what was sent to it a tick
// earlier, then it sends. Ticks at which a node has nothing to tell are left out, except the first.
std::string shiviz(const Run& run);

}  // namespace clew::report
