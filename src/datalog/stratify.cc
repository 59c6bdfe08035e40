// The basic idea: Tarjan's algorithm finds the components with one depth-first walk, here with its
// own stack of frames instead of recursion. A strict dependency inside a component closes a
// forbidden cycle, which a breadth-first walk spells out. Otherwise the components are put in order
// by repeatedly taking one whose predecessors are all done, the one with the smallest member first.
#include "datalog/stratify.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <queue>

#include "base/check.h"

namespace clew::datalog {
namespace {

constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

// The dependencies that leave each relation, as indices, in their given order.
class Leaving {
 public:
  Leaving(uint32_t count, const std::vector<Dependency>& dependencies)
      : starts_(count + size_t{1}, 0), indices_(dependencies.size()) {
    for (const Dependency& dependency : dependencies) ++starts_[dependency.from + size_t{1}];
    for (size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
    std::vector<uint32_t> next(starts_.begin(), starts_.end() - 1);
    for (uint32_t i = 0; i < dependencies.size(); ++i) {
      indices_[next[dependencies[i].from]++] = i;
    }
  }

  uint32_t begin(uint32_t relation) const { return starts_[relation]; }
  uint32_t end(uint32_t relation) const { return starts_[relation + size_t{1}]; }
  uint32_t at(uint32_t position) const { return indices_[position]; }

 private:
  std::vector<uint32_t> starts_;
  std::vector<uint32_t> indices_;
};

class Components {
 public:
  Components(uint32_t count, const std::vector<Dependency>& dependencies, const Leaving& leaving)
      : dependencies_(dependencies),
        leaving_(leaving),
        order_(count, kNone),
        low_(count, kNone),
        of_(count, kNone) {
    for (uint32_t relation = 0; relation < count; ++relation) {
      if (order_[relation] == kNone) walk(relation);
    }
  }

  uint32_t count() const { return count_; }
  uint32_t of(uint32_t relation) const { return of_[relation]; }

 private:
  struct Frame {
    uint32_t relation;
    uint32_t next;  // position in leaving_
  };

  void enter(uint32_t relation) {
    order_[relation] = low_[relation] = entered_++;
    open_.push_back(relation);
    frames_.push_back({relation, leaving_.begin(relation)});
  }

  void walk(uint32_t root) {
    enter(root);
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      const uint32_t relation = frame.relation;
      if (frame.next == leaving_.end(relation)) {
        frames_.pop_back();
        leave(relation);
        continue;
      }
      const uint32_t target = dependencies_[leaving_.at(frame.next++)].to;
      if (order_[target] == kNone) {
        enter(target);
      } else if (of_[target] == kNone) {
        low_[relation] = std::min(low_[relation], order_[target]);
      }
    }
  }

  void leave(uint32_t relation) {
    if (low_[relation] == order_[relation]) close(relation);
    if (frames_.empty()) return;
    const uint32_t parent = frames_.back().relation;
    low_[parent] = std::min(low_[parent], low_[relation]);
  }

  void close(uint32_t root) {
    uint32_t member = kNone;
    do {
      member = open_.back();
      open_.pop_back();
      of_[member] = count_;
    } while (member != root);
    ++count_;
  }

  const std::vector<Dependency>& dependencies_;
  const Leaving& leaving_;
  std::vector<uint32_t> order_;  // when entered
  std::vector<uint32_t> low_;    // the earliest entered relation known to be reachable
  std::vector<uint32_t> of_;     // the component, once closed
  std::vector<uint32_t> open_;   // entered relations without component
  std::vector<Frame> frames_;
  uint32_t entered_ = 0;
  uint32_t count_ = 0;
};

// Finds shortest cycles inside components.
class CycleFinder {
 public:
  CycleFinder(const std::vector<Dependency>& dependencies, const Leaving& leaving,
              const Components& components, uint32_t count)
      : dependencies_(dependencies),
        leaving_(leaving),
        components_(components),
        reached_by_(count, kNone),
        round_(count, 0) {}

  // A shortest cycle that begins with dependency `first`, if it is shorter than `limit`.
  std::optional<Cycle> through(uint32_t first, size_t limit) {
    const Dependency& closing = dependencies_[first];
    ++now_;
    queue_ = {closing.to};
    round_[closing.to] = now_;
    size_t layer_begin = 0;
    for (size_t length = 1; length < limit; ++length) {
      if (round_[closing.from] == now_) return path_back(first);
      const size_t layer_end = queue_.size();
      if (layer_begin == layer_end) break;
      for (; layer_begin < layer_end; ++layer_begin) expand(queue_[layer_begin]);
    }
    return std::nullopt;
  }

