// Canonical's raft, as Debian 12 has it (0.15.0), within small bounds: what it does, what a wrong
// wrapper is caught by, and what it gets wrong itself (systems/raft/README.md).
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.h"
#include "explore/stateful.h"
#include "systems/raft/child.h"
#include "systems/raft/plan.h"

namespace clew::raft {
namespace {

using explore::Exploration;
using explore::Move;
using explore::Runner;
using explore::Stateful;

// Servers that may time out as often as that, since each start.
Cluster timing_out(const std::vector<uint8_t>& timeouts, Options options = {}) {
  const std::vector<std::string> names = {"a", "b", "c"};
  Cluster cluster = cluster_of(names, options);
  for (size_t i = 0; i < names.size(); ++i) {
    options.timeouts = timeouts[i];
    cluster.node<RaftNode>(names[i], options);
  }
  return cluster;
}

void propose(Cluster& cluster, const std::string& to, const std::string& command) {
  cluster.client({cluster.ask(to, Request{Propose{command}})});
}

const RaftNode& server(Stateful& engine, uint32_t world, uint8_t which) {
  return dynamic_cast<const RaftNode&>(engine.runner().steps().node(engine.worlds()[world][which]));
}

std::vector<std::string> path_of(Stateful& engine, const Exploration& found) {
  std::vector<std::string> path;
  for (const Move& move : found.violation->path) path.push_back(engine.runner().print(move));
  return path;
}

// The example at the top of systems/raft/raft_node.h.
TEST(RaftTest, IsANode) {
  Cluster cluster({"a", "b", "c"});
  for (const char* name : {"a", "b", "c"}) cluster.node<RaftNode>(name, Options{});
  cluster.client({cluster.ask("a", Request{Propose{"x"}})});
  Runner runner(cluster);
  const explore::World world = runner.initial();
  EXPECT_EQ(runner.start_failure(), "");
  std::vector<Move> moves;
  runner.moves(world, moves);
  ASSERT_EQ(moves.size(), 1U) << "there is something to do, so no timer fires";
  EXPECT_EQ(runner.print(moves.front()), "ask client 1>a Propose{command: \"x\"}");
}

TEST(RaftTest, WhoTimesOutLeads) {
  const Cluster cluster = timing_out({1, 1, 1});
  Stateful engine(cluster, {.symmetry = false});
  const Exploration result = engine.run();
  EXPECT_TRUE(result.complete);
  EXPECT_FALSE(result.violation);
  std::set<std::set<uint64_t>> led;  // by a, in all that can become of it
  for (const uint32_t world : engine.terminals()) led.insert(*server(engine, world, 0).led);
  EXPECT_TRUE(led.contains(std::set<uint64_t>{2}));
  EXPECT_TRUE(led.contains(std::set<uint64_t>{})) << "another one may be faster";
}

TEST(RaftTest, WhatIsProposedToALeaderIsAppliedByAll) {
  Cluster cluster = timing_out({1, 0, 0});
  cluster.node<RaftNode>("a", Options{.ticks = 1, .timeouts = 1});  // the heartbeat that tells it
  propose(cluster, "a", "x");
  cluster.limits.early_timers = 1;
  Stateful engine(cluster, {.symmetry = false});
  const Exploration result = engine.run();
  EXPECT_TRUE(result.complete);
  EXPECT_FALSE(result.violation);
  bool all = false;
  for (const uint32_t world : engine.terminals()) {
    bool here = true;
    for (uint8_t i = 0; i < 3; ++i) {
      here = here && *server(engine, world, i).applied == std::vector<std::string>{"x"};
    }
    all = all || here;
  }
  EXPECT_TRUE(all);
}

constexpr const char* kCommit[] = {"fire a timeout",       "deliver a>b RequestVote",
                                   "deliver b>a Vote",     "deliver a>b Append",
                                   "deliver b>a Appended", "ask client 1>a Propose",
                                   "deliver a>b Append",   "deliver b>a Appended"};

// The nodes after these moves, all of which must be possible.
template <class Look>
void after(const Cluster& cluster, const std::vector<std::string>& moves, const Look& look) {
  Runner runner(cluster);
  explore::World world = runner.initial(), next;
  for (const std::string& wanted : moves) {
    std::vector<Move> possible;
    runner.moves(world, possible);
    const auto found = std::ranges::find_if(
        possible, [&](const Move& move) { return runner.print(move).starts_with(wanted); });
    ASSERT_NE(found, possible.end()) << wanted;
    const explore::Step* step = runner.apply(world, *found, next);
    ASSERT_TRUE(step == nullptr || step->failure.empty()) << wanted << ": " << step->failure;
    std::swap(world, next);
    const std::vector<bool> holds = runner.judge(world, world);
    EXPECT_FALSE(std::ranges::count(holds, false)) << wanted;
  }
  const explore::WorldStates states(runner, world);
  look(states);
}

TEST(RaftTest, ACommittedCommandSurvivesTheCrashOfItsLeader) {
  for (const bool slow : {false, true}) {
    Cluster cluster = timing_out({1, 3, 0}, {.slow_disk = slow});
    propose(cluster, "a", "x");
    cluster.limits = {.crashes = 1, .restarts = 1, .losses = 0, .duplicates = 0, .early_timers = 9};
    std::vector<std::string> moves(std::begin(kCommit), std::end(kCommit));
    if (slow) {
      moves.insert(moves.begin() + 6, "fire a disk");
      moves.insert(moves.begin() + 8, "fire b disk");
    }
    after(cluster, moves, [](const States& states) {
      EXPECT_EQ(*states.node<RaftNode>("a").applied, (std::vector<std::string>{"x"}));
      EXPECT_EQ(states.node<RaftNode>("b").applied->size(), 0U) << "it has not been told yet";
    });
    moves.insert(moves.end(), {"crash a", "fire b timeout", "deliver b>c RequestVote",
                               "deliver c>b Vote", "restart a", "deliver b>a Append{term: 3"});
    after(cluster, moves, [](const States& states) {
      EXPECT_TRUE(states.node<RaftNode>("b").leads());
      EXPECT_EQ(states.node<RaftNode>("b").log().last(), 2U);
      EXPECT_FALSE(states.node<RaftNode>("a").leads());
      EXPECT_EQ(states.node<RaftNode>("a").log(), states.node<RaftNode>("b").log());
    });
  }
}

TEST(RaftTest, AVoteThatIsNotSyncedElectsTwo) {
  Cluster cluster = timing_out({1, 0, 1}, {.mistake = Mistake::kVoteNotSynced});
  cluster.limits = {.crashes = 1, .restarts = 1, .losses = 0, .duplicates = 0, .early_timers = 1};
  Stateful engine(cluster, {.symmetry = false});
  const Exploration found = engine.run();
  ASSERT_TRUE(found.violation);
  EXPECT_EQ(found.violation->property, "election safety");
  EXPECT_EQ(found.violation->path.size(), 8U);
  EXPECT_TRUE(std::ranges::count(path_of(engine, found), "restart a"));
}

TEST(RaftTest, EntriesThatAreNotSyncedAreLost) {
  Cluster cluster = timing_out({1, 0, 0}, {.mistake = Mistake::kLogNotSynced});
  propose(cluster, "a", "x");
  cluster.limits = {.crashes = 1, .restarts = 0, .losses = 0, .duplicates = 0, .early_timers = 1};
  Stateful engine(cluster, {.symmetry = false});
  const Exploration found = engine.run();
  ASSERT_TRUE(found.violation);
  EXPECT_EQ(found.violation->property, "majority");
  EXPECT_EQ(path_of(engine, found).back(), "crash a");
}

// Nobody is wrong here but the library.
TEST(RaftTest, ALeaderTakesALeftoverForACopy) {
  Cluster cluster = timing_out({0, 1, 1});
  propose(cluster, "c", "x");
  propose(cluster, "b", "y");
  cluster.limits.early_timers = 2;
  Stateful engine(cluster, {.symmetry = false});
  const Exploration found = engine.run();
  ASSERT_TRUE(found.violation);
  EXPECT_EQ(found.violation->property, "majority");
  ASSERT_EQ(found.violation->path.size(), 10U);
  EXPECT_EQ(path_of(engine, found).back(),
            "deliver b>c Appended{term: 3, rejected: 0, last_index: 2}");
}

TEST(RaftTest, WhatWasFoundHappensAgain) {
  size_t files = 0;
  for (const auto& file : std::filesystem::directory_iterator("systems/raft/found")) {
    const Result<std::string> text = read_file(file.path().string(), 1'000'000);
    ASSERT_TRUE(text.ok()) << file.path();
    const Result<Scenario> scenario = scenario_of(*text);
    ASSERT_TRUE(scenario.ok()) << file.path();
    const Outcome outcome = replay(cluster_of(scenario->plan), scenario->moves);
    EXPECT_EQ(outcome.violation, scenario->violation) << file.path();
    EXPECT_EQ(outcome.moves, scenario->moves) << file.path();
    ++files;
  }
  EXPECT_GE(files, 4U);
}

// Whatever else breaks, these hold.
TEST(RaftTest, RandomWalksElectOneLeaderPerTerm) {
  std::set<std::string> kinds;  // of messages that arrived
  for (const char* more : {"", "--slow-disk", "--pre-vote", "--slow-disk --ticks 20"}) {
    const Result<Scenario> scenario = scenario_of(
        std::string("# raft_walk --commands 60 --transfers 6 --snapshots 3 --without majority "
                    "--without leader-completeness --without state-machine-safety "
                    "--without known-receivers --without nobody-gives-up ") +
        more);
    ASSERT_TRUE(scenario.ok());
    const Cluster cluster = cluster_of(scenario->plan);
    for (uint64_t seed = 0; seed < 15; ++seed) {
      const Outcome outcome = walk(cluster, seed, 150);
      EXPECT_EQ(outcome.violation, "") << "seed " << seed << " " << more;
      EXPECT_EQ(outcome.moves.size(), 150U);
      for (const std::string& move : outcome.moves) {
        constexpr size_t kBefore = std::string_view("deliver a>b ").size();
        if (move.starts_with("deliver")) {
          kinds.insert(move.substr(kBefore, move.find('{') - kBefore));
        }
      }
    }
  }
  EXPECT_EQ(kinds, (std::set<std::string>{"Append", "Appended", "InstallSnapshot", "RequestVote",
                                          "TimeoutNow", "Vote"}));
}

TEST(RaftTest, WhatIsShrunkStillBreaks) {
  const Plan plan{.commands = 12, .options = {.timeouts = 2, .mistake = Mistake::kLogNotSynced}};
  const Cluster cluster = cluster_of(plan);
  Outcome found;
  for (uint64_t seed = 0; seed < 200 && found.violation.empty(); ++seed) {
    found = walk(cluster, seed, 100);
  }
  ASSERT_EQ(found.violation, "majority");
  const Outcome least =
      shrink(found, [&](const std::vector<std::string>& moves) { return replay(cluster, moves); });
  EXPECT_EQ(least.violation, "majority");
  EXPECT_LT(least.moves.size(), found.moves.size());
  const Outcome again = replay(cluster, least.moves);
  EXPECT_EQ(again.violation, "majority");
  EXPECT_EQ(again.moves, least.moves);
}

TEST(RaftTest, AChildThatDiesTellsItsMoves) {
  const Outcome died = in_child([](const OnMove& on_move) -> Outcome {
    on_move("first");
    on_move("last");
    std::_Exit(3);
  });
  EXPECT_EQ(died.violation, "exit 3");
  EXPECT_EQ(died.moves, (std::vector<std::string>{"first", "last"}));
  const Outcome lived = in_child([](const OnMove& on_move) {
    on_move("only");
    return Outcome{.violation = "something"};
  });
  EXPECT_EQ(lived.violation, "something");
  EXPECT_EQ(lived.moves, (std::vector<std::string>{"only"}));
}

TEST(RaftTest, FlagsThatAreNoneAreRefused) {
  for (const char* flags : {"--frob", "--moves", "--moves x", "--seeds 1", "--mistake no",
                            "--ticks 256", "--servers 10"}) {
    EXPECT_FALSE(scenario_of(std::string("# raft_walk ") + flags).ok()) << flags;
  }
}

}  // namespace
}  // namespace clew::raft
