#include "service/known.h"

#include <algorithm>

#include "base/check.h"

namespace clew::service {

namespace {

constexpr const char* kWorkload = "workload";

using inject::Effect;
using inject::Failure;
using inject::Io;
using inject::Point;

// Whether it changes what a power cut leaves, or what others know: for others, after is before.
bool changes_something(Io io) {
  switch (io) {
    case Io::kOpen:
    case Io::kWrite:
    case Io::kSync:
    case Io::kNames:
    case Io::kSize:
    case Io::kCopy:
    case Io::kSend:
      return true;
    default:
      return false;
  }
}

// Of nodes, at calls at which a node may crash.
std::vector<Failure> power_cuts_at(const Point& point, uint32_t occurrence) {
  const inject::Kinds crash{.crash = true, .error = false};
  if (point.node == kWorkload || inject::failures_at(point, occurrence, crash).empty()) return {};
  Failure cut{.point = point.id(), .occurrence = occurrence, .effect = Effect::kPowerBefore};
  cut.keeps = "none";
  std::vector<Failure> cuts = {cut};
  cut.effect = Effect::kPowerAfter;
  if (changes_something(point.io)) cuts.push_back(cut);
  return cuts;
}

}  // namespace

size_t CombinationHash::operator()(const Combination& combination) const {
  uint64_t hash = combination.size();
  for (const uint32_t id : combination) {
    hash = (hash ^ id) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 29U;
  }
  return hash;
}

uint32_t Known::point(const Point& point) {
  const auto [at, is_new] =
      point_of_id_.try_emplace(point.id(), static_cast<uint32_t>(points_.size()));
  if (is_new) points_.push_back(point), ids_.push_back(at->first);
  return at->second;
}

uint32_t Known::site(const Site& site) {
  CHECK(site.point < points_.size() && site.life > 0 && site.occurrence > 0,
        "site {} of point {} in life {}", site.occurrence, site.point, site.life);
  const auto [at, is_new] = number_of_site_.try_emplace(site, static_cast<uint32_t>(sites_.size()));
  if (is_new) sites_.push_back(site);
  return at->second;
}

const std::vector<uint32_t>& Known::failures_at(uint32_t site) {
  const auto [at, is_new] = failures_at_.try_emplace(site);
  if (!is_new) return at->second;
  const auto [number, life, occurrence] = sites_[site];
  const Point& point = points_[number];
  std::vector<Failure> all = inject::failures_at(point, occurrence, kinds_);
  if (kinds_.power) std::ranges::copy(power_cuts_at(point, occurrence), std::back_inserter(all));
  for (Failure& one : all) {
    one.life = life;
    at->second.push_back(failure(one));
  }
  return at->second;
}

uint32_t Known::failure(const Failure& failure) {
  const auto [at, is_new] =
      number_of_failure_.try_emplace(failure, static_cast<uint32_t>(failures_.size()));
  if (!is_new) return at->second;
  const auto point = point_of_id_.find(failure.point);
  CHECK(point != point_of_id_.end(), "{} is at no known point", to_string(failure));
  failures_.push_back(failure);
  site_of_.push_back(site({point->second, failure.life, failure.occurrence}));
  return at->second;
}

const Point* Known::find_point(const std::string& id) const {
  const auto at = point_of_id_.find(id);
  return at == point_of_id_.end() ? nullptr : &points_[at->second];
}

inject::Plan Known::plan(const Combination& combination) const {
  inject::Plan plan;
  for (const uint32_t id : combination) plan.push_back(failures_[id]);
  std::ranges::sort(plan);
  return plan;
}

Combination Known::combination(const inject::Plan& plan) {
  Combination combination;
  for (const Failure& one : plan) combination.push_back(failure(one));
  std::ranges::sort(combination);
  return combination;
}

Combination with(Combination combination, uint32_t failure) {
  const auto at = std::ranges::lower_bound(combination, failure);
  if (at == combination.end() || *at != failure) combination.insert(at, failure);
  return combination;
}

Combination without(Combination combination, uint32_t failure) {
  std::erase(combination, failure);
  return combination;
}

bool includes(const Combination& all, const Combination& part) {
  return std::ranges::includes(all, part);
}

}  // namespace clew::service
