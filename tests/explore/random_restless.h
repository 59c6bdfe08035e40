// Random clusters that need not come to rest: tiny nodes that pass messages on and set timers
// again.
#pragma once

#include <memory>

#include "explore/cluster.h"

namespace clew::explore {

// With one property, "it happens", which must hold again and again.
std::unique_ptr<Cluster> random_restless(uint64_t seed);

}  // namespace clew::explore
