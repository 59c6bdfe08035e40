#include "service/search.h"

#include <algorithm>
#include <set>

#include "base/check.h"
#include "service/causes.h"

namespace clew::service {

namespace {

// The sites that came after the last failure in some run, by first appearance, and whether no run
// says that a failure matters there.
struct Coming {
  std::vector<uint32_t> sites;
  std::set<uint32_t> likely;
};

Coming coming_after(const std::vector<Look>& looks) {
  Coming coming;
  std::set<uint32_t> met;
  for (const Look& look : looks) {
    if (!look.struck) continue;
    for (size_t i = look.after; i < look.sites.size(); ++i) {
      const uint32_t site = look.sites[i];
      if (met.insert(site).second) coming.sites.push_back(site);
      if (!std::ranges::binary_search(look.unlikely, site)) coming.likely.insert(site);
    }
  }
  return coming;
}

}  // namespace

Search::Search(Known& known, uint32_t most_failures)
    : known_(known), most_failures_(most_failures) {
  items_.push_back({.combination = {}, .state = State::kTried});
  number_of_.emplace(Combination{}, 0);
}

void Search::begin(const std::vector<Look>& looks) {
  CHECK(items_.size() == 1, "a search begins once");
  ++under_way_;
  items_[0].state = State::kUnderWay;
  observe(0, looks);
}

std::deque<uint32_t>* Search::first_queue() {
  if (!forward_.empty()) return &forward_;
  if (only_forward_) return nullptr;
  if (!queue_.empty()) return &queue_;
  return later_.empty() || under_way_ > 0 ? nullptr : &later_;
}

std::optional<uint32_t> Search::next() {
  while (std::deque<uint32_t>* const from = first_queue()) {
    const uint32_t number = from->front();
    from->pop_front();
    if (items_[number].state != State::kWaiting) continue;  // it was brought forward
    items_[number].state = State::kUnderWay;
    ++under_way_;
    --waiting_;
    return number;
  }
  return std::nullopt;
}

void Search::observe(uint32_t number, const std::vector<Look>& looks) {
  CHECK(items_[number].state == State::kUnderWay, "item {} is not under way", number);
  --under_way_;
  const auto struck = [](const Look& look) { return look.struck; };
  if (std::ranges::none_of(looks, struck)) {
    items_[number].state = State::kNotReached;
    return;
  }
  items_[number].state = State::kTried;
  items_[number].violates = std::ranges::any_of(looks, &Look::violates_any);
  if (items_[number].violates) violating_.insert(items_[number].combination);
  if (number != 0) add_states(number, looks);
  if (items_[number].combination.size() < most_failures_) extend(number, looks);
}

void Search::extend(uint32_t number, const std::vector<Look>& looks) {
  for (const Look& look : looks) {
    if (look.struck) items_[number].shown.push_back({look.sites, look.after});
  }
  const Coming coming = coming_after(looks);
  const Combination combination = items_[number].combination;
  const bool later = items_[number].later;
  for (const uint32_t site : coming.sites) {
    for (const uint32_t failure : known_.failures_at(site)) {
      add({.combination = with(combination, failure),
           .parent = number,
           .last = failure,
           .later = later || !coming.likely.contains(site)});
    }
  }
}

void Search::add_states(uint32_t number, const std::vector<Look>& looks) {
  for (const Look& look : looks) {
    if (!look.struck || look.states.empty()) continue;
    const Item item = items_[number];
    const inject::Failure cut = known_.plan(item.combination)[look.last];
    std::vector<std::string> states = look.states;
    std::stable_partition(states.begin(), states.end(),
                          [](const std::string& name) { return name == "all"; });
    for (const std::string& name : states) {
      inject::Failure other = cut;
      other.keeps = name;
      const uint32_t failure = known_.failure(other);
      add({.combination = with(without(item.combination, known_.failure(cut)), failure),
           .parent = item.parent,
           .last = failure,
           .later = item.later});
    }
  }
}

void Search::add(Item item) {
  const auto number = static_cast<uint32_t>(items_.size());
  if (!number_of_.try_emplace(item.combination, number).second) return;
  item.later = item.later || includes_violation(item.combination);
  (item.later ? later_ : queue_).push_back(number);
  items_.push_back(std::move(item));
  ++waiting_;
}

bool Search::includes_violation(const Combination& combination) const {
  if (violating_.empty()) return false;
  const auto violates = [&](const Combination& part) { return violating_.contains(part); };
  return std::ranges::any_of(parts_of(combination), violates);
}

void Search::bring_forward(uint32_t item) {
  if (items_[item].state == State::kWaiting) forward_.push_back(item);
}

std::optional<uint32_t> Search::find(const Combination& combination) const {
  const auto at = number_of_.find(combination);
  if (at == number_of_.end()) return std::nullopt;
  return at->second;
}

std::optional<uint32_t> Search::towards(const Combination& wanted) const {
  std::vector<uint32_t> open = {0};
  std::set<uint32_t> met;
  while (!open.empty()) {
    const uint32_t number = open.back();
    open.pop_back();
    if (!met.insert(number).second) continue;
    const Item& item = items_[number];
    if (item.combination.size() == wanted.size()) return number;
    if (item.state == State::kWaiting) return number;
    if (item.state != State::kTried) continue;
    for (const uint32_t failure : wanted) {
      const std::optional<uint32_t> child = find(with(item.combination, failure));
      if (child && *child != number) open.push_back(*child);
    }
  }
  return std::nullopt;
}

}  // namespace clew::service
