// A FaultModel says which FaultSets are admissible: the paper's EOT, EFF and Crashes.
//
//   FaultModel model{.nodes = {"a", "b", "c"}, .eot = 6, .eff = 4, .crashes = 1};
//   model.admits(faults);      // omissions at 1 <= t < 4, at most one crash at 1 <= t < 6
//   combinations(model);       // how many failure combinations the paper counts for it
//
// With `eventually` N every admissible FaultSet leaves the run N ticks without faults before it is
// judged: whatever happens at tick t happens at t <= EOT - N.
//
//   model.eventually = 3;
//   model.last_fault();        // 3: the last tick at which anything may go wrong
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "domain/scenario.h"

namespace clew {

struct FaultModel {
  std::vector<NodeName> nodes;  // sorted, distinct
  Tick eot = 1;
  Tick eff = 0;
  int crashes = 0;
  CrashModel crash_model = CrashModel::kSilent;
  Tick eventually = 0;  // 0: not asked for, which is the same as 1

  // The last tick at which faults may happen; less than 1 if there is none.
  Tick last_fault() const;
  // The first tick at which nothing is lost any more.
  Tick end_of_losses() const;
  bool admits(const FaultSet& faults) const;
  friend bool operator==(const FaultModel&, const FaultModel&) = default;
};

// The Scenario within these bounds that has no Faults.
Scenario scenario_of(const FaultModel& model);

// "EOT 6, EFF 4, 1 crash", or "EOT 6, EFF 4, 1 crash, eventually 3"
std::string describe_bounds(const FaultModel& model);

// 1 <= eot <= kMostTicks, 0 <= eff <= eot, 0 <= crashes, 0 <= eventually < eot, and no EFF that
// `eventually` leaves no room for; the Error names the first that fails.
Status validate(const FaultModel& model);

// Every single fault that the model admits: omissions by tick and link, then crashes by node.
std::vector<Fault> all_faults(const FaultModel& model);

// The number of failure combinations, counted as the paper's tables do, in scientific notation
// ("4.10e+03"): per node, all losses of its messages up to EFF, and for as many nodes as may crash
// also the tick of the crash, after which it loses nothing more.
std::string combinations(const FaultModel& model);

}  // namespace clew
