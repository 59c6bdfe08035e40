// A Run as people read it, from what the simulator's last run left behind.
#pragma once

#include <memory>

#include "domain/run.h"
#include "simulate/simulator.h"

namespace clew::simulate {

// Both require that the last run was this scenario's and ended without an error. The Run comes
// without firings: whoever wants them adds them. `rules` is the program's table
// (microspec/rule_table.h).
// What stops the simulator stops these, too.
Run describe(const Simulator& simulator, const Scenario& scenario);
void add_firings(Simulator& simulator, std::shared_ptr<const RuleTable> rules, Run& run);

}  // namespace clew::simulate
