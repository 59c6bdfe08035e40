#include "tests/explore/all_paths.h"

#include <algorithm>
#include <map>

namespace clew::explore {

AllPaths::AllPaths(const Cluster& cluster)
    : cluster_(cluster), runner_(cluster), looks_(runner_), events_(runner_, looks_) {
  initial_ = runner_.initial();
}

bool AllPaths::count(size_t most_paths) {
  most_ = most_paths;
  do {
    paths = 0;
    found_.clear();
    judge(initial_, initial_);
    looks_.grew();
    go(initial_);
  } while (looks_.grew() && !too_many_);
  classes = found_.size();
  return !too_many_;
}

// Which events properties can tell apart follows from what they look at.
void AllPaths::judge(WorldView before, WorldView after) {
  for (size_t i = 0; i < cluster_.properties().size(); ++i) {
    const Property::Kind kind = cluster_.properties()[i].kind;
    if (kind == Property::Kind::kFinally) continue;
    looks_.judge(i, before, after);
    if (kind == Property::Kind::kStep) looks_.judge(i, after, after);
  }
}

void AllPaths::go(const World& world) {
  constexpr size_t kLongest = 100;
  std::vector<Choice> choices;
  events_.enabled(world, choices);
  for (const Choice& choice : choices) {
    if (too_many_) return;
    Event event;
    World next;
    CHECK(events_.take(world, choice.label, event, next), "not enabled");
    path_.push_back(event);
    if (choice.label == kEnd) {
      found_.insert(first_of_class());
      too_many_ = ++paths > most_;
    } else {
      judge(world, next);
      too_many_ = too_many_ || path_.size() > kLongest;
      go(next);
    }
    path_.pop_back();
  }
}

std::vector<std::set<size_t>> AllPaths::before() const {
  std::vector<std::set<size_t>> result(path_.size());
  std::map<uint32_t, std::vector<int>> senders;  // by queue, of what was not taken
  for (const InputId envelope : runner_.under_way(initial_)) {
    senders[events_.queue_of(envelope)].push_back(-1);
  }
  const bool stays = cluster_.channels == Channels::kSet;
  for (size_t i = 0; i < path_.size(); ++i) {
    const Event& event = path_[i];
    for (size_t j = 0; j < i; ++j) {
      if (conflict(path_[j].access, event.access)) result[i].insert(j);
    }
    if (event.access.queue != kNoQueue) {
      std::vector<int>& queue = senders[event.access.queue];
      const int from = stays ? queue.back() : queue.front();
      if (from >= 0) result[i].insert(static_cast<size_t>(from));
      const bool keeps = event.move.kind == Move::Kind::kDuplicate;
      if (!stays && !keeps) queue.erase(queue.begin());
    }
    for (const uint32_t queue : event.sent) senders[queue].push_back(static_cast<int>(i));
  }
  return result;
}

// Of all equivalent paths the least.
std::vector<LabelId> AllPaths::first_of_class() const {
  const std::vector<std::set<size_t>> all_before = before();
  std::vector<LabelId> result;
  std::set<size_t> done;
  while (result.size() < path_.size()) {
    size_t best = path_.size();
    for (size_t i = 0; i < path_.size(); ++i) {
      if (done.contains(i) || !std::ranges::includes(done, all_before[i])) continue;
      if (best == path_.size() || path_[i].label < path_[best].label) best = i;
    }
    done.insert(best);
    result.push_back(path_[best].label);
  }
  return result;
}

}  // namespace clew::explore
