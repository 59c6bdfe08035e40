// What decides which path comes next: the driver asks, the strategy answers.
//
//   READY --next(): a plan--> ASKED --observe(path): what came of it--> READY
//   READY --next(): nothing--> over
//
//   while (const std::optional<Plan> plan = strategy->next()) {
//     strategy->observe(paths.run(*plan, &random, strategy->guide()));
//   }
//
// A strategy never runs anything itself. What it may ask the Runner is what is known already, but
// for the rules of SAMC and FlyMC that look at what a handler does in some state: the published
// ones have that from people and from static analysis.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "explore/strategies/conflicts.h"
#include "explore/strategies/path.h"

namespace clew::explore {

class Strategy {
 public:
  virtual ~Strategy() = default;

  virtual std::optional<Plan> next() = 0;
  virtual void observe(const Path& path) = 0;
  virtual Guide* guide() { return nullptr; }
  virtual size_t open() const { return 0; }  // plans that wait
  // Why nodes that were said to be alike are not; then nothing was left out for it.
  virtual std::optional<std::string> not_alike() const { return std::nullopt; }
};

struct StrategyOptions {
  std::string name = "novelty";  // of strategy_names()
  std::string parts{};           // switched on besides
  uint64_t seed = 0;
  bool faults = false;  // as PathRunner::Options: paths have all the crashes that they may have
  bool symmetry = true;
  Analysed analysed{};
  // As PathRunner::Options; Guided says them.
  Order order = Order::kChain;
  size_t longest = 10'000;
};

// Throws Mistake if there is no such strategy or part.
std::unique_ptr<Strategy> make_strategy(Runner& runner, const StrategyOptions& options);

}  // namespace clew::explore
