// Worlds that differ only in which of some alike nodes is which.
//
//   Symmetry symmetry(runner, use);
//   symmetry.canonical(world, out);       // the same for all of them
//
// Of all renamings that keep the declared groups, the one that gives the smallest array counts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "explore/runner.h"

namespace clew::explore {

class Symmetry {
 public:
  static constexpr size_t kMostRenamings = 5'040;

  // `runner` outlives this. Without `use` every world stands for itself.
  Symmetry(Runner& runner, bool use);

  size_t renamings() const { return renamings_.size() + 1; }  // with the one that changes nothing
  const std::vector<node::Renaming>& others() const { return renamings_; }  // without it
  void canonical(WorldView world, World& out);
  // The same by what is known already (runner.h), which may be too little. `other` is room for it.
  bool known_canonical(WorldView world, World& other, World& out) const;
  // Whether renaming before a move and after it are the same, for all moves of this world, and
  // properties hold of all its likes or of none; if not, what differs.
  std::optional<std::string> breaks(WorldView world);

 private:
  Runner* runner_;
  std::vector<node::Renaming> renamings_;  // all but that one
  World other_;
};

}  // namespace clew::explore
