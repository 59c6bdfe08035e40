// What the benchmarks run: the protocols of this repository, and broadcasts of any size.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/source.h"
#include "dedalus/program.h"
#include "simulate/simulator.h"

namespace clew::bench {

struct Workload {
  SourceSet sources;
  dedalus::Program program;
  std::vector<std::string> nodes;
  Tick eot = 4;
};

// A protocol under protocols/, at the given last tick.
Workload protocol(const std::string& path, Tick eot);

// Acknowledged broadcast among `nodes` nodes with `messages` messages, all sent by the first node
// at tick 1.
Workload broadcast(int nodes, Tick eot, int messages);

}  // namespace clew::bench
