// FlyMC's parallel flips (section 3.3): several nodes see two events in the other order at once.
//
// What is merged is kept with low priority, so that nothing is lost by it. Two flips are merged
// only if no event of one pair comes before or after one of the other (section 4.2): otherwise the
// one might take away what the other needs.
#include <algorithm>

#include "explore/strategies/flips.h"

namespace clew::explore {

bool Flips::may_merge(const Path& path, const Candidate& one, const Candidate& other) const {
  if (path.events[one.second].node == path.events[other.second].node) return false;
  const auto related = [this](size_t a, size_t b) {
    return a == b || conflicts_.before(std::min(a, b), std::max(a, b));
  };
  return !related(one.first, other.first) && !related(one.first, other.second) &&
         !related(one.second, other.first) && !related(one.second, other.second);
}

// The path again; where the first of a pair comes, the second and what it needs go before it.
std::optional<Flip> Flips::merged(const Path& path, const std::vector<const Candidate*>& flips) {
  size_t last = 0;
  for (const Candidate* one : flips) last = std::max(last, one->first);
  std::vector<bool> done(path.events.size(), false);
  Flip result{base_, path.events.size(), {}};
  for (const Candidate* one : flips) result.kept = std::min(result.kept, one->first);
  for (size_t i = result.kept; i <= last; ++i) {
    for (const Candidate* one : flips) {
      if (one->first != i) continue;
      for (size_t needed = i + 1; needed <= one->second; ++needed) {
        const bool needs = needed == one->second || (conflicts_.before(needed, one->second) &&
                                                     !conflicts_.before(i, needed));
        if (!needs || done[needed]) continue;
        result.more.push_back(path.events[needed].move);
        done[needed] = true;
      }
    }
    if (!done[i]) result.more.push_back(path.events[i].move);
    done[i] = true;
  }
  if (!follow(path, result, world_)) return std::nullopt;
  return result;
}

std::vector<Flip> Flips::merge(const Path& path, std::vector<Candidate>& candidates) {
  std::vector<Flip> result;
  std::vector<bool> used(candidates.size(), false);
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (used[i]) continue;
    std::vector<const Candidate*> group{&candidates[i]};
    std::vector<size_t> members{i};
    for (size_t j = i + 1; j < candidates.size(); ++j) {
      const auto fits = [&](const Candidate* one) { return may_merge(path, *one, candidates[j]); };
      if (used[j] || !std::ranges::all_of(group, fits)) continue;
      group.push_back(&candidates[j]);
      members.push_back(j);
    }
    if (group.size() < 2) continue;
    std::optional<Flip> flip = merged(path, group);
    if (!flip || !is_new(path, *flip)) continue;
    for (const size_t member : members) used[member] = true;
    result.push_back(std::move(*flip));
  }
  std::vector<Candidate> single;
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (used[i]) {
      low_.push_back(std::move(candidates[i].flip));
    } else {
      single.push_back(std::move(candidates[i]));
    }
  }
  candidates = std::move(single);
  return result;
}

}  // namespace clew::explore
