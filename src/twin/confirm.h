// A counterexample is believed only if the twin's run of it violates the Spec, too.
#pragma once

#include "domain/scenario.h"
#include "twin/naive_simulator.h"

namespace clew::twin {

enum class Confirmation {
  kConfirmed,
  kTooLarge,  // the twin gave up, so nobody knows
};

// What the twin's run says about the scenario, of which somebody else claims that it violates the
// Spec. That the two disagree is a bug of ours: a CHECK names the faults.
Confirmation confirm(const NaiveRun& run, const Scenario& scenario);

}  // namespace clew::twin
