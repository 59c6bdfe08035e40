// FlyMC's parallel flips (section 3.3): several nodes see two events in the other order at once.
//
// What is merged is kept with low priority, so that nothing is lost by it. Two flips are merged
// only if no event of one pair comes before or after one of the other (section 4.2): otherwise the
// one might take away what the other needs.
#include <algorithm>

#include "explore/strategies/flips.h"

namespace clew::explore {

std::vector<Flip> Flips::merge(const Path& path, std::vector<Candidate>& candidates) {
  std::vector<Flip> result;
  std::vector<bool> used(candidates.size(), false);
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (used[i]) continue;
    std::vector<Pair> group{candidates[i].pair};
    std::vector<size_t> members{i};
    for (size_t j = i + 1; j < candidates.size(); ++j) {
      const auto fits = [&](Pair one) {
        return are_unrelated(path, conflicts_, one, candidates[j].pair);
      };
      if (used[j] || !std::ranges::all_of(group, fits)) continue;
      group.push_back(candidates[j].pair);
      members.push_back(j);
    }
    if (group.size() < 2) continue;
    Reordered reordered = reversed(path, conflicts_, group);
    Flip flip{base_, reordered.kept, std::move(reordered.more)};
    if (!follow(path, flip, world_) || !is_new(path, flip)) continue;
    for (const size_t member : members) used[member] = true;
    result.push_back(std::move(flip));
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
