// The examples at the top of the headers, as code (tools/check_examples.py compares them).
#include <gtest/gtest.h>

#include "explore/stateful.h"

namespace clew::explore {
namespace {

struct Ping {
  int number = 0;
  CLEW_FIELDS(Ping, number)
};
struct Pong {
  int number = 0;
  CLEW_FIELDS(Pong, number)
};
using Message = std::variant<Ping, Pong>;

struct Player : node::Node<Player, Message> {
  explicit Player(Id other) : peer(other) {}

  void start(Env& env) override { env.send(peer, Ping{1}); }
  void receive(Env& env, Id from, const Ping& ping) { env.send(from, Pong{ping.number}); }
  void receive(Env&, Id, const Pong& pong) { heard = pong.number; }

  const Id peer;
  node::Field<int> heard{this, "heard"};
};

// example: src/explore/cluster.h
Cluster game() {
  Cluster cluster({"a", "b"});
  cluster.node<Player>("a", cluster.id("b"));
  cluster.node<Player>("b", cluster.id("a"));
  cluster.always("nobody hears what was not said",
                 [](const States& states) { return states.node<Player>("a").heard <= 1; });
  return cluster;
}

// example: src/explore/table.h
TEST(ExploreExamples, Tables) {
  const uint64_t key = 7;
  const uint32_t value = 3;
  NumberMap steps;
  EXPECT_EQ(steps.find(key), nullptr);
  steps.insert(key, value);
  if (const uint32_t* found = steps.find(key)) {
    EXPECT_EQ(*found, 3U);
  } else {
    FAIL();
  }
  WordSet set;
  const std::vector<uint32_t> words{1, 2, 3};
  const auto [id, is_new] = set.insert(words);
  EXPECT_TRUE(is_new);
  EXPECT_TRUE(std::ranges::equal(set[id], words));
  EXPECT_FALSE(set.insert(words).is_new);
  EXPECT_TRUE(set.insert(std::vector<uint32_t>{1, 2}).is_new);
}

// example: src/explore/steps.h
TEST(ExploreExamples, AStep) {
  const Cluster cluster = game();
  const Id a = cluster.id("a");
  Steps steps(cluster);
  const LocalId before = steps.unborn(a);
  const Step& step = steps.take(before, steps.start_of(a));
  EXPECT_NE(step.after, before);
  EXPECT_TRUE(steps.up(step.after));
  ASSERT_EQ(step.sent.size(), 1U);
  EXPECT_EQ(steps.print_input(step.sent.front()), "a>b Ping{number: 1}");
  EXPECT_EQ(steps.print_local(step.after), "heard 0");
  EXPECT_EQ(steps.print_local(before), "down");
}

// example: src/explore/runner.h
TEST(ExploreExamples, AMove) {
  const Cluster cluster = game();
  Runner runner(cluster);
  World world = runner.initial();
  std::vector<Move> moves;
  runner.moves(world, moves);
  ASSERT_EQ(moves.size(), 2U);
  World next;
  runner.apply(world, moves.front(), next);
  EXPECT_EQ(runner.print(moves.front()), "deliver a>b Ping{number: 1}");
  EXPECT_EQ(runner.under_way(next).size(), 2U);
}

// example: src/explore/symmetry.h
TEST(ExploreExamples, LikeWorlds) {
  Cluster cluster = game();
  cluster.symmetric({"a", "b"});
  Runner runner(cluster);
  const World world = runner.initial();
  World out;
  const bool use = true;
  Symmetry symmetry(runner, use);
  symmetry.canonical(world, out);
  EXPECT_EQ(out.size(), world.size());
  EXPECT_EQ(symmetry.renamings(), 2U);
}

// example: src/explore/stateful.h
TEST(ExploreExamples, AnExploration) {
  Cluster cluster = game();
  Stateful engine(cluster, {.symmetry = true});
  const Exploration result = engine.run();
  if (result.violation) FAIL();
  if (result.complete) {
    EXPECT_EQ(result.states, 9U);  // three stages of each exchange
    EXPECT_EQ(result.terminals, 1U);
  } else {
    FAIL();
  }
}

}  // namespace
}  // namespace clew::explore
