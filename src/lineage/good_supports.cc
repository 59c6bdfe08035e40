#include "lineage/good_supports.h"

#include <algorithm>

#include "base/watched.h"

namespace clew::lineage {

namespace {

// Demand's nodes are the points of the good run, then the absences of what is extra, then helpers.
class DemandBuilder {
 public:
  explicit DemandBuilder(const Difference& difference)
      : difference_(difference),
        points_(static_cast<uint32_t>(difference.good().point_count())),
        first_fault_(static_cast<uint32_t>(difference.good().run().messages.size())) {
    demand_.ways.resize(points_ + difference.size());
  }

  GoodSupports build(uint32_t node) {
    for (PointId point = 0; point < points_; ++point) add_point(point);
    for (uint32_t i = 0; i < difference_.size(); ++i) {
      if (!difference_.node(i).missing) add_absence(i);
    }
    GoodSupports result{std::move(demand_), demand_node(node), first_fault_, {}};
    result.supports = minimal_sets(result.demand, result.root);
    return result;
  }

 private:
  uint32_t demand_node(uint32_t node) const {
    const Difference::Node& at = difference_.node(node);
    return at.missing ? at.point : points_ + node;
  }

  void add_point(PointId point) {
    const Graph& good = difference_.good();
    std::vector<Demand::Way>& ways = demand_.ways[point];
    look();
    const uint32_t node = difference_.find(true, point);
    if (node == kNone || good.is_given(point)) ways.emplace_back();
    if (node == kNone) return;
    for (const uint32_t i : good.steps_of(point)) {
      const Graph::Step& step = good.steps()[i];
      look(1 + step.used.size());
      Demand::Way way{{}, step.messages};
      for (const PointId used : step.used) {
        if (difference_.find(true, used) != kNone) way.nodes.push_back(used);
      }
      for (const Firing::Absence& absence : step.firing->absences) {
        for (const PointId found : difference_.new_matches(absence, true)) {
          const uint32_t extra = difference_.find(false, found);
          if (extra != kNone) way.nodes.push_back(points_ + extra);
        }
      }
      ways.push_back(std::move(way));
    }
  }

  // Every derivation has to be kept from happening, each in one of several ways.
  void add_absence(uint32_t node) {
    const Graph& bad = difference_.bad();
    const PointId point = difference_.node(node).point;
    Demand::Way all;
    if (bad.is_given(point)) add_crash(node, all);
    for (const uint32_t i : bad.steps_of(point)) {
      const Graph::Step& step = bad.steps()[i];
      look(1 + step.used.size());
      auto later = [&](PointId used) { return bad.rank(used) >= bad.rank(point); };
      if (std::ranges::any_of(step.used, later)) continue;
      const auto helper = static_cast<uint32_t>(demand_.ways.size());
      std::vector<Demand::Way> ways = ways_to_prevent(step);
      if (ways.empty()) continue;
      demand_.ways.push_back(std::move(ways));
      all.nodes.push_back(helper);
    }
    demand_.ways[points_ + node].push_back(std::move(all));
  }

  void add_crash(uint32_t node, Demand::Way& way) const {
    for (const Difference::Reason& reason : difference_.node(node).reasons) {
      for (const uint32_t fault : reason.faults) way.elements.push_back(first_fault_ + fault);
    }
  }

  std::vector<Demand::Way> ways_to_prevent(const Graph::Step& step) const {
    std::vector<Demand::Way> ways;
    for (const PointId used : step.used) {
      const uint32_t extra = difference_.find(false, used);
      if (extra != kNone) ways.push_back({{points_ + extra}, {}});
    }
    for (const Firing::Absence& absence : step.firing->absences) {
      for (PointId found : difference_.new_matches(absence, false)) ways.push_back({{found}, {}});
    }
    if (!ways.empty() || !step.rule->aggregates()) return ways;
    // An aggregate came out differently: it takes all that the good run counted.
    const uint32_t extra = difference_.find(false, step.head);
    if (extra == kNone) return ways;
    Demand::Way counted;
    for (const Difference::Reason& reason : difference_.node(extra).reasons) {
      for (const uint32_t used : reason.used) counted.nodes.push_back(demand_node(used));
    }
    if (!counted.nodes.empty()) ways.push_back(std::move(counted));
    return ways;
  }

  const Difference& difference_;
  uint32_t points_;
  uint32_t first_fault_;
  Demand demand_;
};

}  // namespace

GoodSupports good_supports(const Difference& difference, uint32_t node) {
  return DemandBuilder(difference).build(node);
}

bool can_do_without(const GoodSupports& all, const Run& good, const NodeName& node) {
  Demand rest = all.demand;
  for (std::vector<Demand::Way>& ways : rest.ways) {
    look(1 + ways.size());
    std::erase_if(ways, [&](const Demand::Way& way) {
      return std::ranges::any_of(way.elements, [&](uint32_t element) {
        return element < all.first_fault && good.messages[element].from == node;
      });
    });
  }
  return !minimal_sets(rest, all.root, {.most_sets = 1}).sets.empty();
}

}  // namespace clew::lineage
