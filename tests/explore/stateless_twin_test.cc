// The stateless engine against the stateful one, against the naive explorer and against all paths,
// on random clusters of tiny nodes.
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/random.h"
#include "explore/stateful.h"
#include "explore/stateless.h"
#include "tests/explore/all_paths.h"
#include "tests/explore/naive.h"
#include "tests/explore/random_cluster.h"
#include "tests/twins/effort.h"

namespace clew::explore {
namespace {

constexpr size_t kMostStates = 400;
constexpr size_t kMostPaths = 400;
constexpr size_t kLongest = 40;  // some paths never end

bool takes_long() { return std::getenv("CLEW_LONG_TESTS") != nullptr; }

uint64_t seeds(uint64_t few) { return takes_long() ? 20'000 : twins::effort(few); }

// Every kind of fault, once, twice and without limit; every kind of channel; nodes that do not say
// what they remember.
std::unique_ptr<Cluster> varied_cluster(uint64_t seed) {
  Random random(seed * 77 + 5);
  std::unique_ptr<Cluster> cluster = random_cluster(seed, false, random.uniform_below(8) == 0);
  const auto times = [&] {
    static constexpr uint8_t kTimes[] = {0, 0, 0, 1, 1, 2};
    return kTimes[random.uniform_below(6)];
  };
  if (random.uniform_below(2) == 0) {
    cluster->limits = {times(), times(), times(), times(), times()};
    if (random.uniform_below(2) == 0) cluster->limits.total = times();
    if (random.uniform_below(2) == 0) cluster->limits.requests = times();
    if (random.uniform_below(4) == 0) cluster->limits.early_timers = kUnlimited;
    if (random.uniform_below(8) == 0) cluster->limits.crashes = kUnlimited;
    if (random.uniform_below(8) == 0) cluster->limits.losses = kUnlimited;
  }
  if (random.uniform_below(5) == 0) cluster->channels = Channels::kSet;
  return cluster;
}

std::set<std::string> ends_of(Stateful& engine) {
  std::set<std::string> result;
  for (const uint32_t id : engine.terminals()) {
    result.insert(engine.runner().encode(engine.worlds()[id]));
  }
  return result;
}

std::set<std::string> ends_of(Stateless& engine) {
  std::set<std::string> result;
  for (uint32_t id = 0; id < engine.terminals().size(); ++id) {
    result.insert(engine.runner().encode(engine.terminals()[id]));
  }
  return result;
}

// Whether the path is one, and its last move, or the world after it, violates the property.
void expect_violation(const Cluster& cluster, const Violation& violation, Runner& runner) {
  World world = runner.initial(), next = world;
  std::string failure = runner.start_failure();
  for (const Move& move : violation.path) {
    if (next != world) std::swap(world, next);
    std::vector<Move> moves;
    runner.moves(world, moves);
    ASSERT_NE(std::ranges::find(moves, move), moves.end()) << runner.print(move);
    const Step* step = runner.apply(world, move, next);
    if (step != nullptr) failure = step->failure;
  }
  const std::vector<bool> holds = runner.judge(world, next);
  bool violated = violation.property == "a handler fails: " + failure && !failure.empty();
  for (size_t i = 0; i < holds.size(); ++i) {
    violated |= cluster.properties()[i].name == violation.property && !holds[i];
  }
  if (cluster.sequential() && cluster.sequential()->name == violation.property) {
    violated |= runner.unexplained(next);
  }
  EXPECT_TRUE(violated) << violation.property;
}

struct Tally {
  size_t complete = 0, violated = 0, too_large = 0, counted = 0;
};

void argue(const Cluster& cluster, uint64_t seed, Tally& sums) {
  Stateful engine(cluster, {.symmetry = false, .most_states = kMostStates, .stop = {}});
  const Exploration expected = engine.run();
  if (!expected.complete && !expected.violation) {
    ++sums.too_large;
    return;
  }
  Stateless stateless(cluster, {.seed = seed % 3, .most_paths = kMostPaths, .longest = kLongest});
  const Exploration found = stateless.run();
  EXPECT_EQ(found.blocked, 0U);
  if (found.violation) {
    expect_violation(cluster, *found.violation, stateless.runner());
    EXPECT_TRUE(expected.violation);
    ++sums.violated;
    return;
  }
  if (!found.complete) {
    ++sums.too_large;
    return;
  }
  EXPECT_FALSE(expected.violation) << expected.violation->property;
  EXPECT_EQ(ends_of(stateless), ends_of(engine));
  ++sums.complete;
  AllPaths all(cluster);
  if (!all.count(3'000)) return;
  EXPECT_EQ(found.paths, all.classes);
  ++sums.counted;
}

TEST(StatelessTwinTest, RandomClusters) {
  Tally sums;
  const uint64_t clusters = seeds(300);
  for (uint64_t seed = 1; seed <= clusters; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    argue(*varied_cluster(seed), seed, sums);
  }
  EXPECT_GT(sums.complete * 10, clusters * 2);
  EXPECT_GT(sums.violated * 10, clusters * 2);
  EXPECT_GT(sums.counted * 10, clusters * 2);
}

TEST(StatelessTwinTest, AgainstTheNaiveExplorer) {
  size_t compared = 0;
  const uint64_t clusters = seeds(150);
  for (uint64_t seed = 1; seed <= clusters; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::unique_ptr<Cluster> cluster = random_cluster(seed, false);
    const Naive::Found expected = Naive(*cluster).explore(100, false);
    Stateless engine(*cluster, {.most_paths = kMostPaths, .longest = kLongest});
    const Exploration found = engine.run();
    if (!expected.complete && !expected.violated) continue;
    if (!found.complete && !found.violation) continue;
    EXPECT_EQ(found.violation.has_value(), expected.violated.has_value());
    ++compared;
    if (found.violation) continue;
    EXPECT_EQ(found.terminals, expected.ends.size());
  }
  EXPECT_GT(compared * 10, clusters * 4);
}

TEST(StatelessTwinTest, TheBaselinesAgree) {
  size_t complete = 0;
  const uint64_t clusters = seeds(80);
  for (uint64_t seed = 1; seed <= clusters; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::unique_ptr<Cluster> cluster = varied_cluster(seed);
    Stateless optimal(*cluster, {.most_paths = kMostPaths, .longest = kLongest});
    const Exploration found = optimal.run();
    if (!found.complete && !found.violation) continue;
    Stateless random(
        *cluster,
        {.reduction = Reduction::kRandom, .seed = seed, .most_paths = 50, .longest = kLongest});
    const Exploration some = random.run();
    EXPECT_FALSE(some.complete);
    if (some.violation) {
      EXPECT_TRUE(found.violation);
      expect_violation(*cluster, *some.violation, random.runner());
    } else if (!found.violation) {
      EXPECT_TRUE(std::ranges::includes(ends_of(optimal), ends_of(random)));
    }
    Stateless dfs(*cluster,
                  {.reduction = Reduction::kDfs, .most_paths = 2'000, .longest = kLongest});
    const Exploration all = dfs.run();
    if (!all.complete && !all.violation) continue;
    EXPECT_EQ(all.violation.has_value(), found.violation.has_value());
    if (all.violation) continue;
    EXPECT_EQ(ends_of(dfs), ends_of(optimal));
    EXPECT_GE(all.paths, found.paths);
    ++complete;
  }
  EXPECT_GT(complete * 10, clusters);
}

// A cell that two nodes keep, in ways that are mostly wrong.
struct Put {
  int8_t value = 0;
  CLEW_FIELDS(Put, value)
};
struct Get {
  CLEW_FIELDS(Get)
};
using Ask = std::variant<Put, Get>;
struct Told {
  int8_t value = 0;
  CLEW_FIELDS(Told, value)
};
struct Copy {
  int8_t value = 0;
  node::RequestId request{};
  CLEW_FIELDS(Copy, value, request)
};
struct Copied {
  int8_t value = 0;
  node::RequestId request{};
  CLEW_FIELDS(Copied, value, request)
};
using CellMessage = std::variant<Copy, Copied>;

struct Cell : node::Node<Cell, CellMessage, Ask, Told> {
  Cell(Id other, uint64_t how) : peer(other), ways(how) {}
  bool does(unsigned what) const { return (ways >> what & 1U) != 0; }

  void request(Env& env, node::RequestId id, const Put& put) {
    if (does(0)) value = put.value;
    if (does(1)) env.reply(id, Told{put.value});
    env.send(peer, Copy{put.value, id});
  }
  void request(Env& env, node::RequestId id, const Get&) {
    if (does(2)) return env.reply(id, Told{value});
    env.send(peer, Copy{-1, id});
  }
  void receive(Env& env, Id from, const Copy& copy) {
    if (copy.value >= 0) value = copy.value;
    if (does(3)) env.reply(copy.request, Told{value});  // perhaps not the only one
    env.send(from, Copied{value, copy.request});
  }
  void receive(Env& env, Id, const Copied& copied) {
    if (!does(4)) value = copied.value;
    env.reply(copied.request, Told{copied.value});
  }

  const Id peer;
  const uint64_t ways;
  node::Field<int8_t> value{this, "value"};
};

std::unique_ptr<Cluster> cell_cluster(uint64_t ways) {
  auto cluster = std::make_unique<Cluster>(std::vector<std::string>{"a", "b"});
  cluster->node<Cell>("a", cluster->id("b"), ways);
  cluster->node<Cell>("b", cluster->id("a"), ways >> 5U);
  const auto ask = [&](const char* whom, Ask what) { return cluster->ask(whom, what); };
  cluster->client({ask("a", Put{1}), ask((ways & 1024U) != 0 ? "a" : "b", Get{})});
  cluster->client({ask("b", Get{})});
  if ((ways & 2048U) != 0) cluster->limits.losses = 1;
  if ((ways & 4096U) != 0) cluster->channels = Channels::kFifo;
  if (ways % 3 == 1) cluster->limits.requests = 1;
  if (ways % 3 == 2) {
    cluster->client({ask("a", Get{})});
    cluster->limits.requests = 2;
  }
  cluster->linearizable<Ask>("one cell", int8_t{0}, [](int8_t& value, const Ask& asked) {
    if (const Put* put = std::get_if<Put>(&asked)) value = put->value;
    return Told{value};
  });
  return cluster;
}

TEST(StatelessTwinTest, WhatClientsSee) {
  Tally sums;
  const uint64_t step = takes_long() ? 1 : 37;
  for (uint64_t ways = 0; ways < 8'192; ways += step) {
    SCOPED_TRACE("ways " + std::to_string(ways));
    argue(*cell_cluster(ways), ways, sums);
  }
  EXPECT_GT(sums.complete, 20U);
  EXPECT_GT(sums.violated, 20U);
  EXPECT_GT(sums.counted, 20U);
}

}  // namespace
}  // namespace clew::explore
