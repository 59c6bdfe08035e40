// What is found does not depend on the number of threads, nor on what the engine may use.
#include <gtest/gtest.h>

#include <set>

#include "explore/stateful.h"
#include "systems/paxos/paxos.h"
#include "tests/explore/random_cluster.h"
#include "tests/explore/seen.h"
#include "tests/twins/effort.h"

namespace clew::explore {
namespace {

std::string explored(const Cluster& cluster, bool symmetry, size_t threads, size_t most_states) {
  Stateful engine(
      cluster, {.symmetry = symmetry, .most_states = most_states, .stop = {}, .threads = threads});
  const Exploration found = engine.run();
  return seen(engine, found);
}

void argue(const Cluster& cluster, bool symmetry, size_t most_states) {
  const std::string one = explored(cluster, symmetry, 1, most_states);
  EXPECT_EQ(explored(cluster, symmetry, 2, most_states), one);
  EXPECT_EQ(explored(cluster, symmetry, 3, most_states), one);
}

TEST(ThreadsTest, Paxos) {
  const size_t most = twins::kSlowBuild ? 2'000 : 200'000;
  Cluster cluster = paxos::cluster({});
  for (const bool symmetry : {false, true}) argue(cluster, symmetry, most);
  argue(paxos::cluster({.forgetful = true}), true, most);
  cluster.limits = {.crashes = 1, .restarts = 1, .losses = 1};
  argue(cluster, true, most / 20);
}

TEST(ThreadsTest, RandomClusters) {
  size_t large = 0;
  for (uint64_t seed = 1; seed <= twins::effort(100); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const bool symmetric = seed % 3 == 0;
    const std::unique_ptr<Cluster> cluster = random_cluster(seed, symmetric);
    cluster->limits.crashes = cluster->limits.losses = 1;
    argue(*cluster, symmetric, 2'000);
    Stateful engine(*cluster, {.symmetry = symmetric, .most_states = 2'000});
    if (engine.run().states > 1'000) ++large;
  }
  EXPECT_GT(large, twins::effort(100) / 10);  // threads had something to do
}

TEST(ThreadsTest, EndsWhereMemoryDoes) {
  const Cluster cluster = paxos::cluster({});
  std::set<size_t> states;
  for (const size_t threads : {size_t{1}, size_t{2}}) {
    Stateful engine(cluster, {.symmetry = false, .threads = threads, .most_bytes = 3'000'000});
    const Exploration found = engine.run();
    EXPECT_FALSE(found.complete);
    EXPECT_EQ(found.unfinished, "more than 3000000 bytes are needed");
    EXPECT_GT(found.states, 1'000U);
    EXPECT_LT(found.states, 100'989U);
    EXPECT_LE(found.bytes, 3'000'000U);
    states.insert(found.states);
  }
  EXPECT_EQ(states.size(), 1U);
  const Exploration enough =
      Stateful(paxos::cluster({.acceptors = 2}), {.most_bytes = 100'000'000}).run();
  EXPECT_TRUE(enough.complete);
  EXPECT_EQ(enough.unfinished, "");
}

TEST(ThreadsTest, SaysWhyItEnded) {
  const Cluster cluster = paxos::cluster({});
  EXPECT_EQ(Stateful(cluster, {.most_states = 100}).run().unfinished,
            "there are more than 100 states");
  const Exploration stopped = Stateful(cluster, {.stop = [] { return true; }}).run();
  EXPECT_EQ(stopped.unfinished, "it was stopped");
  EXPECT_FALSE(stopped.complete);
  EXPECT_EQ(stopped.moves, 0U);
}

TEST(ThreadsTest, TellsHowFarItIs) {
  const Cluster cluster = paxos::cluster({});
  std::vector<Progress> told;
  const size_t most = twins::kSlowBuild ? 25'000 : 200'000;
  Stateful engine(
      cluster, {.symmetry = false, .most_states = most, .progress = [&](const Progress& progress) {
                  told.push_back(progress);
                }});
  const Exploration found = engine.run();
  ASSERT_EQ(told.size(), found.moves / Stateful::kProgress);
  for (size_t i = 0; i < told.size(); ++i) {
    EXPECT_GE(told[i].moves, (i + 1) * Stateful::kProgress);
    EXPECT_LT(told[i].moves, (i + 1) * Stateful::kProgress + 1'000);
    EXPECT_LT(told[i].frontier, told[i].states);
    EXPECT_LE(told[i].states, found.states);
    EXPECT_LE(told[i].depth, found.depth);
    EXPECT_GT(told[i].bytes, told[i].states);
    const size_t before = i == 0 ? 0 : told[i - 1].states;
    EXPECT_GT(told[i].states, before);
  }
}

}  // namespace
}  // namespace clew::explore
