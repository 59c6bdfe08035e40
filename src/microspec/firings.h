// Firings in the words of the program, from what an engine remembers.
#pragma once

#include <functional>
#include <vector>

#include "base/stop.h"
#include "microspec/frames.h"

namespace clew::microspec {

// Whether what is sent from one value to another at a tick arrives, both being nodes.
using Arrives = std::function<bool(datalog::Value from, datalog::Value to, Tick sent_at)>;

// All of them, in the order in which they happened. RuleIds are those of the program's rules.
// `engine` is the one of the frames, and kept its lineage. Throws Stopped.
std::vector<Firing> describe_firings(const Frames& frames, datalog::Engine& engine,
                                     const Arrives& arrives, const Stop& stop);

}  // namespace clew::microspec
