// Envelopes that stay: what may still happen where all of them were delivered.
#include <gtest/gtest.h>

#include "explore/stateful.h"
#include "explore/stateless.h"
#include "explore/strategies/guided.h"
#include "tests/explore/naive.h"

namespace clew::explore {
namespace {

struct Hello {
  CLEW_FIELDS(Hello)
};
struct Plea {
  CLEW_FIELDS(Plea)
};
struct Grant {
  CLEW_FIELDS(Grant)
};

// Says hello and loses patience.
struct Guest : node::Node<Guest, Hello, Plea, Grant> {
  explicit Guest(std::optional<Id> whom, bool fails = false) : host(whom), brittle(fails) {}
  void start(Env& env) override {
    if (!host) return;
    env.send(*host, Hello{});
    env.set_timer("patience");
  }
  void receive(Env&, Id, const Hello&) {
    if (brittle) throw std::runtime_error("it breaks");
    heard = true;
  }
  void timer(Env&, std::string_view) override { tired = true; }
  void request(Env& env, node::RequestId, const Plea&) {  // which is never granted
    wishes += 1;
    env.send(env.self(), Hello{});
  }

  const std::optional<Id> host;
  const bool brittle;
  node::Field<bool> heard{this, "heard"};
  node::Field<bool> tired{this, "tired"};
  node::Field<int> wishes{this, "wishes"};
};

Cluster greeting() {
  Cluster cluster({"host", "guest"});
  cluster.node<Guest>("host", std::optional<Id>());
  cluster.node<Guest>("guest", std::optional(cluster.id("host")));
  cluster.channels = Channels::kSet;
  return cluster;
}

bool is_tired(const States& states) { return states.node<Guest>("guest").tired; }
bool has_heard(const States& states) { return states.node<Guest>("host").heard; }

// The name of what is violated, as every engine and the naive explorer find it.
std::string violated(const Cluster& cluster) {
  const auto name_of = [](const Exploration& found) {
    EXPECT_TRUE(found.complete || found.violation);
    return found.violation ? found.violation->property : "";
  };
  const std::string result = name_of(Stateful(cluster, {}).run());
  EXPECT_EQ(name_of(Stateless(cluster, {}).run()), result);
  EXPECT_EQ(name_of(Stateless(cluster, {.reduction = Reduction::kDfs}).run()), result);
  const Exploration hunted = Guided(cluster, {.strategy = {.name = "novelty"}}).run();
  EXPECT_EQ(hunted.violation ? hunted.violation->property : "", result);
  EXPECT_EQ(Naive(cluster).explore(1'000, false).violated.value_or(""), result);
  return result;
}

TEST(SetChannelsTest, TimersFireInTimeOnceAllIsDelivered) {
  Cluster cluster = greeting();
  cluster.always("never tired", [](const States& states) { return !is_tired(states); });
  EXPECT_EQ(violated(cluster), "never tired");
}

TEST(SetChannelsTest, TimersAreEarlyWhileADeliveryChangesSomething) {
  Cluster cluster = greeting();
  cluster.always("heard by then",
                 [](const States& states) { return !is_tired(states) || has_heard(states); });
  EXPECT_EQ(violated(cluster), "");
  cluster.limits.early_timers = 1;
  EXPECT_EQ(violated(cluster), "heard by then");
}

TEST(SetChannelsTest, TheEndWaitsForTimers) {
  Cluster cluster = greeting();
  cluster.finally("tired in the end", is_tired);
  EXPECT_EQ(violated(cluster), "");
  cluster.finally("not heard in the end", [](const States& states) { return !has_heard(states); });
  EXPECT_EQ(violated(cluster), "not heard in the end");
}

TEST(SetChannelsTest, WhatFailsIsSomethingThatHappens) {
  Cluster cluster = greeting();
  cluster.node<Guest>("host", std::optional<Id>(), true);
  cluster.finally("never at rest", [](const States&) { return false; });
  EXPECT_EQ(violated(cluster), "a handler fails: it breaks");
}

TEST(SetChannelsTest, ClientsWaitForWhatChangesSomething) {
  Cluster cluster = greeting();
  cluster.client({cluster.ask("host", Plea{})});
  cluster.client({cluster.ask("host", Plea{})});
  cluster.limits.requests = 1;
  cluster.always("heard before the second", [](const States& states) {
    return states.node<Guest>("host").wishes < 2 || has_heard(states);
  });
  EXPECT_EQ(violated(cluster), "");
  cluster.finally("both are asked",
                  [](const States& states) { return states.node<Guest>("host").wishes == 2; });
  EXPECT_EQ(violated(cluster), "");
}

}  // namespace
}  // namespace clew::explore
