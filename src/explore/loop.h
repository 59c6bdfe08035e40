// A short loop through some of the worlds of a component (lasso.h), which a run may go through for
// ever.
//
// It begins as the shortest way back to the first world. As long as something is starved in it
// (fairness.h), a detour is added: the shortest way from the loop to where that is taken, or does
// not wait, and back. The component is fair, so there is such a place, and each detour settles what
// it was made for.
#pragma once

#include <vector>

#include "explore/lasso.h"

namespace clew::explore {

// Requires a component of more than one world, sorted, through all of which a fair run may go.
std::vector<Move> shortest_loop(Graph& graph, const std::vector<uint32_t>& component);

}  // namespace clew::explore
