// A FaultModel says which FaultSets are admissible: the paper's EOT, EFF and Crashes.
//
//   FaultModel model{.nodes = {"a", "b", "c"}, .eot = 6, .eff = 4, .crashes = 1};
//   model.admits(faults);      // omissions at 1 <= t < 4, at most one crash at 1 <= t < 6
//   combinations(model);       // how many failure combinations the paper counts for it
//   model.limits.no_crash.insert("a");     // and the one that crashes is not a
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
  Limits limits{};      // about these nodes

  // The last tick at which faults may happen; less than 1 if there is none.
  Tick last_fault() const;
  // The first tick at which nothing is lost any more.
  Tick end_of_losses() const;
  // That the model allows for it at some tick, if its bounds do.
  bool may_lose(const NodeName& from, const NodeName& to) const {
    return from != to && limits.may_lose(from, to);
  }
  bool may_crash(const NodeName& node) const { return crashes > 0 && limits.may_crash(node); }
  // How many nodes may crash in one run.
  size_t most_crashes() const;
  bool admits(const FaultSet& faults) const;
  friend bool operator==(const FaultModel&, const FaultModel&) = default;
};

// The Scenario within these bounds that has no Faults.
Scenario scenario_of(const FaultModel& model);

// "EOT 6, EFF 4, 1 crash", "EOT 6, EFF 4, 1 crash, eventually 3, crash model stop, assuming a>b is
// reliable"
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
