// What sufficed for a Run to keep its promise: Supports for an Adversary that knows nothing else.
//
//   run.supports = outcome_supports(Graph(run, &program));
//
// One fact for every goal, each with all that it was derived from; the elements are the deliveries
// between different nodes. What a rule needed to be absent is taken for granted.
#pragma once

#include <vector>

#include "lineage/graph.h"

namespace clew::lineage {

// Requires a Run with Firings and a Trace. Some of them if there are very many; none if the Run
// does not keep the promise.
std::vector<Support> outcome_supports(const Graph& graph);

}  // namespace clew::lineage
