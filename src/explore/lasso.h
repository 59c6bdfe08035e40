// Runs that go on for ever without what must hold again and again: a way to a loop, and the loop.
//
// A run that goes on for ever, within finitely many worlds and after its last fault, comes to the
// same worlds again and again: these are part of a strongly connected component of the worlds in
// which the property does not hold, by moves that are due (Runner::due). Tarjan's algorithm finds
// all of these components. Whether there is a run that stays in one of them and is fair
// (fairness.h), the component says by itself, since a run may go through all of its worlds and
// moves again and again:
//
// (1) An envelope or a request that waits in all of its worlds, and is taken by no move inside,
//     waits in every loop inside: no run stays there.
// (2) A timer that is set in all of its worlds, and fires nowhere inside, lets a run stay only
//     where it cannot fire: in worlds in which something else can happen. These are looked at
//     once more, by themselves.
// (3) Otherwise the loop through all there is is fair; loop.h finds a shorter one.
//
// A move that changes nothing counts as taken and makes no loop: a world with nothing else is an
// end (stateful.h), and is judged as such.
//
//   Lassos lassos(runner, worlds, stop, most_bytes);
//   if (const auto lasso = lassos.find(property)) ...
//   if (!lassos.unfinished().empty()) ...              // it is not known
//
// Edges are not kept: the moves of a world are tried again whenever they are needed. What is kept
// is a number for each world, and the worlds between the first and the current one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/stop.h"
#include "explore/fairness.h"
#include "explore/runner.h"
#include "explore/store.h"

namespace clew::explore {

struct Lasso {
  uint32_t begin = 0;      // the world, the first one of its component that was found
  std::vector<Move> loop;  // back to it
};

// The worlds that follow each other in a store, without renaming.
class Graph {
 public:
  // Both outlive this.
  Graph(Runner& runner, const WorldStore& worlds) : runner_(runner), worlds_(worlds) {}

  Runner& runner() { return runner_; }
  void read(uint32_t id);      // what follows is about this world
  uint32_t follow(Move move);  // the world that a move leads to
  const World& world() const { return world_; }
  const std::vector<Move>& due() const { return due_; }
  bool rests() const {  // timers that are set may fire
    return due_.empty() || due_.back().kind == Move::Kind::kTimer;
  }

 private:
  Runner& runner_;
  const WorldStore& worlds_;
  uint32_t id_ = 0;
  World world_, next_;
  std::vector<Move> due_;
  Packed packed_;
};

class Lassos {
 public:
  // `runner` and `worlds` outlive this; all moves of all worlds lead to worlds.
  Lassos(Runner& runner, const WorldStore& worlds, Stop stop, size_t most_bytes);

  // Of all fair loops one whose beginning was found first.
  std::optional<Lasso> find(const Property& property);
  const std::string& unfinished() const { return unfinished_; }  // why not all was looked at
  // If nothing was found: in so many worlds the property holds, and does not.
  size_t held() const { return held_; }
  size_t awaited() const { return awaited_; }

 private:
  struct Frame {
    uint32_t id;
    uint32_t low;  // the least number that is reached from here
    size_t begin;  // of what is left of its successors_
  };
  using Ids = std::vector<uint32_t>;

  void search(uint32_t root);
  void search_busy(const Ids& component);
  void enter(uint32_t id);
  void leave();
  void judge(Ids component);
  Fairness fairness_of(const Ids& component);
  bool holds();
  bool may_go_on();

  Graph graph_;
  Stop stop_;
  size_t most_bytes_;
  const Property* property_ = nullptr;
  // Of worlds: kUnseen, kDone, kInside the component that is judged, or when it was found.
  Ids order_;
  uint32_t count_ = 0;
  std::vector<Frame> frames_;
  Ids successors_, stack_;
  std::vector<Ids> again_;  // components of (2)
  size_t kept_ = 0;         // worlds in again_, and in best_ over time
  Ids best_;                // a fair component, sorted
  size_t entered_ = 0;
  size_t held_ = 0, awaited_ = 0;
  std::string unfinished_;
};

}  // namespace clew::explore
