// Finds the bounds to search within when the user gives none (section 2.1.1 of the paper).
//
//   EFF = 0; EOT grows until the run without faults keeps a promise and messages were sent
//   then EFF grows; if something breaks, the smallest number of crashes that does it is found;
//     a violation that goes away if the run lasts longer: EOT grows to when it is gone
//     EFF = EOT - 1, or EOT - N + 1 with `eventually` N: both grow
//   until there is a lasting violation, or the budget is used up
//
// A violation that needs no fault is reported at the smallest EOT from which on it is there.
//
// So what is reported broken stays broken: the protocol was given time to recover. With
// `eventually` it is said how much time that is, so that a violation counts even if it goes away
// later; only EOTs at which the run without faults is violated for a while are passed over.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "domain/verdict.h"

namespace clew::search {

// What the sweep needs to know of a System at any bounds.
struct SweepWorld {
  std::function<Verdict(const FaultModel&)> check;
  // How a run with these faults ends at tick `eot`; nothing if it cannot be finished. Throws
  // Stopped (base/stop.h) if there is no time for it.
  std::function<std::optional<Outcome::Kind>(const FaultSet&, Tick eot)> outcome;
  // Whether the run without faults whose outcome at tick `eot` was asked last sends any before.
  std::function<bool(Tick eot)> sends_messages;
  std::function<bool()> stop;
  // Whether enough was done. Asked only once something is known to be robust.
  std::function<bool()> enough{};
};

struct SweepOptions {
  int crashes = 1;                   // at most
  std::optional<Tick> eot{}, eff{};  // fixed ones
  Tick most_eot = 20;  // how far to look for a run that is not trivial, beyond `eventually`
};

struct SweepResult {
  Verdict verdict;             // the last one that was sure, or why there is none
  std::vector<Verdict> steps;  // all bounds tried, in order
  size_t executions = 0;
  bool enough = false;  // it ended because enough was done
  // If the run without faults is violated: from the verdict's EOT up to this one it always is.
  std::optional<Tick> violated_until{};
};

// The bounds that come after ones that nothing breaks.
FaultModel next_bounds(const FaultModel& model);

SweepResult sweep(const FaultModel& start, const SweepWorld& world, const SweepOptions& options);

}  // namespace clew::search
