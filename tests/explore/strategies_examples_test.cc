// The examples at the top of the headers of strategies, as code.
#include <gtest/gtest.h>

#include "explore/strategies/flips.h"
#include "explore/strategies/guided.h"
#include "explore/strategies/newness.h"

namespace clew::explore {
namespace {

struct Word {
  int number = 0;
  CLEW_FIELDS(Word, number)
};

// Says a word to everybody; the last one that is heard is remembered.
struct Speaker : node::Node<Speaker, Word> {
  Speaker(int word, uint8_t size) : own(word), nodes(size) {}

  void start(Env& env) override {
    for (uint8_t to = 0; to < nodes; ++to) {
      if (Id{to} != env.self()) env.send(Id{to}, Word{own});
    }
  }
  void receive(Env&, Id, const Word& word) { heard = word.number; }

  const int own;
  const uint8_t nodes;
  node::Field<int> heard{this, "heard"};
};

// Each of three hears two words, in any order.
Cluster speakers() {
  Cluster cluster({"a", "b", "c"});
  cluster.node<Speaker>("a", 1, uint8_t{3});
  cluster.node<Speaker>("b", 2, uint8_t{3});
  cluster.node<Speaker>("c", 3, uint8_t{3});
  cluster.always("words are heard",
                 [](const States& states) { return states.node<Speaker>("a").heard <= 3; });
  return cluster;
}

// example: src/explore/strategies/path.h
TEST(StrategyExamples, APath) {
  const Cluster cluster = speakers();
  Runner runner(cluster);
  PathRunner paths(runner, {.order = Order::kChain});
  const Path path = paths.run({});
  EXPECT_EQ(path.events.size(), 6U);
  EXPECT_EQ(path.events[0].move.kind, Move::Kind::kDeliver);
  EXPECT_EQ(path.worlds[0], runner.initial());
  EXPECT_EQ(paths.run({.prefix = {path.events[1].move}}).events[0].move, path.events[1].move);
}

// example: src/explore/strategies/parts.h
TEST(StrategyExamples, SomeParts) {
  const Parts parts = *parts_of("flymc");
  EXPECT_TRUE(parts.independence == Sets::kObserved);
}

// Events of the path that go to the same node.
Pair at_one_node(const Path& path, uint8_t node) {
  std::vector<size_t> places;
  for (size_t i = 0; i < path.events.size(); ++i) {
    if (path.events[i].node == node) places.push_back(i);
  }
  return {places.at(0), places.at(1)};
}

// example: src/explore/strategies/conflicts.h
TEST(StrategyExamples, SomeConflicts) {
  const Cluster cluster = speakers();
  Runner runner(cluster);
  PathRunner paths(runner, {});
  const Path path = paths.run({});
  Conflicts conflicts(runner, *parts_of("modist"), {});
  EXPECT_EQ(conflicts.conflict(path, 0, 1), path.events[0].node == path.events[1].node);
  conflicts.look(path);
  EXPECT_EQ(conflicts.races(0, 1), conflicts.conflict(path, 0, 1));
  const Pair pair = at_one_node(path, 2);
  EXPECT_TRUE(conflicts.races(pair.first, pair.second));
}

// example: src/explore/strategies/reorder.h
TEST(StrategyExamples, OtherOrders) {
  const Cluster cluster = speakers();
  Runner runner(cluster);
  std::vector<Move> sorted;
  runner.moves(runner.initial(), sorted);
  // Those of one node after each other.
  std::ranges::stable_sort(sorted, {}, [&](Move move) { return runner.node_of(move).number; });
  PathRunner paths(runner, {});
  const Path path = paths.run({.prefix = sorted});
  Conflicts conflicts(runner, {}, {});
  conflicts.look(path);
  const Reordered one = reversed(path, conflicts, Pair{0, 1});
  EXPECT_EQ(one.more, std::vector<Move>{path.events[1].move});
  EXPECT_TRUE(are_unrelated(path, conflicts, {0, 1}, {2, 3}));
  const Reordered both = reversed(path, conflicts, std::vector<Pair>{{0, 1}, {2, 3}});
  EXPECT_EQ(both.kept, 0U);
  EXPECT_EQ(both.more, (std::vector<Move>{path.events[1].move, path.events[0].move,
                                          path.events[3].move, path.events[2].move}));
}

// example: src/explore/strategies/abstract.h
TEST(StrategyExamples, AnAbstractWorld) {
  const Cluster cluster = speakers();
  Runner runner(cluster);
  PathRunner paths(runner, {});
  const Path path = paths.run({});
  const World& world = path.worlds[0];
  Abstract abstract(runner);
  EXPECT_EQ(abstract.of_nodes(world), abstract.of_nodes(world));
  EXPECT_NE(abstract.of_nodes(world), abstract.of_nodes(path.worlds.back()));
  EXPECT_EQ(abstract.of_event(world, path.events[0].move),
            abstract.of_event(path.worlds.back(), path.events[0].move));
}

// example: src/explore/strategies/recovery.h
TEST(StrategyExamples, ARecovery) {
  Cluster cluster = speakers();
  cluster.limits.crashes = 1;
  Runner runner(cluster);
  Abstract abstract(runner);
  const World world = runner.initial();
  std::vector<Move> moves;
  runner.moves(world, moves);
  const Move crash = *std::ranges::find(moves, Move::Kind::kCrash, &Move::kind);
  Recovery recovery;
  EXPECT_TRUE(recovery.is_new(abstract, world, crash, 0));
  EXPECT_FALSE(recovery.is_new(abstract, world, crash, 0));
}

// example: src/explore/strategies/newness.h
TEST(StrategyExamples, NewWorlds) {
  const Cluster cluster = speakers();
  Runner runner(cluster);
  PathRunner paths(runner, {});
  const Path path = paths.run({});
  Newness newness(runner);
  newness.see(path.worlds[0]);
  EXPECT_GT(newness.of(path.worlds, 1, path.worlds.size()), 0U);
  EXPECT_EQ(newness.of(path.worlds, 0, 1), 0U);
  // First a hears something: a state that no node was in, and a pair with the others, who are alike
  // and heard nothing; that is no other pair for c than for b.
  EXPECT_EQ(newness.of(path.worlds, 1, 2), Newness::kOne + Newness::kPair + Newness::kAll);
  for (const World& world : path.worlds) newness.see(world);
  EXPECT_EQ(newness.of(path.worlds, 1, path.worlds.size()), 0U);
}

// example: src/explore/strategies/flips.h
TEST(StrategyExamples, SomeFlips) {
  const Cluster cluster = speakers();
  Runner runner(cluster);
  PathRunner paths(runner, {});
  Flips flips(runner, *parts_of("flymc"), false, {});
  EXPECT_TRUE(flips.next()->prefix.empty());
  const Path path = paths.run({});
  flips.observe(path);
  EXPECT_FALSE(flips.next()->prefix.empty());
}

// example: src/explore/strategies/strategy.h
TEST(StrategyExamples, AStrategy) {
  const Cluster cluster = speakers();
  Runner runner(cluster);
  PathRunner paths(runner, {});
  Random random(1);
  const std::unique_ptr<Strategy> strategy = make_strategy(runner, {.name = "modist"});
  size_t count = 0;
  while (const std::optional<Plan> plan = strategy->next()) {
    strategy->observe(paths.run(*plan, &random, strategy->guide()));
    ++count;
  }
  // Two orders at each of three nodes are 8 classes; a path that begins in a way that is new may
  // still end as one that was run.
  EXPECT_EQ(count, 17U);
}

// example: src/explore/strategies/guided.h
TEST(StrategyExamples, AnEngine) {
  const Cluster cluster = speakers();
  Guided engine(cluster, {.strategy = {.name = "flymc"}, .most_paths = 10'000});
  const Exploration result = engine.run();
  EXPECT_FALSE(result.violation);
  EXPECT_FALSE(result.complete);
  EXPECT_TRUE(result.gave_up);
}

}  // namespace
}  // namespace clew::explore
