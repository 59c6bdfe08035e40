// Which part of a combination is enough for a violation, and which violations have one cause.
//
//   Cause cause = *minimal_cause(combination, ask);     // asks what smaller ones do
//   cause_key(known, cause.combination);                // equal for what belongs together
//
// Two violations of a promise have one cause if the same kinds of failures at the same points are
// enough: which time the point was reached, which error code it was, whether it lasts, and what a
// power cut leaves make no difference.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "service/known.h"

namespace clew::service {

struct Cause {
  Combination combination;
  bool minimal = true;  // each failure left out was tried
};

// Whether these failures alone violate the promise: not if they do not all strike. Nothing if
// nobody can tell.
struct Asking {
  // Without a run.
  std::function<std::optional<bool>(const Combination&)> known;
  std::function<Result<std::optional<bool>>(const Combination&)> run;
};

// Of a combination that violates, while no failure alone does not. The smallest part that is known
// to violate first; then what is left without each failure.
Result<Cause> minimal_cause(const Combination& combination, const Asking& asking);

using CauseKey = std::vector<std::pair<std::string, inject::Effect>>;  // sorted
CauseKey cause_key(const Known& known, const Combination& combination);

// The parts of a combination, smallest first, without itself and without the empty one.
std::vector<Combination> parts_of(const Combination& combination);

}  // namespace clew::service
