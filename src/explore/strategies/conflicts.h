// Which two events of a path have to do with each other, as the published checkers have it.
//
//   Conflicts conflicts(runner, *parts_of("modist"), {});
//   conflicts.conflict(path, 0, 1)         // were event 1 to happen where 0 did
//   conflicts.look(path);                  // which come before which, for all that follows
//   conflicts.races(0, 1)
//
// MODIST: events of one node conflict, and others do not; the crash or restart of a node conflicts
// with all that goes to it or comes from it, and with other crashes and restarts. The parts of SAMC
// and FlyMC say of some events of one node that they do not conflict, in the state in which the
// earlier one happens. As published these rules miss runs: docs/strategies.md shows which, and what
// is sound instead.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "explore/strategies/parts.h"
#include "explore/strategies/path.h"

namespace clew::explore {

// What a handler reads and writes at most in some state, as somebody has found out beforehand.
using Analysed = std::function<node::Footprint(Steps& steps, LocalId local, InputId input)>;

class Conflicts {
 public:
  // `runner` outlives this. Sets::kAnalysed requires `analysed`.
  Conflicts(Runner& runner, const Parts& parts, Analysed analysed)
      : runner_(runner), parts_(parts), analysed_(std::move(analysed)) {}

  // Requires earlier < later.
  bool conflict(const Path& path, size_t earlier, size_t later);

  // Finds out about all pairs.
  void look(const Path& path);
  // Whether the later one is so because of the earlier one.
  bool before(size_t earlier, size_t later) const {
    return (past_[later * words_ + earlier / 64] >> (earlier % 64) & 1U) != 0;
  }
  // Whether the later one might not be what it is without the earlier one, whatever is said to be
  // independent: so is all that its node did before, and what that node knew then.
  bool may_lead_to(size_t earlier, size_t later) const {
    return (causes_[later * words_ + earlier / 64] >> (earlier % 64) & 1U) != 0;
  }
  // Whether they conflict, and nothing in between makes the later one wait for the earlier one.
  bool races(size_t earlier, size_t later) const {
    return (races_[later * words_ + earlier / 64] >> (earlier % 64) & 1U) != 0;
  }

 private:
  bool conflict_at_node(const Happening& one, const Happening& other, LocalId local);
  bool conflict_with_crash(const Happening& crash, const Happening& other, WorldView world) const;
  bool commute_locally(LocalId local, const Happening& one, const Happening& other);
  bool are_disjoint(LocalId local, const Happening& one, const Happening& other);
  node::Footprint footprint(LocalId local, const Happening& event);
  // The earlier one, and what is in its set.
  void add(std::vector<uint64_t>& sets, size_t earlier, size_t later) const;

  Runner& runner_;
  const Parts parts_;
  const Analysed analysed_;
  size_t words_ = 0;
  std::vector<uint64_t> past_, causes_, races_;  // by event, sets of earlier ones
};

}  // namespace clew::explore
