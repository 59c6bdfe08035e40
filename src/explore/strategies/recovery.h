// SAMC's rules about crashes and reboots: what was recovered from once is not crashed again.
//
//   Recovery recovery;
//   recovery.is_new(abstract, world, crash, 0)    // whether it was never asked about one like that
//
// Two crashes are alike if the states of the survivors are, and that of the node, up to names; two
// restarts, if what the disks hold is. Nothing of this looks at what is under way, so it misses
// runs.
#pragma once

#include "explore/strategies/abstract.h"
#include "explore/table.h"

namespace clew::explore {

class Recovery {
 public:
  bool is_new(Abstract& abstract, WorldView world, Move move, uint8_t node) {
    const bool restart = move.kind == Move::Kind::kRestart;
    const uint64_t own = restart ? abstract.of_disk(world[node]) : abstract.of_node(world[node]);
    const uint64_t numbers[] = {restart ? 1U : 0U, abstract.of_nodes(world, node, restart), own};
    const uint64_t key = hash_numbers(numbers);
    const uint32_t words[] = {static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32U)};
    return seen_.insert(words).is_new;
  }

 private:
  WordSet seen_;
};

}  // namespace clew::explore
