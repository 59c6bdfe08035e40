// Explores path by path as a strategy says.
//
//   Guided engine(cluster, {.strategy = {.name = "flymc"}, .most_paths = 10'000});
//   const Exploration result = engine.run();
//   result.violation                          // result.paths were needed to find it
//   result.complete                           // nothing is violated: of dfs and novelty only
//   result.gave_up                            // the strategy knows nothing else to try
//
// All strategies run paths in the same way, from the same first path, and are judged alike, so that
// the numbers of paths that they need compare.
#pragma once

#include <functional>

#include "base/stop.h"
#include "explore/exploration.h"
#include "explore/strategies/strategy.h"
#include "explore/symmetry.h"
#include "explore/table.h"

namespace clew::explore {

class Guided {
 public:
  struct Options {
    StrategyOptions strategy{};
    Order order = Order::kChain;
    size_t most_paths = 100'000;
    size_t longest = 10'000;  // moves of a path
    bool coverage = false;    // count the worlds and ends that were seen, up to renaming
    bool go_on = false;       // past violations, which then end their path only
    Stop stop{};
    std::function<void(const Progress&)> progress{};  // called every kSeldom paths
  };
  static constexpr size_t kSeldom = 16;

  // `cluster` outlives this.
  Guided(const Cluster& cluster, Options options);

  Exploration run();
  Runner& runner() { return runner_; }
  // With `coverage`: paths after which so many worlds were seen, at each doubling of the paths.
  struct Sample {
    size_t paths = 0, worlds = 0, ends = 0;
  };
  const std::vector<Sample>& samples() const { return samples_; }
  const PathRunner& paths() const { return paths_; }
  size_t diverged() const { return diverged_; }  // paths that did not go as planned

 private:
  void explore(Strategy& strategy);
  void count(const Path& path);
  void sample();
  void judge(const Path& path);

  const Cluster& cluster_;
  Options options_;
  Runner runner_;
  PathRunner paths_;
  Symmetry symmetry_;
  WordSet worlds_, ends_;
  World canonical_;
  std::vector<Sample> samples_;
  size_t diverged_ = 0;
  Exploration result_;
};

}  // namespace clew::explore
