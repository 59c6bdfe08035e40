// Every node keeps its minimal sets, at most so many, smallest first. A way's sets are the unions
// of one set of each of its nodes; a node's are those of all its ways, without those that contain
// another. Nodes are worked out after what they need, again and again until nothing changes: once
// where there are no cycles.
#include "lineage/supports.h"

#include <algorithm>
#include <cstdint>

#include "base/watched.h"

namespace clew::lineage {

namespace {

using Set = std::vector<uint32_t>;
using Sets = std::vector<Set>;

bool smaller(const Set& a, const Set& b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

constexpr size_t kFew = 4;       // sets that are kept when there has been too much work
constexpr int kMostRounds = 64;  // more than any cycle that people write needs

class Solver {
 public:
  Solver(const Demand& demand, SupportLimits limits)
      : demand_(demand), limits_(limits), sets_(demand.ways.size()), cut_(demand.ways.size()) {}

  Supports solve(uint32_t root) {
    order_from(root);
    bool changed = true;
    for (int round = 0; changed && round < kMostRounds; ++round) {
      changed = false;
      for (const uint32_t node : order_) changed |= improve(node);
    }
    return {sets_[root], !cut_[root] && !changed};
  }

 private:
  // What the root needs, each node after those that it needs, as far as there are no cycles.
  void order_from(uint32_t root) {
    std::vector<bool> seen(demand_.ways.size());
    std::vector<std::pair<uint32_t, bool>> stack = {{root, false}};
    while (!stack.empty()) {
      const auto [node, finished] = stack.back();
      stack.pop_back();
      if (finished) {
        order_.push_back(node);
        continue;
      }
      if (seen[node]) continue;
      look(1 + demand_.ways[node].size());
      seen[node] = true;
      stack.emplace_back(node, true);
      for (const Demand::Way& way : demand_.ways[node]) {
        for (const uint32_t needed : way.nodes) {
          if (!seen[needed]) stack.emplace_back(needed, false);
        }
      }
    }
  }

  bool improve(uint32_t node) {
    look(1 + demand_.ways[node].size());
    Sets all = sets_[node];
    bool cut = cut_[node];
    for (const Demand::Way& way : demand_.ways[node]) {
      Sets found = unions(way, cut);
      all.insert(all.end(), std::make_move_iterator(found.begin()),
                 std::make_move_iterator(found.end()));
    }
    minimize(all, cut);
    const bool changed = all != sets_[node] || cut != cut_[node];
    sets_[node] = std::move(all);
    cut_[node] = cut;
    return changed;
  }

  Sets unions(const Demand::Way& way, bool& cut) {
    Set own = way.elements;
    std::ranges::sort(own);
    own.erase(std::unique(own.begin(), own.end()), own.end());
    Sets result = {std::move(own)};
    for (const uint32_t node : way.nodes) {
      cut = cut || cut_[node];
      Sets next;
      next.reserve(result.size() * sets_[node].size());
      for (const Set& a : result) {
        for (const Set& b : sets_[node]) {
          work(1 + a.size() + b.size());
          Set& both = next.emplace_back();
          std::ranges::set_union(a, b, std::back_inserter(both));
        }
      }
      minimize(next, cut);
      result = std::move(next);
    }
    return result;
  }

  void work(size_t steps) {
    look(steps);
    work_ += steps;
  }

  // Sorted, without repetitions, without what contains another set, and not too many.
  void minimize(Sets& sets, bool& cut) {
    std::ranges::sort(sets, smaller);
    const size_t most = std::min(limits_.most_sets, work_ > limits_.most_work ? kFew : SIZE_MAX);
    Sets kept;
    for (Set& set : sets) {
      const bool contains = std::ranges::any_of(kept, [&](const Set& other) {
        work(1 + other.size());
        return std::ranges::includes(set, other);
      });
      if (contains) continue;
      if (kept.size() == most) {
        cut = true;
        break;
      }
      kept.push_back(std::move(set));
    }
    sets = std::move(kept);
  }

  const Demand& demand_;
  SupportLimits limits_;
  std::vector<Sets> sets_;
  std::vector<bool> cut_;
  std::vector<uint32_t> order_;
  size_t work_ = 0;
};

}  // namespace

Supports minimal_sets(const Demand& demand, uint32_t node, SupportLimits limits) {
  return Solver(demand, limits).solve(node);
}

}  // namespace clew::lineage
