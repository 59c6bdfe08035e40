// ZooKeeper's bugs: known schedules break what they should, their repairs stand these and others.
#include <gtest/gtest.h>

#include <fstream>

#include "explore/stateful.h"
#include "explore/stateless.h"
#include "explore/walk.h"
#include "systems/bugs/zookeeper.h"

namespace clew::systems {
namespace {

using bugs::Variant;
using bugs::zookeeper::Ends;
using explore::Cluster;
using explore::Exploration;
using explore::Limits;
using explore::Runner;
using explore::Stateful;
using explore::Stateless;
using explore::Walk;
using explore::Walker;

std::vector<std::string> zookeeper_schedule(const std::string& name) {
  std::ifstream in("systems/bugs/found/" + name + ".txt");
  EXPECT_TRUE(in) << name;
  std::vector<std::string> moves;
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("#")) moves.push_back(line);
  }
  return moves;
}

struct Shown {
  const char* schedule;
  Cluster (*cluster)(Variant);
  Limits limits;  // that it needs
  const char* broken;
  size_t moves;
};

const Shown kZookeeperShown[] = {
    {"zook_1", bugs::zook_1, {2, 2}, "servers agree on what they serve", 29},
    {"zook_1_one_crash", bugs::zook_1, {1, 1}, "servers agree on what they serve", 48},
    {"zook_1_zxid", bugs::zook_1, {2, 1}, "a zxid has one value", 41},
    {"zook_2",
     [](Variant variant) { return bugs::zook_2(variant); },
     {1, 1},
     "nobody is locked out",
     39},
    {"zook_3",
     [](Variant variant) { return bugs::zook_3(variant); },
     {3, 3},
     "an election does not go round",
     29},
    {"zook_4", bugs::zook_4, {1, 0}, "who leads has a majority of voters", 24}};

TEST(ZookeeperTest, SchedulesBreakWhatTheyShould) {
  for (const Shown& shown : kZookeeperShown) {
    SCOPED_TRACE(shown.schedule);
    Cluster cluster = shown.cluster(Variant::kBug);
    EXPECT_LE(shown.limits.crashes, cluster.limits.crashes);
    EXPECT_LE(shown.limits.restarts, cluster.limits.restarts);
    cluster.limits = shown.limits;
    Runner runner(cluster);
    Walker walker(runner);
    const Walk walk = walker.walk_printed(zookeeper_schedule(shown.schedule), Walker::Then::kStop);
    EXPECT_EQ(walk.broken, shown.broken);
    EXPECT_EQ(walk.path.size(), shown.moves);
    EXPECT_TRUE(walk.left_out.empty());
  }
}

TEST(ZookeeperTest, RepairsStandTheSameSchedules) {
  for (const Shown& shown : kZookeeperShown) {
    SCOPED_TRACE(shown.schedule);
    const Cluster cluster = shown.cluster(Variant::kRepair);
    Runner runner(cluster);
    Walker walker(runner);
    const Walk walk = walker.walk_printed(zookeeper_schedule(shown.schedule), Walker::Then::kGoOn);
    EXPECT_FALSE(walk.broken) << *walk.broken;
    EXPECT_TRUE(walk.ended);
  }
}

// What never ends: the moves from number `begin` on.
Walk walk_for_ever(const Cluster& cluster, const std::string& name, size_t begin) {
  Runner runner(cluster);
  return Walker(runner).walk_printed(zookeeper_schedule(name), Walker::Then::kStop, begin);
}

TEST(ZookeeperTest, ALockedOutServerIsLockedOutForEver) {
  const Walk walk = walk_for_ever(bugs::zook_2(Variant::kBug, Ends::kNever), "zook_2_for_ever", 39);
  EXPECT_EQ(walk.broken, "whoever is up has a leader") << walk.no_loop;
  EXPECT_EQ(walk.loop, 39U);
  EXPECT_EQ(walk.path.size(), 45U);
  const Walk repaired =
      walk_for_ever(bugs::zook_2(Variant::kRepair, Ends::kNever), "zook_2_for_ever", 39);
  EXPECT_FALSE(repaired.broken);
}

TEST(ZookeeperTest, AnElectionGoesRoundForEver) {
  const Walk walk =
      walk_for_ever(bugs::zook_3_election(Variant::kBug, Ends::kNever), "zook_3_for_ever", 22);
  EXPECT_EQ(walk.broken, "whoever is up has a leader") << walk.no_loop;
  EXPECT_EQ(walk.loop, 22U);
  EXPECT_EQ(walk.path.size(), 34U);
  const Walk repaired =
      walk_for_ever(bugs::zook_3_election(Variant::kRepair, Ends::kNever), "zook_3_for_ever", 22);
  EXPECT_FALSE(repaired.broken);
}

TEST(ZookeeperTest, TheStatefulEngineFindsALeaderWithoutVoters) {
  const Cluster cluster = bugs::zook_4(Variant::kBug);
  const Exploration found = Stateful(cluster, {}).run();
  ASSERT_TRUE(found.violation);
  EXPECT_EQ(found.violation->path.size(), 24U);
  const Cluster repaired = bugs::zook_4(Variant::kRepair);
  const Exploration all = Stateful(repaired, {}).run();
  EXPECT_TRUE(all.complete);
  EXPECT_FALSE(all.violation);
}

TEST(ZookeeperTest, AnElectionEndsIfVotesHaveAnOrder) {
  for (const Ends ends : {Ends::kAtRest, Ends::kNever}) {
    const Cluster cluster = bugs::zook_3_election(Variant::kRepair, ends);
    const Exploration found = Stateful(cluster, {}).run();
    EXPECT_TRUE(found.complete);
    EXPECT_FALSE(found.violation);
    EXPECT_EQ(found.terminals, 1U);
  }
  const Cluster cluster = bugs::zook_3_election(Variant::kBug, Ends::kAtRest);
  const Exploration found = Stateful(cluster, {}).run();
  ASSERT_TRUE(found.violation);
  EXPECT_EQ(found.violation->property, "an election does not go round");
  EXPECT_EQ(found.violation->path.size(), 7U);
}

Exploration some_paths(const Cluster& cluster, size_t count) {
  return Stateless(cluster,
                   {.reduction = explore::Reduction::kRandom, .seed = 1, .most_paths = count})
      .run();
}

TEST(ZookeeperTest, RandomPathsFindTwoOfThem) {
  const Exploration first = some_paths(bugs::zook_1(Variant::kBug), 1'000);
  ASSERT_TRUE(first.violation);
  EXPECT_EQ(first.violation->property, "servers agree on what they serve");
  const Exploration second = some_paths(bugs::zook_2(Variant::kBug), 10'000);
  ASSERT_TRUE(second.violation);
  EXPECT_EQ(second.violation->property, "nobody is locked out");
}

TEST(ZookeeperTest, RandomPathsFindNothingInRepairs) {
  const Cluster clusters[] = {bugs::zook_1(Variant::kRepair), bugs::zook_2(Variant::kRepair),
                              bugs::zook_3(Variant::kRepair)};
  for (const Cluster& cluster : clusters) {
    const Exploration found = some_paths(cluster, 3'000);
    EXPECT_FALSE(found.violation) << found.violation->property;
    EXPECT_EQ(found.paths, 3'000U);
  }
}

}  // namespace
}  // namespace clew::systems
