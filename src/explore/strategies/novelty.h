// Ours: whatever leads to a world that nobody has seen comes first, and nothing is tried that leads
// to one that somebody has.
//
// A path goes on until it meets a world that was seen, up to renaming of nodes that are alike. From
// each world that is new, two kinds of plans come: flips, which let two events that race happen in
// the other order, and everything else that is possible there. Of the plans that wait, first those
// count in which a node takes a step that it has never taken, then flips that lead to new worlds,
// as far as what is known already tells, then the rest. Among equals the seed decides.
//
// FlyMC leaves out what looks like something that was seen, which misses runs; here the same
// knowledge says what comes first. It is complete, since a plan is dropped only if the world that
// it leads to was seen, and of each world that was seen all moves become plans: when none is left,
// all worlds were seen, each of them once.
#pragma once

#include <memory>
#include <vector>

#include "base/random.h"
#include "explore/strategies/strategy.h"
#include "explore/symmetry.h"
#include "explore/table.h"
#include "explore/verdicts.h"

namespace clew::explore {

class Novelty : public Strategy, private Visitor {
 public:
  Novelty(Runner& runner, uint64_t seed, bool symmetry);

  std::optional<Plan> next() override;
  void observe(const Path& path) override;
  Visitor* visitor() override { return this; }
  size_t open() const override { return steps_.size() + flips_.size() + rest_.size(); }
  std::optional<std::string> not_alike() const override { return not_alike_; }

 private:
  // The beginning of a path that was run, then other moves.
  struct Waiting {
    uint32_t path = 0;
    uint32_t kept = 0;
    std::vector<Move> more{};
  };
  enum class Leads { kToNewStep, kToNewWorld, kToKnown };

  bool visit(const Path& path, size_t at) override;
  Leads look_ahead(WorldView world, const std::vector<Move>& more);
  void flip_races(const Path& path);
  void wait(size_t kept, std::vector<Move> more, WorldView world, bool flip);
  std::optional<Waiting> draw(std::vector<Waiting>& from);
  World world_at(const Waiting& waiting);

  Runner& runner_;
  Random random_;
  Symmetry symmetry_;
  Verdicts verdicts_;
  Conflicts conflicts_;
  WordSet worlds_;
  std::optional<std::string> not_alike_;
  std::vector<std::vector<Move>> paths_;
  std::vector<Waiting> steps_, flips_, rest_;
  std::vector<size_t> new_worlds_;  // of the current path
  World canonical_, other_, here_, next_;
  std::vector<Move> moves_;
};

}  // namespace clew::explore
