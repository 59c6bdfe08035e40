// Which other paths there are, seen from the end of one.
//
// Let E be the beginning of the path, p the event after it, N all later ones that need not come
// after p. Some class of paths begins with E and then some of N, let it be S, and then has an event
// x that conflicts with p. If p cannot keep x from happening, then among the paths that begin with
// E p there is one that has S and then x; on that path p and x are in a race: x comes after p, and
// not because of something in between. So
//
// (1) For each race of p and x, if x is possible after E N, that sequence is to be tried from E on.
//
// If p does keep x from happening, no path with p may ever show it. So
//
// (2) For each x that is possible after E S and no longer after E S p, the sequence S x R is to be
// tried from E on, where R is what else there is in N that need not come after x.
//
// It is not necessary to try all S: if what is in N but not in S cannot disable x, then S may as
// well be larger, and the rest follows by (1) from what is then tried. So S is a choice among those
// in N that may disable x; what has one before it that was not chosen is left out.
//
// An x that is possible only if nothing else is (the end, a timer that must not be early) is
// possible after S only if S has every delivery and request of N that is then possible: here S is a
// choice among the faults of N, and among what happens to the timer's node. The same holds of a
// request that waits for others, but for timers, which may be in S or not. A timer that does
// nothing but cost is possible only while something else is: so S is also all of that without some
// delivery or request, and what comes after it.
//
// A sequence is to be tried unless an equivalent one was, or will be: if so, what is asleep at E or
// what is in the wakeup tree at E may begin it (wakeup.h).
#include <algorithm>

#include "explore/stateless.h"

