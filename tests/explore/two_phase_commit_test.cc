// Two-phase commit as textbooks have it: a transaction manager, resource managers that prepare or
// abort of their own accord, and messages that stay (Gray, Lamport: Consensus on Transaction
// Commit). How many states it has is known.
#include <gtest/gtest.h>

#include <set>

#include "explore/stateful.h"
#include "explore/stateless.h"

namespace clew::explore {
namespace {

struct Prepared {
  CLEW_FIELDS(Prepared)
};
struct Commit {
  CLEW_FIELDS(Commit)
};
struct Abort {
  CLEW_FIELDS(Abort)
};
using CommitMessage = std::variant<Prepared, Commit, Abort>;
enum class State : uint8_t { kWorking, kPrepared, kCommitted, kAborted };

struct Resource : node::Node<Resource, CommitMessage> {
  explicit Resource(Id of) : manager(of) {}

  void start(Env& env) override {
    env.set_timer("prepare");
    env.set_timer("abort");
  }
  void timer(Env& env, std::string_view name) override {
    env.set_timer(name);
    if (*state != State::kWorking) return;
    state = name == "prepare" ? State::kPrepared : State::kAborted;
    if (name == "prepare") env.send(manager, Prepared{});
  }
  void receive(Env&, Id, const Prepared&) {}
  void receive(Env&, Id, const Commit&) { state = State::kCommitted; }
  void receive(Env&, Id, const Abort&) { state = State::kAborted; }

  const Id manager;
  node::Field<State> state{this, "state"};
};

struct Manager : node::Node<Manager, CommitMessage> {
  Manager(std::vector<Id> all, size_t enough) : resources(std::move(all)), quorum(enough) {}

  void start(Env& env) override {
    env.set_timer("commit");
    env.set_timer("abort");
  }
  void timer(Env& env, std::string_view name) override {
    env.set_timer(name);
    if (*state != State::kWorking) return;
    if (name == "abort") {
      state = State::kAborted;
      for (const Id id : resources) env.send(id, Abort{});
    } else if (prepared->size() >= quorum) {
      state = State::kCommitted;
      for (const Id id : resources) env.send(id, Commit{});
    }
  }
  void receive(Env&, Id from, const Prepared&) {
    if (*state == State::kWorking) prepared.edit().insert(from);
  }
  void receive(Env&, Id, const Commit&) {}
  void receive(Env&, Id, const Abort&) {}

