// States and moves without the names of nodes, as FlyMC and SAMC compare them.
//
//   Abstract abstract(runner);
//   abstract.of_nodes(world)                  // the same for worlds that differ in who is who
//   abstract.of_event(world, path.events[0].move)      // the same for a message, whoever gets it
//
// Nodes of one class are alike; what a node says of others in its fields stays as it is, and so do
// messages but for sender and receiver. This is not sound: two nodes that name each other
// are not told apart from two that name themselves, and which node a message goes to is forgotten.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "explore/runner.h"

namespace clew::explore {

class Abstract {
 public:
  // `runner` outlives this.
  explicit Abstract(Runner& runner) : runner_(runner) {}

  uint64_t of_node(LocalId local);
  uint64_t of_disk(LocalId local);  // what a crash cannot take away
  uint64_t of_nodes(WorldView world, uint8_t but = UINT8_MAX, bool disks = false);
  uint64_t of_world(WorldView world);  // with what is under way and spent
  uint64_t of_event(WorldView world, Move move);

 private:
  uint64_t of_input(InputId input);
  uint64_t numbered(std::string bytes);

  Runner& runner_;
  std::unordered_map<std::string, uint64_t> numbers_;
  std::vector<uint64_t> nodes_, disks_, inputs_;  // + 1, or 0 if it is not known
  std::vector<uint64_t> room_;
};

uint64_t hash_numbers(std::span<const uint64_t> numbers);

}  // namespace clew::explore
