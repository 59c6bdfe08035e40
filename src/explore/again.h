// A path run again, by nodes made anew.
//
//   if (const auto other = run_again(runner, path)) ...   // other->why, after other->moves moves
//
// Steps that were computed once are not computed again: what depends on something that changes
// behind a node's back shows only if all is run anew. Engines do so with some of their paths.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "explore/runner.h"

namespace clew::explore {

struct Difference {
  size_t moves = 0;  // the last of so many had another effect; 0: a start had
  std::string why;   // as the name of what is violated
};

// Requires a path from the beginning of what `runner` explores.
std::optional<Difference> run_again(Runner& runner, const std::vector<Move>& path);

}  // namespace clew::explore
