// Runs that go on for ever without what must hold again and again.
#include "explore/lasso.h"

#include <gtest/gtest.h>

#include "explore/shrink.h"
#include "explore/stateful.h"
#include "explore/stateless.h"

namespace clew::explore {
namespace {

using Texts = std::vector<std::string>;

Texts texts(Runner& runner, const std::vector<Move>& path) {
  Texts result;
  for (const Move& move : path) result.push_back(runner.print(move));
  return result;
}

// What the engine finds is seen again afresh, and stays what it is when it is made shorter.
struct Looked {
  Exploration exploration;
  Texts path{};
  std::optional<size_t> loop{};
  Texts never_fire{};
  size_t cures = 0;
};

Looked look_at(const Cluster& cluster) {
  Stateful engine(cluster, {});
  Looked result{engine.run()};
  EXPECT_NE(result.exploration.complete, result.exploration.violation.has_value());
  if (!result.exploration.violation) return result;
  const Violation& found = *result.exploration.violation;
  Walker walker(engine.runner());
  const Walk walk = walker.walk(found.path, Walker::Then::kStop, found.loop);
  EXPECT_EQ(walk.broken, found.property) << walk.no_loop;
  EXPECT_EQ(walk.loop, found.loop);
  const Walk least = shrink(walker, found.path, found.property, {}, found.loop);
  EXPECT_EQ(least.broken, found.property);
  EXPECT_EQ(least.loop.has_value(), found.loop.has_value());
  EXPECT_TRUE(!found.loop || least.path.size() <= found.path.size());
  result.path = texts(engine.runner(), least.path);
  result.loop = least.loop;
  result.never_fire = texts(engine.runner(), least.never_fire);
  result.cures = cures(walker, least, {}).size();
  return result;
}

struct Ball {
  CLEW_FIELDS(Ball)
};
struct Whistle {
  CLEW_FIELDS(Whistle)
};
using Thrown = std::variant<Ball, Whistle>;

// Passes a ball on, until it hears a whistle.
struct Passer : node::Node<Passer, Thrown> {
  Passer(Id other, bool begins, bool whistles) : peer(other), first(begins), stops(whistles) {}
  void start(Env& env) override {
    if (!first) return;
    env.send(peer, Ball{});
    if (stops) env.send(env.self(), Whistle{});
  }
  void receive(Env& env, Id, const Ball&) {
    if (!*stopped) env.send(peer, Ball{});
  }
  void receive(Env&, Id, const Whistle&) { stopped = true; }

