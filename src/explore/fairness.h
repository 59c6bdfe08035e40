// Whether moves that lead back to where they begin may go on for ever.
//
// They may not if something else would happen sooner or later: an envelope that is under way all
// the while arrives, a client that may ask all the while asks, and a timer that is set all the
// while fires, provided that nothing else can happen at some time (runner.h: else it would be
// early, which is a fault). So: whatever waits in every world of a loop, and is possible in one of
// them, has to be taken in it.
//
//   Fairness fairness(runner);
//   fairness.visit(world, due);              // each world of the loop, with Runner::due() of it
//   fairness.take(input);                    // after the first visit: what happens in the loop
//   fairness.starved()                       // what keeps it from going on for ever
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "explore/runner.h"

namespace clew::explore {

class Fairness {
 public:
  explicit Fairness(const Runner& runner) : runner_(runner) {}  // which outlives this

  void visit(WorldView world, std::span<const Move> due);
  void take(InputId input);

  // Whether it makes a difference if this is taken.
  bool wants(InputId input) const;
  bool is_sure() const { return begun_ && claims_.empty(); }  // whatever else is visited
  // Moves that would happen sooner or later, and do not.
  std::vector<Move> starved() const { return those(true); }
  // Timers that are set all the while and do not fire, since something else can happen all the
  // while.
  std::vector<Move> never_fire() const { return those(false); }

  // Whether this input waits in the world.
  static bool waits(const Runner& runner, WorldView world, std::span<const Move> due,
                    InputId input);

 private:
  // What waits in all worlds so far.
  struct Claim {
    Move move;
    bool possible = false;
    bool taken = false;
  };

  std::vector<Move> those(bool possible) const;

  const Runner& runner_;
  bool begun_ = false;
  std::vector<Claim> claims_;
};

}  // namespace clew::explore
