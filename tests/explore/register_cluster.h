// docs/examples/register.cc, for tests.
#pragma once

#include "explore/cluster.h"

namespace clew::explore {

Cluster register_cluster();  // in recorded_test.cc

}  // namespace clew::explore
