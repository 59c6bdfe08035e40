// The engines against the naive explorer, on random clusters of tiny nodes.
#include <gtest/gtest.h>

#include <cstdlib>

#include "explore/stateful.h"
#include "tests/explore/naive.h"
#include "tests/explore/naive_loops.h"
#include "tests/explore/random_cluster.h"
#include "tests/explore/random_restless.h"
#include "tests/twins/effort.h"

namespace clew::explore {
namespace {

constexpr size_t kMostWorlds = 250;  // of the naive one, which is slow

// A path of the engine, by the naive explorer's own actions: it must know every move.
Naive::Path followed(const Naive& naive, Runner& runner, const std::vector<Move>& path) {
  Naive::Path result;
  for (const Move& move : path) {
    const Naive::World world = naive.run(result);
    const Input& input = runner.steps().input(move.input);
    static const std::string kKinds[] = {"deliver", "ask",  "fire",     "crash",
                                         "restart", "lose", "duplicate"};
    const std::string& kind = kKinds[static_cast<size_t>(move.kind)];
    bool found = false;
    for (const Naive::Action& action : naive.actions(result)) {
      if (found || action.kind != kind) continue;
      if (input.kind == Input::Kind::kEnvelope) {
        const Naive::Envelope& sent = world.under_way[action.what];
        found = sent.from == input.from && sent.to == input.to && sent.messages == input.parts;
      } else if (input.kind == Input::Kind::kRequest) {
        found = action.what == input.request.client;
      } else if (input.kind == Input::Kind::kTimer) {
        found = action.what == input.to.number && action.timer == input.parts.front();
      } else if (input.kind == Input::Kind::kCrash) {
        found = action.what == input.to.number && std::ranges::equal(action.reached, input.reached);
      } else {
        found = action.what == input.to.number;
      }
      if (found) result.push_back(action);
    }
    EXPECT_TRUE(found) << runner.print(move);
    if (!found) return result;
  }
  return result;
}

struct Sums {
  size_t complete = 0, complete_sets = 0, violated = 0, too_large = 0;
};

void argue(uint64_t seed, bool symmetric, Sums& sums) {
  SCOPED_TRACE("seed " + std::to_string(seed) + (symmetric ? ", symmetric" : ""));
  const std::unique_ptr<Cluster> cluster = random_cluster(seed, symmetric);
  const bool stays = seed % 5 == 0;
  if (stays) cluster->channels = Channels::kSet;
  Stateful engine(*cluster, {.symmetry = symmetric, .most_states = 4 * kMostWorlds, .stop = {}});
  const Exploration found = engine.run();
  const Naive naive(*cluster);
  const Naive::Found expected = naive.explore(kMostWorlds, symmetric);
  if (!expected.complete && !expected.violated) {
    EXPECT_GT(found.states, kMostWorlds);
    ++sums.too_large;
    return;
  }
  ASSERT_EQ(found.violation.has_value(), expected.violated.has_value());
  EXPECT_EQ(found.complete, expected.complete);
  if (!found.violation) {
    ++sums.complete;
    if (stays) ++sums.complete_sets;
    EXPECT_EQ(found.states, expected.worlds.size());
    EXPECT_EQ(found.terminals, expected.ends.size());
    return;
  }
  ++sums.violated;
  EXPECT_EQ(found.violation->path.size(), expected.moves_to_violation);
  const Naive::Path path = followed(naive, engine.runner(), found.violation->path);
  ASSERT_EQ(path.size(), found.violation->path.size());
  Naive::World before = naive.run({path.begin(), path.end() - (path.empty() ? 0 : 1)});
  EXPECT_TRUE(naive.violates(found.violation->property, before, naive.run(path)));
}

TEST(TwinTest, RandomClusters) {
  Sums sums;
  const uint64_t clusters = twins::effort(1'000);
  for (uint64_t seed = 1; seed <= clusters; ++seed) argue(seed, false, sums);
  EXPECT_GT(sums.complete * 10, clusters * 3);
  EXPECT_GT(sums.complete_sets * 50, clusters);
  EXPECT_GT(sums.violated * 10, clusters);
  EXPECT_LT(sums.too_large * 10, clusters * 5);
}

TEST(TwinTest, RandomSymmetricClusters) {
  Sums sums;
  const uint64_t clusters = twins::effort(200);
  for (uint64_t seed = 1; seed <= clusters; ++seed) argue(seed, true, sums);
  EXPECT_GT(sums.complete * 10, clusters * 2);
  EXPECT_GT(sums.violated * 10, clusters);
}

struct LoopSums {
  size_t fine = 0, ends = 0, loops = 0, too_large = 0;
};

void argue_of_loops(uint64_t seed, LoopSums& sums) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  const std::unique_ptr<Cluster> cluster = random_restless(seed);
  const Naive naive(*cluster);
  const NaiveLoops expected(naive, "it happens", kMostWorlds / 5);
  if (!expected.complete()) {
    ++sums.too_large;
    return;
  }
  Stateful engine(*cluster, {});
  const Exploration found = engine.run();
  if (!found.violation) {
    ++sums.fine;
    EXPECT_TRUE(found.complete);
    EXPECT_FALSE(expected.ends_badly());
    EXPECT_FALSE(expected.loops_badly());
    EXPECT_EQ(found.states, expected.worlds());
    return;
  }
  const std::vector<Move>& path = found.violation->path;
  const size_t loop = found.violation->loop.value_or(path.size());
  const Naive::Path whole = followed(naive, engine.runner(), path);
  ASSERT_EQ(whole.size(), path.size());
  const auto begin = whole.begin() + static_cast<std::ptrdiff_t>(loop);
  if (!found.violation->loop) {
    ++sums.ends;
    EXPECT_TRUE(expected.ends_badly());
    return;
  }
  ++sums.loops;
  EXPECT_FALSE(expected.ends_badly());
  EXPECT_TRUE(expected.loops_badly());
  EXPECT_TRUE(expected.is_bad_loop({whole.begin(), begin}, {begin, whole.end()}));
}

TEST(TwinTest, RandomRestlessClusters) {
  LoopSums sums;
  const uint64_t clusters =
      std::getenv("CLEW_LONG_TESTS") != nullptr ? 20'000 : twins::effort(1'500);
  for (uint64_t seed = 1; seed <= clusters; ++seed) argue_of_loops(seed, sums);
  EXPECT_GT(sums.fine * 10, clusters);
  EXPECT_GT(sums.loops * 10, clusters);
  EXPECT_GT(sums.ends * 20, clusters);
}

}  // namespace
}  // namespace clew::explore
