// Whether a violation goes away if the run lasts longer: then the protocol may only have had too
// little time.
//
//   Recovery recovery = recover(faults, 14, outcome, stop);
//   recovery.gone            // 16: from tick 16 on, up to the last one looked at, it is not there
//   recovery.looked_until    // 26
#pragma once

#include <functional>
#include <optional>

#include "domain/run.h"
#include "search/adversary.h"

namespace clew::search {

// How a run with these faults ends at tick `eot`; nothing if it cannot be finished.
using OutcomeAt = std::function<std::optional<Outcome::Kind>(const FaultSet&, Tick eot)>;

// How much longer a run may last until a violation counts as lasting.
inline constexpr Tick kPatience = 12;

struct Recovery {
  std::optional<Tick> gone{};  // the first EOT from which the run is not violated, as far as looked
  Tick looked_until = 0;
};

// Of runs with these faults that end at the ticks after `eot`, kPatience of them. If `stop` says so
// earlier, nothing is known to be gone.
Recovery recover(const FaultSet& faults, Tick eot, const OutcomeAt& outcome, const Stop& stop);

}  // namespace clew::search
