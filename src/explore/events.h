// Moves as events: which of them have to do with each other.
//
//   Events events(runner, looks);
//   std::vector<Choice> choices;
//   events.enabled(world, choices);              // all that may happen; kEnd where nothing must
//   Event event;
//   World next;
//   events.take(world, choices.front().label, event, next);
//   if (!conflict(event.access, other.access)) ...   // they may change places
//
// A Label is what happens again and again: the delivery of what is next in a queue, a timer of a
// node, a crash of one kind. A queue is a channel if channels are FIFO; otherwise all equal
// envelopes are a queue. An Event is a Label that has happened at some place of a path; its Access
// is what it has read or changed that others may read or change: its node, its queue, answers to a
// request, what clients have seen, what properties have seen.
//
// (1) Two neighbours on a path whose Accesses do not conflict, and of which the first has not sent
// what the second takes, may change places: the worlds before and after them and their Accesses
// stay the same. (2) An Event's Access follows from those before it that conflict with it and from
// who sent what it takes. (3) Events of one Label conflict.
//
// Faults that share one of the Limits do not conflict for that: two that have both happened may
// change places. But one may keep the other from happening (races.cc).
//
// A timer that may not always fire early depends on whether anything else can happen, so it
// conflicts with everything. So does a request that had to wait for others until nothing was under
// way; one that came while few enough waited conflicts with other requests and with answers. So
// does the end: kEnd may happen where no envelope, request or timer
// is left that would change anything, and nothing happens after it. Faults need not happen.
//
// What changes nothing is no event: an envelope that stays and arrives again in vain, a timer that
// sets itself and no more.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "explore/looks.h"
#include "explore/runner.h"

namespace clew::explore {

using LabelId = uint32_t;
inline constexpr LabelId kEnd = 0;

inline constexpr uint32_t kNoQueue = UINT32_MAX;

// Sets of numbers, as bits: what does not fit shares a bit, and conflicts too often.
struct Access {
  uint64_t nodes = 0;
  uint64_t shared = 0;  // answers, histories
  uint64_t seen = 0;    // by properties
  uint32_t budgets = 0;
  uint32_t queue = kNoQueue;
  bool asks = false, answers = false;  // where clients have to wait for others
  bool everything = false;
};

inline bool conflict(const Access& a, const Access& b) {
  return a.everything || b.everything || ((a.nodes & b.nodes) | (a.shared & b.shared)) != 0 ||
         (a.seen & b.seen) != 0 || (a.queue == b.queue && a.queue != kNoQueue) ||
         (a.asks && (b.asks || b.answers)) || (a.answers && b.asks);
}

// Whether one may use up what the other needs.
inline bool exclude(const Access& a, const Access& b) { return (a.budgets & b.budgets) != 0; }

struct Label {
  static constexpr uint8_t kNobody = 255;

  Move::Kind kind = Move::Kind::kDeliver;
  bool ends = false;       // kEnd
  uint8_t node = kNobody;  // whose step it is
  uint32_t object = 0;     // a queue, or an input
  uint32_t queue = kNoQueue;
  bool may_be_vain = false;
  uint32_t budgets = 0;  // Runner::budgets()
  bool must() const { return ends || kind <= Move::Kind::kTimer; }
};

struct Event {
  LabelId label = kEnd;
  Move move{};
  Access access{};
  std::vector<uint32_t> sent{};  // to queues; of those that stay, what was not there before
  std::string failure{};         // of its handler
};

struct Choice {
  LabelId label = kEnd;
  Move move{};  // unless it is the end
};

class Events {
 public:
  Events(Runner& runner, Looks& looks) : runner_(runner), looks_(looks), labels_(1) {
    labels_.front().ends = true;
  }

  Runner& runner() { return runner_; }
  const Label& label(LabelId id) const { return labels_[id]; }
  size_t labels() const { return labels_.size(); }
  LabelId label_of(Move move);
  uint32_t queue_of(InputId envelope) const;

  // From now on all events conflict.
  void tie_all() { all_tied_ = true; }

  // In the order of Runner::moves().
  void enabled(WorldView world, std::vector<Choice>& out);
  bool ends(WorldView world);
  // Whether it is a timer that fires only if nothing else can happen, or at a cost.
  bool waits(const Label& label) const;
  // False: it is not enabled. Of kEnd, `next` is the same world.
  bool take(WorldView world, LabelId label, Event& event, World& next);
  // Moves that change nothing.
  void vain(WorldView world, std::vector<Move>& out);
  // Adds labels of all that might be enabled in worlds with the same envelopes and states of nodes,
  // were it not for the nodes that envelopes go to and the Limits; and what else is enabled.
  void conceivable(WorldView world, std::vector<LabelId>& out);
  // Whether a world in which `other` may happen may be one in which it may not, after `one`. Not
  // for kEnd, timers that wait, and requests that wait until nothing is under way.
  bool may_disable(const Label& one, const Label& other) const;

  // All labels, by number, and events.
  void save(Saver& out) const;
  bool load(Loader& in);
  static void save(Saver& out, const Event& event);
  bool load(Loader& in, Event& event) const;

 private:
  Label described(Move move) const;
  std::optional<Move> find(WorldView world, LabelId label);
  bool changes(WorldView world, Move move, LabelId label);
  Access access_of(WorldView world, const Label& label, Move move, const Step* step);

  Runner& runner_;
  Looks& looks_;
  std::vector<Label> labels_;
  NumberMap number_of_;  // of a label, by kind and object
  std::vector<Move> moves_;
  std::vector<Choice> enabled_;
  World next_;
  bool all_tied_ = false;
};

}  // namespace clew::explore
