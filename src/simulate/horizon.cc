#include "simulate/horizon.h"

#include <algorithm>

#include "simulate/simulator.h"

namespace clew::simulate {

namespace {

Tick settling_eot(const dedalus::Program& program, const std::vector<NodeName>& nodes,
                  const Stop& stop) {
  Simulator simulator(program, nodes, CrashModel::kSilent,
                      {.lineage = false, .keep_states = false, .stop = stop});
  const bool failed = simulator.run(kMostTicksToSettle, {}).has_value();
  // The run that this horizon is for will fail as well, and say why.
  return failed ? kMostTicksToSettle : std::min(simulator.last_change() + 2, kMostTicksToSettle);
}

}  // namespace

Tick default_eot(const dedalus::Program& program, const std::vector<NodeName>& nodes,
                 const FaultSet& faults, const Stop& stop) {
  Tick eot = settling_eot(program, nodes, stop);
  for (const Fault& fault : faults) eot = std::max(eot, tick_of(fault) + 2);
  return std::min(eot, kMostTicks);
}

}  // namespace clew::simulate
