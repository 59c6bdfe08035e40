// Events of a path in another order.
//
//   const Reordered one = reversed(path, conflicts, Pair{0, 1});    // event 1 before event 0
//   are_unrelated(path, conflicts, {0, 1}, {2, 3})                  // both can be had at once
//   const Reordered both = reversed(path, conflicts, std::vector<Pair>{{0, 1}, {2, 3}});
//
// What the later one of a pair needs goes before it: what may lead to it and need not come after
// the earlier one. Two answers that are said to be independent may both be needed for what follows
// from the second.
#pragma once

#include <vector>

#include "explore/strategies/conflicts.h"

namespace clew::explore {

// Of two events that race, by place on the path.
struct Pair {
  size_t first = 0, second = 0;
};

// The beginning of a path, then other moves.
struct Reordered {
  size_t kept = 0;
  std::vector<Move> more{};
};

// Up to the later one, which comes before the earlier one now. `conflicts` has looked at the path.
Reordered reversed(const Path& path, const Conflicts& conflicts, Pair pair);
// Up to where all are reversed. Requires that they are unrelated, two by two.
Reordered reversed(const Path& path, const Conflicts& conflicts, const std::vector<Pair>& pairs);

// Whether they are of different nodes, and no event of one comes before or after one of the other
// (FlyMC, section 4.2): else one might take away what the other needs.
bool are_unrelated(const Path& path, const Conflicts& conflicts, Pair one, Pair other);

}  // namespace clew::explore
