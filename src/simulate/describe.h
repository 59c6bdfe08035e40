// A Run as people read it, from what the simulator's last run left behind.
#pragma once

#include <memory>

#include "domain/run.h"
#include "simulate/simulator.h"

namespace clew::simulate {

// Both require that the last run was this scenario's and ended without an error. The Run comes
// without firings: whoever wants them adds them. `rules` is the program's table (rule_table.h).
// What stops the simulator stops these, too.
Run describe(const Simulator& simulator, const Scenario& scenario);
void add_firings(Simulator& simulator, std::shared_ptr<const RuleTable> rules, Run& run);

// The Fact in one row of a relation, without the first `skip` columns.
Fact describe_row(const Simulator& simulator, datalog::RelationId relation, datalog::Row row,
                  uint32_t skip = 0);
Datum describe_value(const Simulator& simulator, datalog::Value value);

}  // namespace clew::simulate
