// A run in a process of its own, since a library in C may end the process that runs it.
//
//   const Outcome outcome = in_child([&](const OnMove& on_move) {
//     return walk(cluster, seed, 200, on_move);
//   });
//   if (outcome.violation == "signal 11: Segmentation fault") ...   // the last of the moves did it
#pragma once

#include <functional>

#include "systems/raft/walk.h"

namespace clew::raft {

Outcome in_child(const std::function<Outcome(const OnMove&)>& run);

}  // namespace clew::raft
