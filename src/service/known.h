// What a campaign knows of what may fail, numbered in the order in which it became known.
//
//   Known known(target.kinds);
//   const uint32_t site = known.site({known.point(point)});     // the first time it is reached
//   for (const uint32_t id : known.failures_at(site)) {         // what can go wrong there
//     plans.push_back(known.plan({id}));                        // for a Runner
//   }
//
// A site is a point, in one life of its node, the how many-th time there. The number of a Failure
// is what the report counts as an id. A Combination is a Plan in these numbers.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "inject/failure.h"

namespace clew::service {

using Combination = std::vector<uint32_t>;  // sorted, distinct

struct CombinationHash {
  size_t operator()(const Combination& combination) const;
};
using CombinationSet = std::unordered_set<Combination, CombinationHash>;

struct Site {
  uint32_t point = 0;
  uint32_t life = 1;
  uint32_t occurrence = 1;

  friend bool operator==(const Site&, const Site&) = default;
  friend auto operator<=>(const Site&, const Site&) = default;
};

class Known {
 public:
  explicit Known(inject::Kinds kinds) : kinds_(std::move(kinds)) {}

  uint32_t point(const inject::Point& point);
  uint32_t site(const Site& site);
  // In the order of inject::failures_at; where the power is cut, all that was not synced is lost at
  // first (`none`): what else a disk may keep there only a run can tell.
  const std::vector<uint32_t>& failures_at(uint32_t site);
  // Requires that its point is known.
  uint32_t failure(const inject::Failure& failure);

  const std::vector<inject::Point>& points() const { return points_; }
  const std::string& id(uint32_t point) const { return ids_[point]; }
  const std::vector<Site>& sites() const { return sites_; }
  const std::vector<inject::Failure>& failures() const { return failures_; }
  uint32_t site_of(uint32_t failure) const { return site_of_[failure]; }
  const inject::Point& point_of(uint32_t failure) const {
    return points_[sites_[site_of(failure)].point];
  }
  // Null: nobody knows such a point.
  const inject::Point* find_point(const std::string& id) const;

  inject::Plan plan(const Combination& combination) const;
  // Requires that all its points are known.
  Combination combination(const inject::Plan& plan);

 private:
  inject::Kinds kinds_;
  std::vector<inject::Point> points_;
  std::vector<std::string> ids_;  // of points
  std::map<std::string, uint32_t> point_of_id_;
  std::vector<Site> sites_;
  std::map<Site, uint32_t> number_of_site_;
  std::vector<inject::Failure> failures_;
  std::vector<uint32_t> site_of_;
  std::map<inject::Failure, uint32_t> number_of_failure_;
  std::map<uint32_t, std::vector<uint32_t>> failures_at_;  // by site
};

// The combination with, or without, this failure.
Combination with(Combination combination, uint32_t failure);
Combination without(Combination combination, uint32_t failure);
bool includes(const Combination& all, const Combination& part);

}  // namespace clew::service