namespace clew::explore {

namespace {

using Places = std::vector<size_t>;

constexpr const char* kWrong = "events that do not conflict depend on each other";

// Calls `use` with what is left out by each choice among `places` that has, with one of them, all
// of them that come before it.
template <class Before, class Use>
void each_choice(const Places& places, const Before& before, const Use& use, size_t next = 0,
                 const Places& left_out = {}) {
  if (next == places.size()) return use(left_out);
  const size_t place = places[next];
  const bool may = std::ranges::none_of(left_out, [&](size_t x) { return before(x, place); });
  if (may) each_choice(places, before, use, next + 1, left_out);
  Places more = left_out;
  more.push_back(place);
  each_choice(places, before, use, next + 1, more);
}

}  // namespace

void Stateless::find_races() {
  for (size_t at = path_.size() - 1; at-- > 0;) {
    std::vector<uint64_t> left = path_[at].past;
    for (size_t i = at; i-- > 0;) {
      if ((left[i / 64] >> (i % 64) & 1U) == 0) continue;
      for (size_t word = 0; word < path_[i].past.size(); ++word) left[word] &= ~path_[i].past[word];
      if (path_[i].event.label != path_[at].event.label) reverse(i, at);
    }
    find_disabled(at);
  }
}

Places Stateless::beside(size_t at) const {
  Places result;
  for (size_t i = at + 1; i + 1 < path_.size(); ++i) {
    if (!before(at, i)) result.push_back(i);
  }
  return result;
}

Places Stateless::without(const Places& left_out, const Places& places) const {
  Places result;
  for (const size_t i : places) {
    const auto matters = [&](size_t x) { return x == i || before(x, i); };
    if (std::ranges::none_of(left_out, matters)) result.push_back(i);
  }
  return result;
}

// The same happens as there.
void Stateless::follow(World& world, size_t at) {
  World next;
  Event event;
  CHECK(events_.take(world, path_[at].event.label, event, next), "{}", kWrong);
  std::swap(world, next);
}

World Stateless::after(size_t at, const Places& places) {
  World world = path_[at].world;
  for (const size_t i : places) follow(world, i);
  return world;
}

// Whether something asleep is among these, or before all that conflicts with it: then it need not
// be known what comes after them.
bool Stateless::sleeps(size_t at, const Places& places) const {
  return std::ranges::any_of(path_[at].asleep, [&](const Event& event) {
    for (const size_t i : places) {
      if (path_[i].event.label == event.label) return true;
      if (conflict(path_[i].event.access, event.access)) return false;
    }
    return false;
  });
}

void Stateless::reverse(size_t one, size_t other) {
  const Event& late = path_[other].event;
  // What must happen keeps the end away.
  if (late.label == kEnd && events_.label(path_[one].event.label).must()) return;
  const Places first = beside(one);
  if (sleeps(one, first)) return;
  Event event;
  World next;
  if (!events_.take(after(one, first), late.label, event, next)) return;
  try_at(one, first, event, {});
}

// From that place on: `first`, then `event`, then `last`.
void Stateless::try_at(size_t at, const Places& first, const Event& event, const Places& last) {
  std::vector<Event> sequence;
  for (const size_t i : first) sequence.push_back(path_[i].event);
  sequence.push_back(event);
  for (const size_t i : last) sequence.push_back(path_[i].event);
  Frame& frame = path_[at];
  const auto begins = [&](const Event& one) { return may_begin(one, sequence); };
  if (std::ranges::any_of(frame.asleep, begins)) return;
  insert(frame.tree, std::move(sequence));
}

void Stateless::find_disabled(size_t at) {
  const Places places = beside(at);
  for (const LabelId label : disabled(at, places)) find_disabled(at, places, label);
  find_waiting(at, places);
}

// What may be possible after some of `places`.
std::vector<LabelId> Stateless::conceivable(size_t at, const Places& places) {
  std::vector<LabelId> labels;
  World world = path_[at].world;
  events_.conceivable(world, labels);
  for (const size_t i : places) {
    follow(world, i);
    events_.conceivable(world, labels);
  }
  std::ranges::sort(labels);
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  return labels;
}

// What may be possible after some of `places`, and not after what happens there. Only faults and
// what can make things vain disable what does not exist before.
std::vector<LabelId> Stateless::disabled(size_t at, const Places& places) {
  const LabelId id = path_[at].event.label;
  const Label label = events_.label(id);
  const bool far = !label.must() || cluster_.channels == Channels::kSet ||
                   cluster_.limits.duplicates == kUnlimited;
  std::vector<LabelId> labels = conceivable(at, far ? places : Places{});
  std::erase_if(labels, [&](LabelId other) {
    if (other == id || events_.waits(events_.label(other))) return true;
    if (path_[at].event.access.everything) return false;
    return !events_.may_disable(label, events_.label(other));
  });
  return labels;
}

bool Stateless::disables(size_t at, const World& world, LabelId label) {
  if (path_[at].event.label == kEnd) return true;
  World then = world, next;
  follow(then, at);
  Event event;
  return !events_.take(then, label, event, next);
}

void Stateless::find_disabled(size_t at, const Places& places, LabelId label) {
  Places may_disable;
  for (const size_t i : places) {
    const Label& other = events_.label(path_[i].event.label);
    if (events_.may_disable(other, events_.label(label))) may_disable.push_back(i);
  }
  const auto is_before = [this](size_t one, size_t other) { return before(one, other); };
  each_choice(may_disable, is_before, [&](const Places& left_out) {
    const Places first = without(left_out, places);
    if (sleeps(at, first)) return;
    const World world = after(at, first);
    World next;
    Event event;
    if (!events_.take(world, label, event, next) || !disables(at, world, label)) return;
    Places tied;
    for (const size_t i : places) {
      const Access& other = path_[i].event.access;
      if (conflict(other, event.access) || exclude(other, event.access)) tied.push_back(i);
    }
    Places last = without(tied, places);
    std::erase_if(last, [&](size_t i) { return std::ranges::find(first, i) != first.end(); });
    try_at(at, first, event, last);
  });
}

// The end waits until nothing else must happen, a request until nothing is under way; a timer fires
// at a cost as long as something else can happen, and only then if it does nothing.
void Stateless::find_waiting(size_t at, const Places& places) {
  const Label label = events_.label(path_[at].event.label);
  if (label.ends) return;
  if (!label.must()) find_waiting(at, places, kEnd);
  const bool early = runner_.budgets(Move::Kind::kTimer) != 0;
  const bool asks =
      runner_.limits_requests() && (!label.must() || label.kind == Move::Kind::kTimer);
  if (!early && !asks) return;
  const bool far = !label.must() || events_.waits(label) || cluster_.limits.early_timers > 0;
  for (const LabelId id : conceivable(at, far ? places : Places{})) {
    const Label& other = events_.label(id);
    const bool timer = events_.waits(other) && (far || other.node == label.node);
    const bool waits = timer || (asks && other.kind == Move::Kind::kRequest);
    if (waits && id != path_[at].event.label) find_waiting(at, places, id);
  }
}

void Stateless::find_waiting(size_t at, const Places& places, LabelId label) {
  Places may_disable;
  const Label waiting = events_.label(label);
  for (const size_t i : places) {
    const Label& other = events_.label(path_[i].event.label);
    const bool same = other.node == waiting.node && waiting.node != Label::kNobody;
    const bool timer = waiting.kind == Move::Kind::kRequest && other.kind == Move::Kind::kTimer;
    if (!other.must() || same || timer) may_disable.push_back(i);
  }
  const auto is_before = [this](size_t one, size_t other) { return before(one, other); };
  const bool costs = events_.waits(waiting) && !events_.label(path_[at].event.label).must() &&
                     cluster_.limits.early_timers > 0;
  each_choice(may_disable, is_before, [&](const Places& left_out) {
    const Places most = without(left_out, places);
    try_waiting(at, most, label);
    // With what can happen, so that it is early, as long as that is left out.
    for (size_t i = 0; costs && i < most.size(); ++i) {
      if (std::ranges::find(may_disable, most[i]) != may_disable.end()) continue;
      try_waiting(at, without({most[i]}, most), label);
    }
  });
}

void Stateless::try_waiting(size_t at, const Places& first, LabelId label) {
  if (sleeps(at, first)) return;
  const World world = after(at, first);
  World next;
  Event event;
  if (!events_.take(world, label, event, next) || !disables(at, world, label)) return;
  try_at(at, first, event, {});
}

}  // namespace clew::explore