  const std::vector<Id> resources;
  const size_t quorum;
  node::Field<State> state{this, "state"};
  node::Field<std::set<Id>> prepared{this, "prepared"};
};

Cluster two_phase_commit(size_t count, size_t quorum) {
  std::vector<std::string> names;
  for (size_t i = 1; i <= count; ++i) names.push_back("r" + std::to_string(i));
  const std::vector<std::string> resources = names;
  names.emplace_back("m");
  Cluster cluster(names);
  std::vector<Id> ids;
  for (const std::string& name : resources) {
    ids.push_back(cluster.id(name));
    cluster.node<Resource>(name, cluster.id("m"));
  }
  cluster.node<Manager>("m", ids, quorum);
  cluster.symmetric(resources);
  cluster.channels = Channels::kSet;
  cluster.limits.early_timers = kUnlimited;
  cluster.always("all or nothing", [ids](const States& states) {
    const auto some = [&](State wanted) {
      return std::ranges::any_of(ids,
                                 [&](Id id) { return *states.node<Resource>(id).state == wanted; });
    };
    return !some(State::kCommitted) || !some(State::kAborted);
  });
  return cluster;
}

Exploration explored(size_t count, bool symmetry) {
  const Cluster cluster = two_phase_commit(count, count);
  return Stateful(cluster, {.symmetry = symmetry}).run();
}

TEST(TwoPhaseCommitTest, AsManyStatesAsIsKnown) {
  EXPECT_EQ(explored(3, false).states, 288U);
  EXPECT_EQ(explored(5, false).states, 8'832U);
  EXPECT_TRUE(explored(3, false).complete);
  EXPECT_FALSE(explored(3, false).violation);
}

TEST(TwoPhaseCommitTest, AsManyUpToRenaming) {
  EXPECT_EQ(explored(3, true).states, 80U);
  EXPECT_EQ(explored(5, true).states, 314U);
  EXPECT_TRUE(explored(5, true).complete);
}

TEST(TwoPhaseCommitTest, CommittingTooEarlyIsFound) {
  const Cluster cluster = two_phase_commit(3, 2);
  for (const bool symmetry : {false, true}) {
    Stateful engine(cluster, {.symmetry = symmetry});
    const Exploration found = engine.run();
    ASSERT_TRUE(found.violation);
    EXPECT_FALSE(found.complete);
    EXPECT_EQ(found.violation->property, "all or nothing");
    // Two prepare and are heard, the third aborts, the manager commits, one hears of it.
    EXPECT_EQ(found.violation->path.size(), 7U);
  }
}

TEST(TwoPhaseCommitTest, OnePathOfEachClass) {
  const Cluster cluster = two_phase_commit(3, 3);
  const Exploration found = Stateless(cluster, {}).run();
  EXPECT_TRUE(found.complete);
  EXPECT_EQ(found.paths, 1'932U);
  EXPECT_EQ(found.blocked, 0U);
  EXPECT_EQ(found.terminals, Stateful(cluster, {.symmetry = false}).run().terminals);
  EXPECT_EQ(Stateless(cluster, {.reduction = Reduction::kDfs}).run().paths, 4'680U);
  const Cluster too_early = two_phase_commit(3, 2);
  EXPECT_TRUE(Stateless(too_early, {}).run().violation);
}

TEST(TwoPhaseCommitTest, TheGroupIsTreatedAlike) {
  const Cluster cluster = two_phase_commit(3, 3);
  Runner runner(cluster);
  Symmetry symmetry(runner, true);
  EXPECT_EQ(symmetry.renamings(), 6U);
  World world = runner.initial(), next;
  std::vector<Move> moves;
  for (size_t step = 0; step < 12; ++step) {
    EXPECT_EQ(symmetry.breaks(world), std::nullopt);
    runner.moves(world, moves);
    runner.apply(world, moves[step * 7 % moves.size()], next);
    std::swap(world, next);
  }
}

TEST(TwoPhaseCommitTest, AGroupThatIsNotAlikeIsNoticed) {
  Cluster cluster = two_phase_commit(3, 3);
  cluster.node<Manager>("m", std::vector<Id>{cluster.id("r1")}, 1);
  Runner runner(cluster);
  Symmetry symmetry(runner, true);
  World world = runner.initial(), next;
  std::vector<Move> moves;
  runner.moves(world, moves);
  const auto abort =
      std::ranges::find_if(moves, [&](Move move) { return runner.print(move) == "fire m abort"; });
  ASSERT_NE(abort, moves.end());
  EXPECT_EQ(symmetry.breaks(world), "fire m abort has another effect after renaming");
}

TEST(TwoPhaseCommitTest, WhatIsNotAlikeIsExploredWithoutRenaming) {
  Cluster cluster = two_phase_commit(3, 3);
  cluster.node<Manager>("m", std::vector<Id>{cluster.id("r1")}, 1);
  const Exploration plain = Stateful(cluster, {.symmetry = false}).run();
  const Exploration found = Stateful(cluster, {.symmetry = true}).run();
  EXPECT_EQ(found.not_alike, "fire m abort has another effect after renaming");
  EXPECT_EQ(found.states, plain.states);
  EXPECT_FALSE(plain.not_alike);
}

TEST(TwoPhaseCommitTest, APropertyOfOneOfThemIsNotAlike) {
  for (const std::string name : {"r1", "r2", "r3"}) {
    Cluster cluster = two_phase_commit(3, 3);
    cluster.always("one never commits", [name](const States& states) {
      return *states.node<Resource>(name).state != State::kCommitted;
    });
    const Exploration found = Stateful(cluster, {.symmetry = true}).run();
    ASSERT_TRUE(found.violation) << name;
    EXPECT_EQ(found.violation->property, "one never commits");
    EXPECT_EQ(found.violation->path.size(), 8U);  // all prepare, are heard, it commits, one hears
  }
}

TEST(TwoPhaseCommitTest, APropertyOfOneOfThemIsNoticed) {
  Cluster cluster = two_phase_commit(3, 3);
  cluster.finally("r1 works", [](const States& states) {
    return *states.node<Resource>("r1").state != State::kPrepared;
  });
  EXPECT_EQ(Stateful(cluster, {.symmetry = true}).run().not_alike,
            "a property makes a difference of names");
}

}  // namespace
}  // namespace clew::explore
