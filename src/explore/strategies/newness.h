// How new worlds are: by the states of single nodes, of two nodes at once, and of all of them, that
// were never seen.
//
//   Newness newness(runner);
//   newness.see(path.worlds[0]);
//   newness.of(path.worlds, 1, path.worlds.size())     // what these worlds would add
//
// There are few states of a node and few pairs of them, however many worlds there are: who looks
// for pairs goes to places where nobody was, where who looks for worlds finds one beside each that
// is known. All nodes at once count where there is no other difference. Names of alike nodes do not
// matter (abstract.h), which is not sound: it says what comes first, and nothing else.
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "explore/strategies/abstract.h"
#include "explore/table.h"

namespace clew::explore {

class Newness {
 public:
  static constexpr size_t kAll = 1, kPair = 1'000, kOne = 4 * kPair;

  // `runner` outlives this.
  explicit Newness(Runner& runner) : abstract_(runner), size_(runner.cluster().size()) {}

  void see(WorldView world);
  // Of the worlds from `begin` to `end`.
  size_t of(const std::vector<World>& worlds, size_t begin, size_t end);

 private:
  template <class Note>
  void each(WorldView world, const Note& note);

  Abstract abstract_;
  const size_t size_;  // nodes
  WordSet seen_;
  std::unordered_set<uint64_t> fresh_;  // scratch
  std::vector<uint64_t> states_;        // scratch
};

}  // namespace clew::explore
