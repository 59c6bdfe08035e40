// What an engine has found.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "explore/runner.h"

namespace clew::explore {

// Moves from the initial world on, the last of which shows that a property does not hold.
struct Violation {
  std::string property;
  std::vector<Move> path;
  // If the moves from this one on lead back to where they begin, and may happen for ever.
  std::optional<size_t> loop{};
};

// How a property of the kind kEventually was judged.
struct Awaited {
  std::string property;
  size_t held = 0;     // in so many worlds
  size_t awaited = 0;  // in all others
};

struct Exploration {
  size_t states = 0;      // of Stateful: worlds, up to renaming
  size_t paths = 0;       // of others: runs from the beginning to an end, or until they were cut
  size_t blocked = 0;     // of Stateless: begun, and left where all that may follow was seen before
  size_t cut = 0;         // of the paths: left because they were as long as paths may be
  size_t moves = 0;       // tried
  size_t terminals = 0;   // worlds in which nothing is left to happen
  size_t depth = 0;       // moves to the farthest world
  size_t bytes = 0;       // that the worlds take
  bool complete = false;  // there is nothing else within the Limits
  // Of Guided: there is nothing else to try by the rules of the strategy, which may miss runs.
  bool gave_up = false;
  std::string unfinished{};  // why not, if nothing is violated
  // Why nodes that were said to be alike are not: then renaming was left out.
  std::optional<std::string> not_alike{};
  std::vector<Awaited> awaited{};
  std::optional<Violation> violation{};
};

// How far an engine is.
struct Progress {
  size_t states = 0;
  size_t frontier = 0;  // of them, those whose moves were not tried yet
  size_t paths = 0;
  size_t depth = 0;
  size_t moves = 0;
  size_t bytes = 0;
};

}  // namespace clew::explore