 private:
  void expand(uint32_t relation) {
    for (uint32_t i = leaving_.begin(relation); i != leaving_.end(relation); ++i) {
      const uint32_t target = dependencies_[leaving_.at(i)].to;
      if (round_[target] == now_) continue;
      if (components_.of(target) != components_.of(relation)) continue;
      round_[target] = now_;
      reached_by_[target] = leaving_.at(i);
      queue_.push_back(target);
    }
  }

  Cycle path_back(uint32_t first) const {
    Cycle cycle;
    uint32_t relation = dependencies_[first].from;
    while (relation != dependencies_[first].to) {
      cycle.dependencies.push_back(reached_by_[relation]);
      relation = dependencies_[reached_by_[relation]].from;
    }
    cycle.dependencies.push_back(first);
    std::ranges::reverse(cycle.dependencies);
    return cycle;
  }

  const std::vector<Dependency>& dependencies_;
  const Leaving& leaving_;
  const Components& components_;
  std::vector<uint32_t> reached_by_;
  std::vector<uint32_t> round_;  // the search that reached a relation last
  std::vector<uint32_t> queue_;
  uint32_t now_ = 0;
};

std::optional<Cycle> find_strict_cycle(uint32_t count, const std::vector<Dependency>& dependencies,
                                       const Leaving& leaving, const Components& components) {
  CycleFinder finder(dependencies, leaving, components, count);
  std::optional<Cycle> best;
  uint32_t candidates = 0;
  for (uint32_t i = 0; i < dependencies.size() && candidates < kMostCandidates; ++i) {
    const Dependency& dependency = dependencies[i];
    if (!dependency.strict) continue;
    if (components.of(dependency.from) != components.of(dependency.to)) continue;
    ++candidates;
    const size_t limit = best ? best->dependencies.size() : size_t{count} + 1;
    std::optional<Cycle> found = finder.through(i, limit);
    if (found) best = std::move(found);
    CHECK(best.has_value(), "a dependency inside a component lies on a cycle");
  }
  return best;
}

Strata collect(uint32_t count, const std::vector<Dependency>& dependencies,
               const Components& components) {
  Strata strata(components.count());
  for (uint32_t relation = 0; relation < count; ++relation) {
    strata[components.of(relation)].members.push_back(relation);
  }
  for (const Dependency& dependency : dependencies) {
    const uint32_t component = components.of(dependency.from);
    if (component == components.of(dependency.to)) strata[component].recursive = true;
  }
  return strata;
}

Strata in_order(Strata strata, const std::vector<Dependency>& dependencies, const Leaving& leaving,
                const Components& components) {
  std::vector<uint32_t> waiting_for(strata.size(), 0);
  for (const Dependency& dependency : dependencies) {
    const uint32_t target = components.of(dependency.to);
    if (components.of(dependency.from) != target) ++waiting_for[target];
  }
  // Ready strata by smallest member, which names its component.
  std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> ready;
  for (uint32_t component = 0; component < strata.size(); ++component) {
    if (waiting_for[component] == 0) ready.push(strata[component].members.front());
  }
  Strata ordered;
  while (!ready.empty()) {
    const uint32_t component = components.of(ready.top());
    ready.pop();
    for (const uint32_t member : strata[component].members) {
      for (uint32_t i = leaving.begin(member); i != leaving.end(member); ++i) {
        const uint32_t target = components.of(dependencies[leaving.at(i)].to);
        if (target == component) continue;
        if (--waiting_for[target] == 0) ready.push(strata[target].members.front());
      }
    }
    ordered.push_back(std::move(strata[component]));
  }
  CHECK(ordered.size() == strata.size(), "components have no cycles among them");
  return ordered;
}

}  // namespace

std::variant<Strata, Cycle> stratify(uint32_t count, const std::vector<Dependency>& dependencies) {
  for (const Dependency& dependency : dependencies) {
    CHECK(dependency.from < count);
    CHECK(dependency.to < count);
  }
  const Leaving leaving(count, dependencies);
  const Components components(count, dependencies, leaving);
  if (auto cycle = find_strict_cycle(count, dependencies, leaving, components)) return *cycle;
  return in_order(collect(count, dependencies, components), dependencies, leaving, components);
}

}  // namespace clew::datalog
