// A node of the cluster that is explored, run as a process: `clew host` starts the program that
// `clew explore` asks questions, with arguments.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "explore/cluster.h"

namespace clew::explore {

// `arguments`: the config, the name of the node, and where the counters go, which may be empty.
// Gives the exit code (host/serve.h).
int host_node(const std::function<Cluster()>& describe, const std::vector<std::string>& arguments);

}  // namespace clew::explore
