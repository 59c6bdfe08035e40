// Walks a path again, as far as it goes: what cannot happen any more is left out.
//
//   Walker walker(runner);
//   const Walk walk = walker.walk(path, Walker::Then::kStop);
//   walk.broken                            // the property that the last move breaks, if it does
//
// Every property is asked afresh after every move: what an engine has found is seen again here,
// without whatever it remembers.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "explore/runner.h"
#include "explore/verdicts.h"

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
  // It goes on as it did before, for ever, and what must hold again and again does.
  bool goes_round = false;
  // The moves from this one on may go on for ever, and that is what breaks it.
  std::optional<size_t> loop;
  std::vector<Move> never_fire;  // timers that are set all the while in it, and wait
  std::string no_loop;           // if one was wanted: why it is none

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

  // Ends at the first property that is broken. The moves from number `loop` on, if there is one,
  // are looked at as a loop.
  using Loop = std::optional<size_t>;
  Walk walk(const std::vector<Move>& wanted, Then then, Loop loop = {});
  // Moves by their printed form.
  Walk walk_printed(const std::vector<std::string>& wanted, Then then, Loop loop = {});

  Runner& runner() { return runner_; }
  // From now on, what goes on by itself goes on for so many moves at most.
  void limit(size_t most_moves) { most_moves_ = std::min(most_moves, kMostMoves); }

 private:
  using IsWanted = std::function<bool(size_t number, Move move)>;

  Walk walk_those(size_t count, const IsWanted& is_wanted, Then then, Loop loop);
  Walk begin();
  void look(const Walk& walk);
  void take(Walk& walk, size_t which);
  void go_on(Walk& walk);
  // All that decides how it goes on: the last world, and which of its moves are older.
  std::vector<uint32_t> situation(const Walk& walk) const;
  bool goes_well_since(const Walk& walk, size_t begin);
  bool changes(const Walk& walk, Move move);
  void judge_end(Walk& walk);
  void judge_loop(Walk& walk, size_t begin);

  Runner& runner_;
  size_t most_moves_ = kMostMoves;
  std::vector<Move> moves_;    // that are possible in the last world
  std::vector<size_t> since_;  // by move: the world from which on it was
};

// A fault, or a timer that fires early; not a restart, which only mends.
bool is_fault(Move move);

// The first property that this move breaks.
std::optional<std::string> broken_by(Runner& runner, WorldView before, const Step* step,
                                     WorldView after);
// The same, by what was judged before.
std::optional<std::string> broken_by(Runner& runner, Verdicts& verdicts, WorldView before,
                                     const Step* step, WorldView after);
std::optional<std::string> broken_at_end(Runner& runner, WorldView world);
// Of the moves from `begin` on, in a run that is known to go that way.
struct LoopVerdict {
  std::optional<std::string> broken{};  // the first property that going on for ever breaks
  std::string no_loop{};                // why it breaks none
  std::vector<Move> never_fire{};       // timers that are set all the while, and wait
};
LoopVerdict judge_loop(Runner& runner, const std::vector<Move>& path,
                       const std::vector<World>& worlds, size_t begin);

}  // namespace clew::explore
