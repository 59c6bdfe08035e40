#include "explore/wakeup.h"

#include <algorithm>

namespace clew::explore {

bool may_begin(const Event& event, const std::vector<Event>& sequence) {
  for (const Event& other : sequence) {
    if (other.label == event.label) return true;
    if (conflict(other.access, event.access)) return false;
  }
  return event.move.must();
}

bool may_begin(const Event& event, const Branch& branch) {
  if (branch.event.label == event.label) return true;
  if (conflict(branch.event.access, event.access)) return false;
  const auto begins = [&](const Branch& next) { return may_begin(event, next); };
  return branch.next.empty() || std::ranges::any_of(branch.next, begins);
}

void insert(std::vector<Branch>& tree, std::vector<Event> sequence) {
  for (Branch& branch : tree) {
    if (!may_begin(branch.event, sequence)) continue;
    if (branch.next.empty()) return;  // whatever comes after it will be found from there
    const auto same = std::ranges::find(sequence, branch.event.label, &Event::label);
    if (same != sequence.end()) sequence.erase(same);
    insert(branch.next, std::move(sequence));
    return;
  }
  std::vector<Branch>* end = &tree;
  for (Event& event : sequence) {
    end->push_back({std::move(event)});
    end = &end->back().next;
  }
}

}  // namespace clew::explore
