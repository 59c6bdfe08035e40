// A System can be run. Whoever searches knows nothing else of it.
//
//   Result<Run> run = system.run(scenario, Detail::kVerdict);
//   judge(system.specs(), *run);
//
// It never learns why it is run, nor what becomes of the Run.
#pragma once

#include <optional>

#include "base/result.h"
#include "domain/run.h"
#include "domain/spec.h"

namespace clew {

// How much of a Run is wanted; each includes what comes before it.
enum class Detail {
  kVerdict,  // at the last tick, the facts that the Specs read
  kTrace,    // all facts, Messages and Events
  kLineage,  // Firings, and Supports where the System can tell them
};

class System {
 public:
  virtual ~System() = default;
  virtual const Specs& specs() const = 0;
  // An Error if the run could not be finished: then the System is at fault, not the Scenario.
  // Throws Stopped (base/stop.h) if there was no time for it.
  virtual Result<Run> run(const Scenario& scenario, Detail detail) = 0;
};

// How a run ends; nothing if it could not be finished.
inline std::optional<Outcome::Kind> outcome_of(System& system, const Scenario& scenario) {
  Result<Run> run = system.run(scenario, Detail::kVerdict);
  if (!run.ok()) return std::nullopt;
  judge(system.specs(), *run);
  return run->outcome().kind;
}

}  // namespace clew
