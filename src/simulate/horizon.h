// How far to run a Program when nobody says.
#pragma once

#include <vector>

#include "base/stop.h"
#include "dedalus/program.h"
#include "domain/scenario.h"

namespace clew::simulate {

// A failure-free run is followed at most this far to see whether it settles.
inline constexpr Tick kMostTicksToSettle = 20;

// Two ticks after the last change of the failure-free run, or kMostTicksToSettle if that still
// changes then; and at least two ticks after the last fault. Simple-deliv settles at tick 2, so it
// runs to tick 4, as in the paper. Throws Stopped.
Tick default_eot(const dedalus::Program& program, const std::vector<NodeName>& nodes,
                 const FaultSet& faults, const Stop& stop = {});

}  // namespace clew::simulate
