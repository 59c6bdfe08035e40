// Clusters of tiny nodes that do something arbitrary: what a seed says.
#pragma once

#include <memory>

#include "explore/cluster.h"

namespace clew::explore {

// With `symmetric`, all nodes are alike and declared so; with `secretive`, they do not declare
// their state.
std::unique_ptr<Cluster> random_cluster(uint64_t seed, bool symmetric, bool secretive = false);

}  // namespace clew::explore
