#include "explore/steps.h"

#include <gtest/gtest.h>

#include "explore/stateful.h"

namespace clew::explore {
namespace {

struct Add {
  int8_t amount = 0;
  CLEW_FIELDS(Add, amount)
};

// Adds up what it is told; keeps the sum on disk, synced now and then.
struct Adder : node::Node<Adder, Add> {
  explicit Adder(Id other) : peer(other) {}
  void start(Env& env) override {
    for (int8_t amount = 1; amount < 3; ++amount) env.send(peer, Add{amount});
    env.set_timer("sync");
  }
  void receive(Env&, Id, const Add& add) {
    sum.edit() += add.amount;
    CHECK(sum <= 100, "too much");
  }
  void timer(Env& env, std::string_view) override { env.sync(); }
  const Id peer;
  node::Durable<int> sum{this, "sum"};
};

// The same without telling anybody what it remembers, but for what is on disk.
struct Secretive : node::Node<Secretive, Add> {
  explicit Secretive(Id other) : peer(other) {}
  bool declares_state() const override { return false; }
  void start(Env& env) override {
    for (int8_t amount = 1; amount < 3; ++amount) env.send(peer, Add{amount});
    env.set_timer("sync");
    sum = disk;
  }
  void receive(Env&, Id, const Add& add) {
    sum += add.amount;
    disk = sum;
  }
  void timer(Env& env, std::string_view) override { env.sync(); }
  const Id peer;
  int sum = 0;
  node::Durable<int> disk{this, "disk"};
};

template <class N>
Cluster pair() {
  Cluster cluster({"a", "b"});
  cluster.node<N>("a", cluster.id("b"));
  cluster.node<N>("b", cluster.id("a"));
  cluster.unit = Unit::kMessage;
  cluster.limits = {.crashes = 1, .restarts = 1, .losses = 0, .duplicates = 0, .early_timers = 1};
  return cluster;
}

int sum_of(const Adder& adder) { return adder.sum; }
int sum_of(const Secretive& node) { return node.disk; }

// What can be on disk in the end, at both nodes.
template <class N>
std::set<std::pair<int, int>> sums() {
  const Cluster cluster = pair<N>();
  Stateful engine(cluster, {.symmetry = false});
  EXPECT_TRUE(engine.run().complete);
  std::set<std::pair<int, int>> found;
  for (const uint32_t id : engine.terminals()) {
    const auto sum = [&](uint8_t of) {
      return sum_of(dynamic_cast<const N&>(engine.runner().steps().node(engine.worlds()[id][of])));
    };
    found.insert({sum(0), sum(1)});
  }
  return found;
}

TEST(StepsTest, WhatIsNotDeclaredIsRunAgain) {
  const std::set<std::pair<int, int>> declared = sums<Adder>();
  EXPECT_TRUE(declared.contains({3, 3}));
  EXPECT_TRUE(declared.contains({0, 6})) << "a lost all, and said everything twice";
  EXPECT_EQ(sums<Secretive>(), declared);
}

TEST(StepsTest, AllThatIsNotSyncedMayBeLost) {
  const Cluster cluster = pair<Adder>();
  Steps steps(cluster);
  const Id a{0};
  LocalId local = steps.take(steps.unborn(a), steps.start_of(a)).after;
  EXPECT_EQ(steps.crashes(local).size(), 1U);
  for (const int8_t amount : {int8_t{1}, int8_t{2}}) {
    const InputId add = steps.number({.kind = Input::Kind::kEnvelope,
                                      .to = a,
                                      .from = Id{1},
                                      .parts = {node::encode(Add{amount})}});
    local = steps.take(local, add).after;
  }
  EXPECT_EQ(steps.print_local(local), "sum 3");
  std::set<int> kept;
  for (const InputId way : steps.crashes(local)) {
    const LocalId crashed = steps.take(local, way).after;
    EXPECT_FALSE(steps.up(crashed));
    EXPECT_TRUE(steps.timers(crashed).empty());
    kept.insert(dynamic_cast<const Adder&>(steps.node(crashed)).sum);
  }
  EXPECT_EQ(kept, (std::set<int>{0, 1, 3}));
  const LocalId synced = steps.take(local, steps.timers(local).front()).after;
  EXPECT_EQ(steps.crashes(synced).size(), 1U);
}

struct Fickle : node::Node<Fickle, Add> {
  void start(Env&) override { number = counter++; }
  void receive(Env&, Id, const Add&) {}
  static inline int counter = 0;
  node::Field<int> number{this, "number"};
};

struct Rash : node::Node<Rash, Add> {
  void start(Env& env) override { env.send(Id{7}, Add{1}); }
  void receive(Env&, Id, const Add&) {}
};

// What it knows since its start is no Field, and so not there when it hears.
struct Distracted : node::Node<Distracted, Add> {
  void start(Env& env) override {
    known = 5;
    env.send(env.self(), Add{1});
  }
  void receive(Env&, Id, const Add&) { number = known; }
  int known = 0;
  node::Field<int> number{this, "number"};
};

template <class N>
std::string failure() {
  Cluster cluster({"a"});
  cluster.node<N>("a");
  Steps steps(cluster);
  return steps.take(steps.unborn(Id{0}), steps.start_of(Id{0})).failure;
}

TEST(StepsTest, WhatIsRememberedOutsideOfFieldsFails) {
  Cluster cluster({"a"});
  cluster.node<Distracted>("a");
  Steps steps(cluster);
  const Step started = steps.take(steps.unborn(Id{0}), steps.start_of(Id{0}));
  EXPECT_EQ(started.failure, "");
  EXPECT_EQ(steps.take(started.after, started.sent.front()).failure,
            "it is not deterministic: the same input in the same state had another effect");
}

TEST(StepsTest, WhatIsNotDeterministicFails) {
  EXPECT_EQ(failure<Fickle>(),
            "it is not deterministic: the same input in the same state had another effect");
}

TEST(StepsTest, AStartThatFailsIsFound) {
  Cluster cluster({"a"});
  cluster.node<Rash>("a");
  Stateful engine(cluster, {.symmetry = false});
  const Exploration found = engine.run();
  ASSERT_TRUE(found.violation);
  EXPECT_EQ(found.violation->property,
            "a handler fails: a message to #7, who does not exist, when a starts");
  EXPECT_TRUE(found.violation->path.empty());
  EXPECT_FALSE(found.complete);
}

TEST(StepsTest, WhoDoesNotExistGetsNothing) {
  EXPECT_EQ(failure<Rash>(), "a message to #7, who does not exist");
}

}  // namespace
}  // namespace clew::explore
