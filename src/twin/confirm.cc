#include "twin/confirm.h"

#include "base/check.h"

namespace clew::twin {

Confirmation confirm(const NaiveRun& run, const Scenario& scenario) {
  if (run.gave_up) return Confirmation::kTooLarge;
  CHECK(!run.failed_at, "the twin disagrees about {}: a rule fails at tick {}",
        to_string(scenario.faults), *run.failed_at);
  CHECK(run.outcome().kind == Outcome::Kind::kViolated, "the twin disagrees about {}",
        to_string(scenario.faults));
  return Confirmation::kConfirmed;
}

}  // namespace clew::twin
