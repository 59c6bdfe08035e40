// A Run as people read it, from what the simulator's last run left behind.
#pragma once

#include "domain/run.h"
#include "simulate/simulator.h"

namespace clew::simulate {

// Both require that the last run was this scenario's and ended without an error. The Run comes
// without firings: whoever wants them adds them.
Run describe(const Simulator& simulator, const Scenario& scenario);
std::vector<Firing> describe_firings(Simulator& simulator, const SourceSet& sources);

// The Fact in one row of a relation, without the first `skip` columns.
Fact describe_row(const Simulator& simulator, datalog::RelationId relation, datalog::Row row,
                  uint32_t skip = 0);

}  // namespace clew::simulate
