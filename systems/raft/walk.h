// One run of a cluster at random, and runs of given moves: for what is too deep to be explored.
//
//   const Outcome outcome = walk(cluster, seed, 200);
//   if (!outcome.violation.empty()) ...                   // outcome.moves lead there
//   const Outcome again = replay(cluster, outcome.moves);
//   const Outcome least = shrink(outcome, [&](const auto& moves) { return replay(cluster, moves);
//   });
//
// Moves are told as text, as the Runner prints them, so that a run can be kept in a file.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "explore/runner.h"

namespace clew::raft {

struct Outcome {
  std::string violation{};  // the property, or why a handler failed; empty: nothing is wrong
  std::vector<std::string> moves{};
};

// Is told each move before it is made.
using OnMove = std::function<void(const std::string& move)>;

Outcome walk(const explore::Cluster& cluster, uint64_t seed, size_t most_moves,
             const OnMove& on_move = {});

// Instead of a move that is not possible the first of its kind is made, with the same nodes and the
// same type of message, or none. The Outcome has what was made.
Outcome replay(const explore::Cluster& cluster, const std::vector<std::string>& moves,
               const OnMove& on_move = {});

// The same violation after fewer moves, of which no one and no two can be left out.
using Replay = std::function<Outcome(const std::vector<std::string>& moves)>;
Outcome shrink(Outcome found, const Replay& replay);

}  // namespace clew::raft
