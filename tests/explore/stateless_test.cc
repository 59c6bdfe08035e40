#include "explore/stateless.h"

#include <gtest/gtest.h>

#include "explore/again.h"
#include "explore/stateful.h"

namespace clew::explore {
namespace {

struct Word {
  int number = 0;
  CLEW_FIELDS(Word, number)
};

// Sends words to whom it is told, and keeps the last that it hears, and how many.
struct Talker : node::Node<Talker, Word> {
  using Plan = std::vector<std::pair<Id, int>>;
  explicit Talker(Plan all) : plan(std::move(all)) {}
  void start(Env& env) override {
    for (const auto& [to, number] : plan) env.send(to, Word{number});
  }
  void receive(Env&, Id, const Word& word) {
    last = word.number;
    ++count;
  }
  const Plan plan;
  node::Field<int> last{this, "last"};
  node::Field<int> count{this, "count"};
};

// a sends so many words to each of the others.
Cluster talk(size_t others, int words) {
  std::vector<std::string> names{"a", "b", "c", "d", "e"};
  names.resize(others + 1);
  Cluster cluster(names);
  Talker::Plan plan;
  for (size_t i = 1; i <= others; ++i) {
    for (int word = 1; word <= words; ++word) {
      plan.emplace_back(Id{static_cast<uint8_t>(i)}, word);
    }
  }
  for (const std::string& name : names) {
    cluster.node<Talker>(name, name == "a" ? plan : Talker::Plan{});
  }
  cluster.unit = Unit::kMessage;
  return cluster;
}

Exploration explored(const Cluster& cluster, Reduction reduction = Reduction::kOptimal,
                     uint64_t seed = 0) {
  return Stateless(cluster, {.reduction = reduction, .seed = seed}).run();
}

TEST(StatelessTest, DifferentNodesHaveNothingToDoWithEachOther) {
  const Exploration found = explored(talk(4, 1));
  EXPECT_TRUE(found.complete);
  EXPECT_EQ(found.paths, 1U);
  EXPECT_EQ(found.terminals, 1U);
  EXPECT_EQ(found.depth, 4U);
  EXPECT_EQ(explored(talk(4, 1), Reduction::kDfs).paths, 24U);
}

TEST(StatelessTest, EveryOrderAtANode) {
  EXPECT_EQ(explored(talk(1, 4)).paths, 24U);
  EXPECT_EQ(explored(talk(2, 3)).paths, 36U);
  EXPECT_EQ(explored(talk(2, 3)).terminals, 9U);
  EXPECT_EQ(explored(talk(2, 3), Reduction::kDfs).paths, 720U);
}

TEST(StatelessTest, OneOrderInAFifoChannel) {
  Cluster cluster = talk(2, 3);
  cluster.channels = Channels::kFifo;
  EXPECT_EQ(explored(cluster).paths, 1U);
  EXPECT_EQ(explored(cluster, Reduction::kDfs).paths, 20U);
}

TEST(StatelessTest, EqualEnvelopesAreOne) {
  Cluster cluster({"a", "b"});
  const Id b = cluster.id("b");
  cluster.node<Talker>("a", Talker::Plan{{b, 1}, {b, 1}, {b, 1}});
  cluster.node<Talker>("b", Talker::Plan{});
  cluster.unit = Unit::kMessage;
  EXPECT_EQ(explored(cluster).paths, 1U);
}

TEST(StatelessTest, FaultsNeedNotHappen) {
  // Both words arrive, in either order; or one of them is lost, which is independent of the other.
  Cluster cluster = talk(1, 2);
  cluster.limits.losses = 1;
  const Exploration found = explored(cluster);
  EXPECT_TRUE(found.complete);
  EXPECT_EQ(found.paths, 4U);
  EXPECT_EQ(found.terminals, 4U);
  EXPECT_EQ(explored(cluster, Reduction::kDfs).paths, 6U);
}

TEST(StatelessTest, ACrashMayComeAnywhere) {
  // No crash: 1. Of b, before or after its word: 2. The same of c. Of a, any time: 1. That b has
  // its word when c crashes, or not, is all the same.
  Cluster cluster = talk(2, 1);
  cluster.limits.crashes = 1;
  EXPECT_EQ(explored(cluster).paths, 6U);
  // One more after each crash but a's, and a's sends to both once more: then each has two words,
  // which are equal.
  cluster.limits.restarts = 1;
  const Exploration found = explored(cluster);
  EXPECT_TRUE(found.complete);
  EXPECT_EQ(found.terminals, Stateful(cluster, {.symmetry = false}).run().terminals);
}

TEST(StatelessTest, FaultsThatBothHappenChangePlaces) {
  // No crash: 1. Of a, any time: 1. Of b and c, before or after the word: 2 each. Of two of them:
  // 2, 2 and 4, whoever is first.
  Cluster cluster = talk(2, 1);
  cluster.limits.crashes = 2;
  EXPECT_EQ(explored(cluster).paths, 14U);
  // One fault of all kinds: one crash, or one of the two words is lost.
  cluster.limits.losses = 2;
  cluster.limits.total = 1;
  EXPECT_EQ(explored(cluster).paths, 8U);
  cluster.limits.total = 2;
  const Exploration found = explored(cluster);
  EXPECT_TRUE(found.complete);
  EXPECT_EQ(found.terminals, Stateful(cluster, {.symmetry = false}).run().terminals);
}

TEST(StatelessTest, WhatNeedNotHappenIsNotTakenForGranted) {
  // That b may crash as well does not make up for c that crashes and comes back alone.
  Cluster cluster = talk(2, 1);
  cluster.limits.crashes = kUnlimited;
  cluster.limits.restarts = 1;
  const Exploration found = explored(cluster);
  EXPECT_TRUE(found.complete);
  EXPECT_EQ(found.terminals, Stateful(cluster, {.symmetry = false}).run().terminals);
}

// Answers at once, or never.
struct Clerk : node::Node<Clerk, Word, Word, Word> {
  explicit Clerk(bool one) : answers(one) {}
  void receive(Env&, Id, const Word& word) { last = word.number; }
  void request(Env& env, node::RequestId id, const Word& word) {
    env.send(env.self(), word);
    if (answers) env.reply(id, word);
  }
  const bool answers;
  node::Field<int> last{this, "last"};
};

TEST(StatelessTest, ClientsWaitForOthers) {
  const auto paths = [](bool answers, uint8_t requests) {
    Cluster cluster({"a", "b"});
    for (const std::string name : {"a", "b"}) {
      cluster.node<Clerk>(name, answers);
      cluster.client({cluster.ask(name, Word{1})});
    }
    cluster.limits.requests = requests;
    return explored(cluster).paths;
  };
  EXPECT_EQ(paths(false, 2), 1U);
  EXPECT_EQ(paths(true, 2), 1U);
  // Whoever asks first; the other asks once nothing is under way.
  EXPECT_EQ(paths(false, 1), 2U);
  EXPECT_EQ(paths(true, 1), 2U);
  // Nobody asks unless nothing is under way: so it is said which word arrives first.
  EXPECT_EQ(paths(true, 0), 2U);
}

TEST(StatelessTest, WorldsThatAPropertyTellsApartAreSeen) {
  // Whoever of them is first: each order shows a world that the other does not.
  for (const std::string first : {"b", "c"}) {
    Cluster cluster = talk(2, 1);
    const std::string second = first == "b" ? "c" : "b";
    cluster.always("one after the other", [=](const States& states) {
      const auto heard = [&](const std::string& name) {
        return states.node<Talker>(name).last == 1;
      };
      return !heard(first) || heard(second);
    });
    const Exploration found = explored(cluster);
    ASSERT_TRUE(found.violation);
    EXPECT_EQ(found.violation->property, "one after the other");
    EXPECT_EQ(found.violation->path.size(), 1U);
    EXPECT_FALSE(found.complete);
  }
}

TEST(StatelessTest, WhatNoPropertyLooksAtCostsNothing) {
  const auto paths = [](const std::function<bool(const States&)>& holds) {
    Cluster cluster = talk(2, 1);
    cluster.always("holds", holds);
    return explored(cluster).paths;
  };
  const auto talker = [](const States& states, const char* name) -> const Talker& {
    return states.node<Talker>(name);
  };
  EXPECT_EQ(paths([&](const States& s) { return talker(s, "b").last < 2; }), 1U);
  EXPECT_EQ(paths([&](const States& s) { return talker(s, "a").count == 0 && s.up(Id{1}); }), 1U);
  EXPECT_EQ(
      paths([&](const States& s) { return talker(s, "b").last < 2 && talker(s, "c").last < 2; }),
      2U);
  // It looks at c only once b has heard something.
  EXPECT_EQ(
      paths([&](const States& s) { return talker(s, "b").last == 0 || talker(s, "c").last < 2; }),
      2U);
  EXPECT_EQ(paths([&](const States& s) {
              return !s.any(Id{1}).encode_fields().empty() && !s.any(Id{2}).encode_fields().empty();
            }),
            2U);
}

TEST(StatelessTest, EachPropertyByItself) {
  Cluster cluster = talk(2, 1);
  for (const std::string name : {"b", "c"}) {
    cluster.always(name + " hears little",
                   [name](const States& states) { return states.node<Talker>(name).count < 2; });
  }
  EXPECT_EQ(explored(cluster).paths, 1U);
}

TEST(StatelessTest, StepsThatAPropertyDoesNotLookAt) {
  // That b hears something is a step in which c does not, while c has heard nothing.
  Cluster cluster = talk(2, 1);
  cluster.step("c hears first", [](const States& before, const States& after) {
    return after.node<Talker>("c").count > 0 || before.node<Talker>("c").last > 0;
  });
  const Exploration found = explored(cluster);
  ASSERT_TRUE(found.violation);
  EXPECT_EQ(explored(cluster, Reduction::kDfs).violation.has_value(), true);
  Cluster fine = talk(2, 1);
  fine.step("c hears once", [](const States& before, const States& after) {
    return after.node<Talker>("c").count <= before.node<Talker>("c").count + 1;
  });
  EXPECT_TRUE(explored(fine).complete);
  EXPECT_EQ(explored(fine).paths, 1U);
}

TEST(StatelessTest, TheSeedSaysWhichPathIsFirst) {
  Cluster cluster = talk(1, 4);
  cluster.finally("4 is not the last",
                  [](const States& states) { return states.node<Talker>("b").last != 4; });
  std::set<std::string> firsts;
  for (uint64_t seed = 0; seed < 8; ++seed) {
    Stateless engine(cluster, {.seed = seed});
    const Exploration found = engine.run();
    ASSERT_TRUE(found.violation);
    firsts.insert(engine.runner().print(found.violation->path.front()));
    EXPECT_EQ(Stateless(cluster, {.seed = seed}).run().violation->path, found.violation->path);
    EXPECT_EQ(explored(talk(2, 3), Reduction::kOptimal, seed).paths, 36U);
  }
  EXPECT_GT(firsts.size(), 1U);
}

TEST(StatelessTest, RandomPaths) {
  Cluster cluster = talk(1, 4);
  Stateless engine(cluster, {.reduction = Reduction::kRandom, .seed = 3, .most_paths = 200});
  const Exploration found = engine.run();
  EXPECT_EQ(found.paths, 200U);
  EXPECT_EQ(found.terminals, 4U);
  EXPECT_FALSE(found.complete);
}

// Says something to itself for ever.
struct Restless : node::Node<Restless, Word> {
  void start(Env& env) override { env.send(env.self(), Word{1}); }
  void receive(Env& env, Id, const Word&) {
    round = 1 - round;
    env.send(env.self(), Word{1});
  }
  node::Field<int> round{this, "round"};
};

TEST(StatelessTest, PathsThatDoNotEndAreCut) {
  Cluster cluster({"a"});
  cluster.node<Restless>("a");
  const Exploration found = Stateless(cluster, {.longest = 20}).run();
  EXPECT_FALSE(found.complete);
  EXPECT_EQ(found.cut, 1U);
  EXPECT_EQ(found.paths, 1U);
  EXPECT_EQ(found.depth, 20U);
}

TEST(StatelessTest, EndsWhenToldTo) {
  const Cluster cluster = talk(1, 4);
  size_t asked = 0;
  const Exploration found = Stateless(cluster, {.stop = [&asked] { return ++asked > 30; }}).run();
  EXPECT_FALSE(found.complete);
  EXPECT_GT(found.paths, 0U);
  EXPECT_LT(found.paths, 24U);
  EXPECT_EQ(Stateless(cluster, {.most_paths = 5}).run().paths, 5U);
  EXPECT_FALSE(Stateless(cluster, {.most_paths = 5}).run().complete);
}

int weather = 0;

// Looks at something that is no field.
struct Moody : node::Node<Moody, Word> {
  void start(Env& env) override {
    env.send(env.self(), Word{1});
    env.send(env.self(), Word{2});
  }
  void receive(Env&, Id, const Word& word) { last = word.number + weather; }
  node::Field<int> last{this, "last"};
};

TEST(StatelessTest, TheFirstStepThatDiffersIsNamed) {
  Cluster cluster({"a"});
  cluster.node<Moody>("a");
  cluster.unit = Unit::kMessage;
  weather = 0;
  // The weather changes after both words were heard once.
  cluster.finally("it rains", [](const States&) {
    weather = 1;
    return true;
  });
  const Exploration found = Stateless(cluster, {.repeat_every = 1}).run();
  ASSERT_TRUE(found.violation);
  EXPECT_EQ(found.violation->property,
            "a handler fails: it is not deterministic: deliver a>a Word{number: 1} had another "
            "effect when the path was run again");
  EXPECT_EQ(found.violation->path.size(), 1U);
  // An engine that keeps worlds runs the way to some of them again, and to the last one.
  weather = 0;
  const Exploration kept = Stateful(cluster, {}).run();
  ASSERT_TRUE(kept.violation);
  EXPECT_FALSE(kept.complete);
  EXPECT_EQ(kept.violation->property,
            "a handler fails: it is not deterministic: deliver a>a Word{number: 2} had another "
            "effect when the path was run again");
  EXPECT_EQ(kept.violation->path.size(), 1U);
}

// example: src/explore/again.h
TEST(StatelessTest, APathIsRunAgain) {
  Cluster cluster({"a"});
  cluster.node<Moody>("a");
  cluster.unit = Unit::kMessage;
  weather = 0;
  Runner runner(cluster);
  std::vector<Move> path;
  runner.moves(runner.initial(), path);
  path.resize(1);
  EXPECT_FALSE(run_again(runner, path));
  World world;
  runner.apply(runner.initial(), path[0], world);
  weather = 1;
  if (const auto other = run_again(runner, path)) {
    EXPECT_EQ(other->moves, 1U);
    EXPECT_EQ(other->why.substr(0, 17), "a handler fails: ");
  } else {
    FAIL();
  }
}

}  // namespace
}  // namespace clew::explore
