#include "explore/strategies/newness.h"

#include <algorithm>
#include <array>

namespace clew::explore {

namespace {

std::array<uint32_t, 2> words_of(uint64_t key) {
  return {static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32U)};
}

}  // namespace

// Every state, every pair and all at once, with what it counts.
template <class Note>
void Newness::each(WorldView world, const Note& note) {
  states_.clear();
  for (size_t i = 0; i < size_; ++i) states_.push_back(abstract_.of_node(world[i]));
  std::ranges::sort(states_);
  for (size_t i = 0; i < size_; ++i) {
    note(mixed(states_[i]), kOne);
    for (size_t j = 0; j < i; ++j) {
      const uint64_t both[] = {states_[j], states_[i]};
      note(hash_numbers(both), kPair);
    }
  }
  if (size_ > 2) note(hash_numbers(states_), kAll);
}

void Newness::see(WorldView world) {
  each(world, [this](uint64_t key, size_t) { seen_.insert(words_of(key)); });
}

size_t Newness::of(const std::vector<World>& worlds, size_t begin, size_t end) {
  size_t sum = 0;
  fresh_.clear();
  for (size_t at = begin; at < end; ++at) {
    each(worlds[at], [&](uint64_t key, size_t counts) {
      if (!seen_.contains(words_of(key)) && fresh_.insert(key).second) sum += counts;
    });
  }
  return sum;
}

}  // namespace clew::explore
