#include "explore/strategies/reorder.h"

#include <algorithm>

namespace clew::explore {

namespace {

bool is_needed(const Conflicts& conflicts, Pair pair, size_t at) {
  return at == pair.second ||
         (conflicts.may_lead_to(at, pair.second) && !conflicts.before(pair.first, at));
}

}  // namespace

Reordered reversed(const Path& path, const Conflicts& conflicts, Pair pair) {
  Reordered result{pair.first};
  for (size_t at = pair.first + 1; at <= pair.second; ++at) {
    if (is_needed(conflicts, pair, at)) result.more.push_back(path.events[at].move);
  }
  return result;
}

// The path again; where the first of a pair comes, the second and what it needs go before it.
Reordered reversed(const Path& path, const Conflicts& conflicts, const std::vector<Pair>& pairs) {
  Reordered result{std::ranges::min(pairs, {}, &Pair::first).first};
  const size_t last = std::ranges::max(pairs, {}, &Pair::first).first;
  std::vector<bool> done(path.events.size(), false);
  const auto take = [&](size_t at) {
    if (!done[at]) result.more.push_back(path.events[at].move);
    done[at] = true;
  };
  for (size_t at = result.kept; at <= last; ++at) {
    for (const Pair pair : pairs) {
      if (pair.first != at) continue;
      for (size_t later = at + 1; later <= pair.second; ++later) {
        if (is_needed(conflicts, pair, later)) take(later);
      }
    }
    take(at);
  }
  return result;
}

bool are_unrelated(const Path& path, const Conflicts& conflicts, Pair one, Pair other) {
  if (path.events[one.second].node == path.events[other.second].node) return false;
  const auto related = [&](size_t a, size_t b) {
    return a == b || conflicts.before(std::min(a, b), std::max(a, b));
  };
  return !related(one.first, other.first) && !related(one.first, other.second) &&
         !related(one.second, other.first) && !related(one.second, other.second);
}

}  // namespace clew::explore
