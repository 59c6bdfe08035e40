// Ours: whatever leads to a world that nobody has seen comes first, and nothing is tried that leads
// to one that somebody has.
//
// Plans come from each path that reaches new worlds. First, flips: two events that race happen in
// the other order, or several such pairs of different nodes at once; events that FlyMC's rules call
// independent do not race. Second, faults, each right before what its node does next. Third,
// everything else that is possible in a world that is new. Of the plans that wait, those come first
// in which a node takes a step that it has never taken, as far as is known; then flips and faults
// that lead to new worlds, which come before new steps every fourth time; then the rest. Of equals
// some are drawn, late ones, early ones, and any, as the seed decides: late ones go deep, early
// ones look everywhere. That one is run which leads to the most states and pairs of states of nodes
// that nobody has seen (newness.h), by the steps that are known: of its own worlds and the next
// few, as the order would have them. All of them would be too many, and the best of many is too
// greedy: it stays where much is new. Half of the paths, where the order leads to what is known,
// turn to something that is new; the others end.
//
// FlyMC leaves out what looks like something that was seen, or like something that commutes, which
// misses runs; here the same knowledge says what comes first. It is complete, since a plan is
// dropped only if the world that it leads to was seen, up to renaming of nodes that are alike, and
// of each world that was seen all moves become plans: when none is left, all worlds were seen.
#pragma once

#include <vector>

#include "base/random.h"
#include "explore/strategies/newness.h"
#include "explore/strategies/reorder.h"
#include "explore/strategies/strategy.h"
#include "explore/symmetry.h"
#include "explore/table.h"
#include "explore/verdicts.h"

namespace clew::explore {

class Novelty : public Strategy, private Guide {
 public:
  Novelty(Runner& runner, const StrategyOptions& options);

  std::optional<Plan> next() override;
  void observe(const Path& path) override;
  Guide* guide() override { return this; }
  size_t open() const override { return steps_.size() + flips_.size() + rest_.size(); }
  std::optional<std::string> not_alike() const override { return not_alike_; }

 private:
  // The beginning of a path that was run, then other moves.
  struct Waiting {
    uint32_t path = 0;
    uint32_t kept = 0;
    std::vector<Move> more{};
  };
  // How new it is, as far as is known.
  enum class Leads { kToNewStep, kToNewWorld, kToKnown };

  void reached(const Path& path, size_t at) override;
  std::optional<Move> choose(const Path& path, const std::vector<Move>& possible) override;
  Leads look_ahead(WorldView world, const std::vector<Move>& more);
  bool possible_here(Move move);
  void flip_races(const Path& path);
  void flip_together(const Path& path, const std::vector<Pair>& fresh, std::vector<Pair>& all);
  void wait(Reordered plan, WorldView world, std::vector<Waiting>& otherwise);
  bool is_near_fault(const Path& path, size_t at, Move move) const;
  // A plan, and where it waited.
  struct Drawn {
    std::vector<Waiting>* from = nullptr;
    Waiting waiting{};
    Plan plan{};
  };
  std::optional<Waiting> draw(std::vector<Waiting>& from);
  std::optional<Drawn> draw();
  std::optional<Plan> plan_of(const Waiting& waiting);
  size_t promise_of(const Plan& plan);
  World world_at(const Waiting& waiting);

  Runner& runner_;
  Random random_;
  Symmetry symmetry_;
  Verdicts verdicts_;
  Conflicts conflicts_;
  Newness newness_;
  PathRunner ahead_;  // by what is known
  WordSet worlds_;
  std::optional<std::string> not_alike_;
  std::vector<std::vector<Move>> paths_;
  std::vector<Waiting> steps_, flips_, rest_;
  std::vector<size_t> new_worlds_;  // of the current path
  size_t known_in_a_row_ = 0;       // worlds at its end
  bool turns_ = false;              // to what is new
  World canonical_, other_, here_, next_;
  std::vector<Move> moves_;
};

}  // namespace clew::explore
