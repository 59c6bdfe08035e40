// Walks a path again, as far as it goes: what cannot happen any more is left out.
//
//   Walker walker(runner);
//   const Walk walk = walker.walk(path, Walker::Then::kStop);
//   walk.broken                            // the property that the last move breaks, if it does
//
// Every property is asked afresh after every move: what an engine has found is seen again here,
// without whatever it remembers.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "explore/runner.h"

namespace clew::explore {

inline constexpr std::string_view kHandlerFails =
    "a handler fails: ";  // the property's name, with why

struct Walk {
  std::vector<Move> path;             // what happened
  std::vector<World> worlds;          // one more than that
  std::vector<size_t> left_out;       // numbers of wanted moves that were not possible
  std::vector<size_t> possible_at;    // by move: it could have happened from this world on
  std::optional<std::string> broken;  // the property that the last world breaks
  bool ended = false;                 // nothing is left to happen

  size_t faults() const;
  // Pairs of moves the later of which had been possible before the earlier one was.
  size_t flips() const;
};

class Walker {
 public:
  enum class Then {
    kStop,
    kGoOn,  // until nothing is left to happen, without faults
  };
  static constexpr size_t kMostMoves = 10'000;

  explicit Walker(Runner& runner) : runner_(runner) {}  // which outlives this

  Walk walk(const std::vector<Move>& wanted, Then then);
  // Ends at the first property that is broken; moves by their printed form.
  Walk walk_printed(const std::vector<std::string>& wanted, Then then);

  Runner& runner() { return runner_; }

 private:
  using IsWanted = std::function<bool(size_t number, Move move)>;

  Walk walk_those(size_t count, const IsWanted& is_wanted, Then then);
  Walk begin();
  void look(const Walk& walk);
  void take(Walk& walk, size_t which);
  void go_on(Walk& walk);
  bool changes(const Walk& walk, Move move);
  void judge_end(Walk& walk);

  Runner& runner_;
  std::vector<Move> moves_;    // that are possible in the last world
  std::vector<size_t> since_;  // by move: the world from which on it was
};

// A fault, or a timer that fires early; not a restart, which only mends.
bool is_fault(Move move);

// The first property that this move breaks.
std::optional<std::string> broken_by(Runner& runner, WorldView before, const Step* step,
                                     WorldView after);
std::optional<std::string> broken_at_end(Runner& runner, WorldView world);

}  // namespace clew::explore
