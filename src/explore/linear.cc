#include "explore/linear.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "explore/table.h"

namespace clew::explore {

void Seen::asked(node::RequestId id, std::string request) {
  const size_t event = events_++;
  if (!number_of_.emplace(id, operations_.size()).second) return;
  operations_.push_back({.id = id, .request = std::move(request), .asked = event});
}

void Seen::answered(node::RequestId id, std::string reply) {
  const size_t event = events_++;
  const auto found = number_of_.find(id);
  if (found == number_of_.end()) return;
  Operation& operation = operations_[found->second];
  if (operation.answered) return;
  operation.answered = event;
  operation.reply = std::move(reply);
}

namespace {

// A search for an order in which the object may have taken the operations, first one first.
class Search {
 public:
  Search(const Sequential& object, const Seen& seen, size_t most_tried)
      : object_(object), all_(seen.operations()), most_tried_(most_tried) {
    for (size_t i = 0; i < all_.size(); ++i) {
      open_.insert(i);
      if (all_[i].answered) to_explain_.emplace(*all_[i].answered, i);
    }
  }

  LinearVerdict run() {
    levels_.push_back({.state = object_.initial});
    while (!levels_.empty()) {
      if (to_explain_.empty()) return {};
      Level& level = levels_.back();
      if (!level.is_filled) fill(level);
      if (level.next == level.candidates.size()) {
        undo();
        continue;
      }
      if (++tried_ > most_tried_) return {.kind = LinearVerdict::Kind::kUnknown};
      take(level.candidates[level.next++]);
    }
    return {.kind = LinearVerdict::Kind::kBroken, .event = furthest_};
  }

 private:
  struct Level {
    std::string state;
    std::optional<size_t> taken{};  // that led here
    bool is_filled = false;
    std::vector<size_t> candidates{};
    size_t next = 0;
  };

  // What may be next: all that were asked before the first answer that is not explained yet. Those
  // that nobody saw answered come last, the latest of them first.
  void fill(Level& level) {
    level.is_filled = true;
    const size_t end = to_explain_.begin()->first;
    furthest_ = std::max(furthest_, end);
    std::vector<size_t> unanswered;
    for (const size_t i : open_) {
      if (all_[i].asked > end) break;
      (all_[i].answered ? level.candidates : unanswered).push_back(i);
    }
    std::ranges::sort(level.candidates, {}, [&](size_t i) { return *all_[i].answered; });
    level.candidates.insert(level.candidates.end(), unanswered.rbegin(), unanswered.rend());
  }

  void take(size_t number) {
    const Seen::Operation& operation = all_[number];
    std::string state = levels_.back().state;
    const std::string reply = object_.take(state, operation.request);
    if (operation.answered && reply != operation.reply) return;
    // Of an operation that nobody saw answered nothing remains but what it has changed.
    if (!operation.answered && state == levels_.back().state) return;
    flip(number);
    if (!seen_.insert({hash_[0], hash_[1], state}).second) {
      flip(number);
      return;
    }
    open_.erase(number);
    if (operation.answered) to_explain_.erase({*operation.answered, number});
    levels_.push_back({.state = std::move(state), .taken = number});
  }

  void undo() {
    if (const auto taken = levels_.back().taken) {
      flip(*taken);
      open_.insert(*taken);
      if (all_[*taken].answered) to_explain_.emplace(*all_[*taken].answered, *taken);
    }
    levels_.pop_back();
  }

  // Of the set of what is taken, 128 bits.
  void flip(size_t number) {
    hash_[0] ^= mixed(2 * number + 1);
    hash_[1] ^= mixed(mixed(2 * number + 2));
  }

  const Sequential& object_;
  const std::vector<Seen::Operation>& all_;
  size_t most_tried_, tried_ = 0;
  std::set<size_t> open_;  // not taken; in the order in which they were asked
  std::set<std::pair<size_t, size_t>> to_explain_;  // by answer
  size_t furthest_ = 0;
  std::vector<Level> levels_;
  uint64_t hash_[2] = {0, 0};
  std::set<std::tuple<uint64_t, uint64_t, std::string>> seen_;
};

}  // namespace

LinearVerdict judge_linear(const Sequential& object, const Seen& seen, size_t most_tried) {
  return Search(object, seen, most_tried).run();
}

}  // namespace clew::explore
