// docs/examples/register.cc, for tests.
#pragma once

#include <memory>

#include "explore/cluster.h"

namespace clew::explore {

// In recorded_test.cc.
Cluster register_cluster();
// One of its nodes, to which nothing happens when a timer fires.
std::unique_ptr<node::AnyNode> timerless_register(size_t nodes);

}  // namespace clew::explore
