// Explores every world once: breadth first, so that what is found is as short as can be.
//
// Worlds that differ only in the names of nodes said to be alike count as one. That they are alike
// is tried on many worlds; if it turns out to be wrong, all begins anew without it.
//
//   Stateful engine(cluster, {.symmetry = true});
//   const Exploration result = engine.run();
//   if (result.violation) ...                 // the shortest path to it
//   if (result.complete) ...                  // there is none
#pragma once

#include <functional>
#include <vector>

#include "base/stop.h"
#include "explore/exploration.h"
#include "explore/runner.h"
#include "explore/symmetry.h"
#include "explore/table.h"

namespace clew::explore {

class Stateful {
 public:
  struct Options {
    bool symmetry = true;
    size_t most_states = 100'000'000;
    Stop stop{};
  };

  // `cluster` outlives this.
  Stateful(const Cluster& cluster, Options options);

  Exploration run();
  Runner& runner() { return runner_; }
  const WordSet& worlds() const { return worlds_; }  // canonical ones, all that were found
  const std::vector<uint32_t>& terminals() const { return terminals_; }

 private:
  Exploration explore();
  // Looks whether renaming makes a difference to some of the worlds: the first ones, and of later
  // ones fewer and fewer.
  bool treats_alike(uint32_t id);
  bool begins_badly() const { return result_.violation && result_.violation->path.empty(); }
  void expand(uint32_t id);
  // Notes the first property that does not hold.
  void judge(WorldView before, const Step* step, WorldView after, bool is_new,
             const std::function<std::vector<Move>()>& path);
  void judge_end(uint32_t id);
  Move like(const std::vector<Move>& path, Move move);
  std::vector<Move> path_to(uint32_t id);

  const Cluster& cluster_;
  Options options_;
  Runner runner_;
  Symmetry symmetry_;
  WordSet worlds_;
  std::vector<uint32_t> parents_;  // by world
  std::vector<uint32_t> terminals_;
  std::vector<Move> moves_;
  World world_, next_, canonical_;
  Exploration result_;
};

}  // namespace clew::explore
