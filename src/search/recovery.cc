#include "search/recovery.h"

namespace clew::search {

Recovery recover(const FaultSet& faults, Tick eot, const OutcomeAt& outcome, const Stop& stop) {
  Recovery recovery{.gone = {}, .looked_until = eot};
  while (recovery.looked_until < eot + kPatience) {
    if (stop && stop()) return {.gone = {}, .looked_until = recovery.looked_until};
    const std::optional<Outcome::Kind> end = outcome(faults, ++recovery.looked_until);
    const bool violated = end == Outcome::Kind::kViolated;
    if (violated) recovery.gone.reset();
    if (!violated && end && !recovery.gone) recovery.gone = recovery.looked_until;
  }
  return recovery;
}

}  // namespace clew::search
