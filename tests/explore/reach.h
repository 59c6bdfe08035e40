// What there is in a cluster, by the engine that sees every world, and what a strategy finds of it.
//
//   const Reach all = everything(cluster, 1'000);
//   const Reach some = reached(cluster, {.name = "modist", .parts = "independence"});
//   EXPECT_EQ(missing(all, some), "");       // or the ends that it never came to, or `a violation`
#pragma once

#include <set>
#include <string>

#include "explore/strategies/strategy.h"

namespace clew::explore {

struct Reach {
  // Worlds in which nothing was left that must happen, without what was spent of the Limits: how
  // many faults it took to come there is no part of what there is.
  std::set<std::string> ends{};
  bool violated = false;
  bool done = false;  // all was seen; of a strategy: it knows nothing else to try
  size_t paths = 0;
  size_t states = 0;
};

Reach everything(const Cluster& cluster, size_t most_states);

struct ReachOptions {
  Order order = Order::kChain;
  size_t most_paths = 20'000;
  size_t longest = 200;  // some paths never end
};
Reach reached(const Cluster& cluster, const StrategyOptions& strategy,
              const ReachOptions& options = {});

// Nothing if all of it was found.
std::string missing(const Reach& all, const Reach& found);

}  // namespace clew::explore