  const Id peer;
  const bool first, stops;
  node::Field<bool> stopped{this, "stopped"};
};

// Sets a timer, which fires once.
struct Alarm : node::Node<Alarm, Ball> {
  void start(Env& env) override { env.set_timer("alarm"); }
  void timer(Env&, std::string_view) override { rang = true; }
  void receive(Env&, Id, const Ball&) {}
  node::Field<bool> rang{this, "rang"};
};

Cluster passers(bool whistle) {
  Cluster cluster({"a", "b"});
  cluster.node<Passer>("a", cluster.id("b"), true, whistle);
  cluster.node<Passer>("b", cluster.id("a"), false, false);
  cluster.eventually("a stops",
                     [](const States& states) { return *states.node<Passer>("a").stopped; });
  return cluster;
}

void demand_alarm(Cluster& cluster, const std::string& name) {
  cluster.node<Alarm>(name);
  cluster.eventually("the alarm rings",
                     [name](const States& states) { return *states.node<Alarm>(name).rang; });
}

TEST(LassoTest, ABallIsPassedForEver) {
  const Looked found = look_at(passers(false));
  EXPECT_EQ(found.path, (Texts{"deliver a>b Ball", "deliver b>a Ball"}));
  EXPECT_EQ(found.loop, 0U);
  EXPECT_EQ(found.cures, 0U);
}

// The ball could be passed for ever, but the whistle is heard sooner or later.
TEST(LassoTest, NoMessageIsOvertakenForEver) {
  const Exploration found = look_at(passers(true)).exploration;
  ASSERT_EQ(found.awaited.size(), 1U);
  EXPECT_EQ(found.awaited[0].property, "a stops");
  EXPECT_EQ(found.awaited[0].awaited, 2U);
  EXPECT_EQ(found.awaited[0].held + found.awaited[0].awaited, found.states);
}

TEST(LassoTest, AWalkSaysWhyALoopIsNone) {
  Cluster cluster = passers(true);
  cluster.limits.duplicates = kUnlimited;
  Runner runner(cluster);
  Walker walker(runner);
  const auto why = [&](const Texts& moves, size_t loop) {
    const Walk walk = walker.walk_printed(moves, Walker::Then::kStop, loop);
    EXPECT_FALSE(walk.broken || walk.loop);
    return walk.no_loop;
  };
  const std::string there = "deliver a>b Ball", back = "deliver b>a Ball";
  const std::string whistle = "deliver a>a Whistle";
  EXPECT_EQ(why({there, back}, 0), "sooner or later something else happens (deliver a>a Whistle)");
  EXPECT_EQ(why({there, back, there}, 0), "it does not lead back to where it begins");
  EXPECT_EQ(why({there, whistle}, 0), "it does not lead back to where it begins");
  EXPECT_EQ(why({"duplicate a>b Ball", back}, 0),
            "step 1 (duplicate a>b Ball) does not happen again and again");
  EXPECT_EQ(why({"crash a"}, 0), "nothing happens in it");  // which is not possible, so left out
}

TEST(LassoTest, AnEndInWhichItDoesNotHold) {
  Cluster cluster = passers(true);
  cluster.limits.losses = 1;
  cluster.eventually("b stops",
                     [](const States& states) { return *states.node<Passer>("b").stopped; });
  const Looked found = look_at(cluster);
  EXPECT_EQ(found.exploration.violation->property, "b stops");
  EXPECT_EQ(found.exploration.violation->path.size(), 2U);
  EXPECT_EQ(found.path.size(), 3U);  // without the loss
  EXPECT_FALSE(found.loop);
}

// Fires for ever; each time something changes.
struct Blinker : node::Node<Blinker, Ball> {
  void start(Env& env) override { env.set_timer("blink"); }
  void timer(Env& env, std::string_view) override {
    on = !*on;
    env.set_timer("blink");
  }
  void receive(Env&, Id, const Ball&) {}
  node::Field<bool> on{this, "on"};
};

// Were the other to blink alone for ever, its timer would wait for ever.
TEST(LassoTest, WhatHoldsAgainAndAgainIsFine) {
  Cluster cluster({"a", "b"});
  cluster.node<Blinker>("a");
  cluster.node<Blinker>("b");
  cluster.eventually("a is on", [](const States& states) { return *states.node<Blinker>("a").on; });
  const Exploration found = look_at(cluster).exploration;
  EXPECT_EQ(found.awaited[0].held, 2U);
  EXPECT_EQ(found.awaited[0].awaited, 2U);
  EXPECT_EQ(found.terminals, 0U);
}

// Nothing but early timers could ring the alarm, since the ball never rests.
TEST(LassoTest, ATimerThatCannotFireIsNamed) {
  Cluster cluster({"a", "b", "c"});
  cluster.node<Passer>("a", cluster.id("b"), true, false);
  cluster.node<Passer>("b", cluster.id("a"), false, false);
  demand_alarm(cluster, "c");
  const Looked found = look_at(cluster);
  EXPECT_EQ(found.loop, 0U);
  EXPECT_EQ(found.never_fire, (Texts{"fire c alarm"}));
}

// Sends itself two messages, at once or later: by the order in which they arrive.
struct Juggler : node::Node<Juggler, Thrown> {
  explicit Juggler(bool always_rests) : lazy(always_rests) {}
  void start(Env& env) override { throw_both(env); }
  void timer(Env& env, std::string_view) override { throw_both(env); }
  void receive(Env& env, Id, const Ball&) { take(env, 1); }
  void receive(Env& env, Id, const Whistle&) { take(env, 2); }
  void take(Env& env, int8_t which) {
    if (*caught == 0) {
      caught = which;
      return;
    }
    if (lazy || *caught == 2) {
      env.set_timer("rest");
    } else {
      throw_both(env);
    }
    caught = int8_t{0};
  }
  static void throw_both(Env& env) {
    env.send(env.self(), Ball{});
    env.send(env.self(), Whistle{});
  }
  const bool lazy;
  node::Field<int8_t> caught{this, "caught"};
};

Looked juggle(bool lazy) {
  Cluster cluster({"a", "b"});
  cluster.unit = Unit::kMessage;
  cluster.node<Juggler>("a", lazy);
  demand_alarm(cluster, "b");
  return look_at(cluster);
}

// The alarm could ring only where nothing else can happen, which is so again and again.
TEST(LassoTest, NoTimerWaitsForEverWhereAllRests) {
  const Exploration found = juggle(true).exploration;
  EXPECT_TRUE(found.complete);
  EXPECT_GT(found.awaited[0].awaited, 3U);
}

// As before, but there is a way to go on without rest.
TEST(LassoTest, ALoopThatAvoidsRest) {
  const Looked found = juggle(false);
  EXPECT_EQ(found.path, (Texts{"deliver a>a Ball", "deliver a>a Whistle"}));
  EXPECT_EQ(found.never_fire, (Texts{"fire b alarm"}));
}

struct Ask {
  CLEW_FIELDS(Ask)
};
struct Yes {
  CLEW_FIELDS(Yes)
};
struct No {
  CLEW_FIELDS(No)
};
using Vote = std::variant<Ask, Yes, No>;

// Whoever is refused asks again: at once, or when its timer fires.
struct Candidate : node::Node<Candidate, Vote> {
  Candidate(Id other, bool waits) : peer(other), patient(waits) {}
  void start(Env& env) override { env.set_timer("election"); }
  void timer(Env& env, std::string_view) override {
    tries = true;
    env.send(peer, Ask{});
  }
  void receive(Env& env, Id from, const Ask&) {
    if (*tries || *leads) {
      env.send(from, No{});
    } else {
      env.send(from, Yes{});
    }
  }
  void receive(Env&, Id, const Yes&) {
    leads = true;
    tries = false;
  }
  void receive(Env& env, Id, const No&) {
    if (patient) {
      tries = false;
      env.set_timer("election");
    } else {
      env.send(peer, Ask{});
    }
  }
  const Id peer;
  const bool patient;
  node::Field<bool> tries{this, "tries"};
  node::Field<bool> leads{this, "leads"};
};

Cluster election(bool patient) {
  Cluster cluster({"a", "b"});
  cluster.node<Candidate>("a", cluster.id("b"), patient);
  cluster.node<Candidate>("b", cluster.id("a"), patient);
  cluster.symmetric({"a", "b"});
  cluster.eventually("somebody leads", [](const States& states) {
    return *states.node<Candidate>("a").leads || *states.node<Candidate>("b").leads;
  });
  return cluster;
}

TEST(LassoTest, CandidatesRefuseEachOther) {
  Cluster cluster = election(false);
  EXPECT_TRUE(look_at(cluster).exploration.complete);  // one after the other
  cluster.limits.early_timers = 1;
  const Looked found = look_at(cluster);
  EXPECT_EQ(found.path, (Texts{"fire a election", "fire b election", "deliver b>a Ask",
                               "deliver a>b Ask", "deliver a>b No", "deliver b>a No"}));
  EXPECT_EQ(found.loop, 2U);
  EXPECT_EQ(found.cures, 1U);  // without the second timer, then one leads
}

TEST(LassoTest, PatienceHelps) {
  Cluster cluster = election(true);
  cluster.limits.early_timers = 3;
  EXPECT_TRUE(look_at(cluster).exploration.complete);
}

// Who waits for what would be lost with the names.
TEST(LassoTest, NodesAreNotRenamed) {
  const Cluster cluster = election(true);
  Stateful engine(cluster, {.symmetry = true}), other(cluster, {.symmetry = false});
  EXPECT_EQ(engine.run().states, other.run().states);
}

// Says no for ever to whoever asks after it has come back.
struct Forgetful : node::Node<Forgetful, Vote> {
  void start(Env& env) override {
    starts += int8_t{1};
    env.sync();
  }
  void receive(Env& env, Id from, const Ask&) {
    if (*starts > 1) {
      env.send(from, No{});
    } else {
      env.send(from, Yes{});
    }
  }
  void receive(Env&, Id, const Yes&) {}
  void receive(Env&, Id, const No&) {}
  node::Durable<int8_t> starts{this, "starts"};
};

TEST(LassoTest, ACrashBeforeTheLoop) {
  Cluster cluster({"a", "b"});
  cluster.node<Candidate>("a", cluster.id("b"), false);
  cluster.node<Forgetful>("b");
  cluster.limits = {.crashes = 1, .restarts = 1};
  cluster.eventually("a leads while b is up", [](const States& states) {
    return *states.node<Candidate>("a").leads || !states.up(states.id("b")) ||
           !states.up(states.id("a"));
  });
  const Looked found = look_at(cluster);
  EXPECT_EQ(found.path, (Texts{"fire a election", "crash b", "restart b", "deliver a>b Ask",
                               "deliver b>a No"}));
  EXPECT_EQ(found.loop, 3U);
  EXPECT_EQ(found.cures, 1U);  // without the crash
}

TEST(LassoTest, TimersThatFireForEver) {
  Cluster cluster({"a", "b"});
  cluster.node<Blinker>("a");
  cluster.node<Blinker>("b");
  cluster.eventually("both are on", [](const States& states) {
    return *states.node<Blinker>("a").on && *states.node<Blinker>("b").on;
  });
  // Each blinks again and again, but the two never at the same time.
  const Looked found = look_at(cluster);
  EXPECT_EQ(found.path, (Texts{"fire b blink", "fire b blink", "fire a blink", "fire a blink"}));
  EXPECT_EQ(found.loop, 0U);
}

TEST(LassoTest, OtherEnginesRefuse) {
  const Cluster cluster = passers(false);
  EXPECT_THROW({ const Stateless engine(cluster, {}); }, Mistake);
}

// example: src/explore/lasso.h
TEST(LassoTest, ItMayBeStopped) {
  Cluster cluster = election(true);
  Stateful engine(cluster, {});
  engine.run();
  Runner& runner = engine.runner();
  const WorldStore& worlds = engine.worlds();
  const Property& property = cluster.properties().front();
  const size_t most_bytes = 1'000'000;
  {
    const clew::Stop stop = [] { return true; };
    Lassos lassos(runner, worlds, stop, most_bytes);
    if (const auto lasso = lassos.find(property)) FAIL();
    if (!lassos.unfinished().empty()) {
      EXPECT_EQ(lassos.unfinished(), "it was stopped");
    } else {
      FAIL();
    }
  }
  Lassos small(runner, worlds, {}, 10);
  EXPECT_FALSE(small.find(property));
  EXPECT_EQ(small.unfinished(), "more than 10 bytes are needed");
  Lassos enough(runner, worlds, {}, most_bytes);
  EXPECT_FALSE(enough.find(property));
  EXPECT_EQ(enough.unfinished(), "");
  EXPECT_EQ(enough.held() + enough.awaited(), worlds.size());
}

// example: src/explore/fairness.h
TEST(LassoTest, WhatIsStarved) {
  const Cluster cluster = passers(true);
  Runner runner(cluster);
  const World world = runner.initial();
  std::vector<Move> due;
  runner.due(world, due);
  ASSERT_EQ(due.size(), 2U);
  const InputId input = due[0].input;
  Fairness fairness(runner);
  fairness.visit(world, due);
  EXPECT_TRUE(fairness.wants(input));
  fairness.take(input);
  EXPECT_FALSE(fairness.wants(input));
  ASSERT_EQ(fairness.starved().size(), 1U);
  EXPECT_EQ(fairness.starved()[0], due[1]);
}

}  // namespace
}  // namespace clew::explore
