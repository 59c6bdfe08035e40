// Strategies against the engine that sees every world, on random clusters of tiny nodes: what is
// sound misses nothing, and novelty sees every world.
#include <gtest/gtest.h>

#include <cstdlib>

#include "explore/stateful.h"
#include "explore/strategies/guided.h"
#include "tests/explore/random_cluster.h"
#include "tests/explore/reach.h"
#include "tests/twins/effort.h"

namespace clew::explore {
namespace {

constexpr size_t kFewStates = 300;

uint64_t many(uint64_t few, uint64_t lots) {
  return std::getenv("CLEW_LONG_TESTS") != nullptr ? lots : twins::effort(few);
}

std::unique_ptr<Cluster> some_cluster(uint64_t seed) { return random_cluster(seed, seed % 4 == 0); }

// Whether two equal envelopes are ever under way at once. Which of them it was that a step had
// sent is then not known, and the order of events that follows from it is a guess.
bool has_equal_envelopes(const Cluster& cluster) {
  Stateful engine(cluster, {.symmetry = false, .most_states = kFewStates, .stop = {}});
  engine.run();
  for (uint32_t id = 0; id < engine.worlds().size(); ++id) {
    const World world = engine.worlds()[id];
    const WorldView under_way = engine.runner().under_way(world);
    if (std::ranges::adjacent_find(under_way) != under_way.end()) return true;
  }
  return false;
}

struct Counts {
  size_t compared = 0, violated = 0, unfinished = 0, missed = 0;
};

void argue(uint64_t seed, const StrategyOptions& options, const Order order, Counts& counts) {
  const std::unique_ptr<Cluster> cluster = some_cluster(seed);
  const Reach all = everything(*cluster, kFewStates);
  if (!all.done && !all.violated) return;
  const Reach found = reached(*cluster, options, {.order = order, .most_paths = 2'000});
  if (!found.done && !found.violated) {
    ++counts.unfinished;
    return;
  }
  ++counts.compared;
  counts.violated += all.violated ? 1 : 0;
  const std::string missed = missing(all, found);
  if (missed.empty()) return;
  ++counts.missed;
  EXPECT_TRUE(has_equal_envelopes(*cluster))
      << "seed " << seed << ", " << options.name << " " << options.parts << " misses " << missed;
}

void expect_nothing_missed(const StrategyOptions& options, uint64_t few, uint64_t lots,
                           Order order = Order::kChain) {
  SCOPED_TRACE(options.name + " " + options.parts);
  Counts counts;
  const uint64_t seeds = many(few, lots);
  for (uint64_t seed = 1; seed <= seeds; ++seed) argue(seed, options, order, counts);
  EXPECT_GT(counts.compared * 2, seeds);
  EXPECT_GT(counts.violated * 10, seeds * 2);
  EXPECT_LE(counts.missed * 2'000, seeds);
  if (std::getenv("CLEW_LONG_TESTS") != nullptr) {
    fmt::print(
        "{} {}: {} of {} compared, {} violated, {} not over after so many paths, {} missed\n",
        options.name, options.parts, counts.compared, seeds, counts.violated, counts.unfinished,
        counts.missed);
  }
}

TEST(StrategiesTwinTest, ModistMissesNothing) {
  expect_nothing_missed({.name = "modist"}, 200, 20'000);
  expect_nothing_missed({.name = "modist"}, 50, 5'000, Order::kFifo);
  expect_nothing_missed({.name = "modist"}, 50, 5'000, Order::kRoundRobin);
}

// A crash takes away nothing that is under way, and all crashes are tried at the same places.
TEST(StrategiesTwinTest, CrashesOfWhoSentItMissNothing) {
  expect_nothing_missed({.name = "modist", .parts = "crash-independence"}, 100, 10'000);
  expect_nothing_missed({.name = "modist", .parts = "crash-message"}, 100, 10'000);
}

TEST(StrategiesTwinTest, ParallelFlipsAndCachingMissNothing) {
  expect_nothing_missed({.name = "modist", .parts = "parallel"}, 100, 10'000);
  expect_nothing_missed({.name = "modist", .parts = "caching"}, 50, 5'000);
}

TEST(StrategiesTwinTest, DfsMissesNothing) { expect_nothing_missed({.name = "dfs"}, 50, 3'000); }

// The same worlds and ends, up to renaming, and a violation if there is one.
TEST(StrategiesTwinTest, NoveltySeesEveryWorld) {
  const uint64_t seeds = many(300, 20'000);
  size_t complete = 0, violated = 0, cut = 0, unfinished = 0;
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::unique_ptr<Cluster> cluster = some_cluster(seed);
    Stateful engine(*cluster, {.most_states = kFewStates, .stop = {}, .threads = 1});
    const Exploration all = engine.run();
    if (!all.complete && !all.violation) continue;
    Guided novelty(*cluster, {.strategy = {.seed = seed},
                              .order = kAllOrders[seed % 3],
                              .most_paths = 2'000,
                              .longest = 200,
                              .coverage = true});
    const Exploration found = novelty.run();
    // Where worlds have no end, there may be something newer for ever.
    if (all.violation && !found.violation && !found.gave_up) {
      ++unfinished;
      continue;
    }
    ASSERT_EQ(found.violation.has_value(), all.violation.has_value());
    ASSERT_EQ(found.not_alike.has_value() && !found.violation,
              all.not_alike.has_value() && !all.violation);
    violated += all.violation ? 1 : 0;
    if (all.violation) continue;
    cut += found.cut > 0 ? 1 : 0;
    if (found.cut > 0) continue;
    ++complete;
    EXPECT_TRUE(found.complete);
    EXPECT_EQ(found.states, all.states);
    EXPECT_EQ(found.terminals, all.terminals);
  }
  EXPECT_GT(complete * 10, seeds * 3);
  EXPECT_GT(violated * 10, seeds * 2);
  EXPECT_LT(cut * 50, seeds);
  EXPECT_LE(unfinished * 2'000, seeds);
  if (std::getenv("CLEW_LONG_TESTS") != nullptr) {
    fmt::print("novelty: {} complete, {} violated, {} cut, {} not over after so many paths\n",
               complete, violated, cut, unfinished);
  }
}

}  // namespace
}  // namespace clew::explore
