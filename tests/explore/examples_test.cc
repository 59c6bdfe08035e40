// The examples at the top of the headers, as code (tools/check_examples.py compares them).
#include <gtest/gtest.h>

#include "explore/stateful.h"
#include "explore/stateless.h"

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

// example: src/explore/looks.h
TEST(ExploreExamples, WhatAPropertyLooksAt) {
  const Cluster cluster = game();
  Runner runner(cluster);
  const World before = runner.initial();
  std::vector<Move> moves;
  runner.moves(before, moves);
  World after;
  runner.apply(before, moves.front(), after);
  const size_t property = 0;
  const Id node = cluster.id("b");
  const LocalId was = before[1], is = after[1];
  Looks looks(runner);
  EXPECT_TRUE(looks.judge(property, before, after));
  EXPECT_TRUE(looks.grew());
  EXPECT_FALSE(looks.grew());
  EXPECT_EQ(looks.seen_by(was, is, node), 0U);
}

// example: src/explore/events.h
TEST(ExploreExamples, AnEvent) {
  const Cluster cluster = game();
  Runner runner(cluster);
  Looks looks(runner);
  const World world = runner.initial();
  Events events(runner, looks);
  std::vector<Choice> choices;
  events.enabled(world, choices);
  ASSERT_EQ(choices.size(), 2U);
  Event event, other;
  World next;
  EXPECT_TRUE(events.take(world, choices.front().label, event, next));
  EXPECT_TRUE(events.take(world, choices.back().label, other, next));
  if (!conflict(event.access, other.access)) {
    EXPECT_EQ(event.sent.size(), 1U);  // the answer
  } else {
    FAIL();
  }
}

// example: src/explore/wakeup.h
TEST(ExploreExamples, AWakeupTree) {
  Event one{.label = 1}, two{.label = 2}, three{.label = 3};
  one.access.nodes = two.access.nodes = 1;
  three.access.nodes = 2;
  std::vector<Branch> tree;
  std::vector<Event> sequence{one, two};
  insert(tree, sequence);
  insert(tree, {three, one});  // leads the same way: one, two and three
  EXPECT_EQ(tree.size(), 1U);
  EXPECT_EQ(tree.front().next.size(), 1U);
  insert(tree, {two, one});
  EXPECT_EQ(tree.size(), 2U);
  EXPECT_FALSE(may_begin(one, {two, one}));
  EXPECT_TRUE(may_begin(three, {two, one}));
}

// example: src/explore/stateless.h
TEST(ExploreExamples, AStatelessExploration) {
  const Cluster cluster = game();
  Stateless engine(cluster, {.seed = 7});
  const Exploration result = engine.run();
  if (result.violation) FAIL();
  if (result.complete) {
    EXPECT_EQ(result.paths, 3U);  // who hears a pong before a ping: nobody, a, or b
    EXPECT_EQ(result.terminals, 1U);
  } else {
    FAIL();
  }
}

}  // namespace
}  // namespace clew::explore
