// A shorter way to the same violation, and what of it mattered.
//
//   const Walk least = shrink(walker, path, property, stop);
//   cures(walker, least, stop)           // without this, or in that order, it ends well
//
// Fewer faults count first, then fewer moves, then fewer flips. A violation at the end of a run
// stays one: whatever is left out, the run goes on until nothing is left to happen. A loop stays a
// loop.
#pragma once

#include <string>
#include <vector>

#include "base/stop.h"
#include "explore/walk.h"

namespace clew::explore {

// Requires that the path leads to a violation of the property, as a loop if there is one. Stopped
// early, the best so far.
Walk shrink(Walker& walker, const std::vector<Move>& path, const std::string& property,
            const Stop& stop, Walker::Loop loop = {});

// A change after which the run ends well; of a loop, also if it goes on well for ever.
struct Cure {
  size_t move = 0;     // of the path: what must not happen yet, or not at all
  size_t instead = 0;  // a later move that comes before it; the same as `move`: it does not happen
  Walk run;            // after that
};

// Latest first: the first one has most in common with the path. Of a loop, changes of what leads to
// it, if without one the run would not end well by itself.
std::vector<Cure> cures(Walker& walker, const Walk& broken, const Stop& stop);

}  // namespace clew::explore
