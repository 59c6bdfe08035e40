// Whether properties hold, by what they look at: a property that looks at two nodes is asked once
// for every two states that these have together, not once for every world.
//
//   Verdicts verdicts(runner);
//   if (const Property* broken = verdicts.judge(before, after, Verdicts::kAll)) ...
//   verdicts.unknown(before, after, Verdicts::kAll, room)    // which kinds would have to be asked
//
// A property is a function of the States that it is given. Which nodes it looked at is noticed; as
// long as these have the same states, it says the same.
#pragma once

#include <vector>

#include "explore/runner.h"
#include "explore/table.h"

namespace clew::explore {

class Verdicts {
 public:
  // Which properties: those of states, those of steps.
  enum Which : uint8_t { kNone = 0, kAlways = 1, kStep = 2, kAll = 3 };

  // `runner` outlives this.
  explicit Verdicts(Runner& runner);

  // The first that does not hold; null if all do.
  const Property* judge(WorldView before, WorldView after, Which which);
  // Those of which it is not known that they hold. Any number of threads may ask, while nobody
  // judges.
  Which unknown(WorldView before, WorldView after, Which which, World& room) const;
  bool has_steps() const { return has_steps_; }  // properties of them
  // Whether properties of states ever looked at this node. If not, they hold after a step of it if
  // they held before.
  bool looks_at(Id node) const { return looks_at_[node.number] != 0; }
  size_t bytes() const;

  void save(Saver& out) const;
  bool load(Loader& in);

 private:
  static constexpr size_t kMost = 1U << 20U;  // that are remembered of one property

  struct Known {
    const Property* property;
    Which kind;
    std::vector<uint8_t> before, after;  // nodes that it ever looked at, sorted
    WordSet holds;                       // for these states of theirs
  };

  static void key_of(const Known& known, WorldView before, WorldView after, World& out);
  bool ask(Known& known, WorldView before, WorldView after);

  Runner& runner_;
  std::vector<Known> all_;
  bool has_steps_ = false;
  std::vector<uint8_t> looks_at_;  // by node
  World key_;
};

}  // namespace clew::explore
