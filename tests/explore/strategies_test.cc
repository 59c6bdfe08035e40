// The pieces of strategies: orders, names of parts, flips, and the engine that runs them.
#include <gtest/gtest.h>

#include <algorithm>

#include "explore/strategies/guided.h"
#include "explore/strategies/reorder.h"

namespace clew::explore {
namespace {

struct Digit {
  int8_t value = 0;
  CLEW_FIELDS(Digit, value)
};

// Sends digits to whom it is told; passes those above ten on to the next node, less ten.
struct Relayer : node::Node<Relayer, Digit> {
  using List = std::vector<std::pair<Id, int8_t>>;
  explicit Relayer(List all) : list(std::move(all)) {}
  void start(Env& env) override {
    for (const auto& [to, value] : list) env.send(to, Digit{value});
  }
  void receive(Env& env, Id, const Digit& digit) {
    last = digit.value;
    if (digit.value > 10) env.send(Id{2}, Digit{static_cast<int8_t>(digit.value - 10)});
  }
  const List list;
  node::Field<int8_t> last{this, "last"};
};

// a sends 11 and 12 to b, who passes 1 and 2 on to c; and 3 and 4 to d.
Cluster relay() {
  Cluster cluster({"a", "b", "c", "d"});
  cluster.unit = Unit::kMessage;
  const Id b = cluster.id("b");
  const Id d = cluster.id("d");
  cluster.node<Relayer>("a", Relayer::List{{b, 11}, {b, 12}, {d, 3}, {d, 4}});
  for (const char* name : {"b", "c", "d"}) cluster.node<Relayer>(name, Relayer::List{});
  return cluster;
}

std::string print_moves(Runner& runner, const std::vector<Move>& moves) {
  std::string text;
  for (const Move move : moves) {
    const Input& input = runner.steps().input(move.input);
    const auto digit = node::decode<Digit>(input.parts.front());
    text += fmt::format("{}{}:{}", text.empty() ? "" : " ",
                        static_cast<char>('a' + input.to.number), digit->value);
  }
  return text;
}

std::string print_path(Runner& runner, const Path& path) {
  std::vector<Move> moves;
  for (const Happening& event : path.events) moves.push_back(event.move);
  return print_moves(runner, moves);
}

TEST(PathTest, Orders) {
  const std::pair<Order, const char*> kCases[] = {
      {Order::kChain, "b:11 c:1 b:12 c:2 d:3 d:4"},
      {Order::kFifo, "b:11 b:12 d:3 d:4 c:1 c:2"},
      {Order::kRoundRobin, "b:11 c:1 d:3 b:12 c:2 d:4"},
  };
  const Cluster cluster = relay();
  for (const auto& [order, expected] : kCases) {
    Runner runner(cluster);
    PathRunner paths(runner, {.order = order});
    EXPECT_EQ(print_path(runner, paths.run({})), expected) << name_of(order);
  }
}

TEST(PathTest, WhatWasPlannedComesFirst) {
  const Cluster cluster = relay();
  Runner runner(cluster);
  PathRunner paths(runner, {});
  const Path first = paths.run({});
  const Path& again = paths.run({.prefix = {first.events[5].move, first.events[2].move}});
  EXPECT_EQ(print_path(runner, again), "d:4 b:12 b:11 c:1 c:2 d:3");
  EXPECT_EQ(again.planned, 2U);
  EXPECT_FALSE(again.diverged);
  EXPECT_EQ(again.ends, std::vector<size_t>{6});
  EXPECT_EQ(again.worlds.size(), 7U);
  // c:1 is not sent yet.
  const Path& other = paths.run({.prefix = {first.events[1].move}});
  EXPECT_TRUE(other.diverged);
  EXPECT_EQ(other.planned, 0U);
}

TEST(PathTest, WhoMadeItPossible) {
  const Cluster cluster = relay();
  Runner runner(cluster);
  PathRunner paths(runner, {});
  const Path& path = paths.run({});
  EXPECT_EQ(path.events[0].creator, kNobody);
  EXPECT_EQ(path.events[1].creator, 0U);
  EXPECT_EQ(path.events[3].creator, 2U);
  EXPECT_EQ(path.events[3].node, cluster.id("c").number);
  EXPECT_EQ(path.events[3].from, cluster.id("b").number);
}

TEST(PathTest, FaultsAtTheEnd) {
  Cluster cluster = relay();
  cluster.limits.crashes = 1;
  cluster.limits.restarts = 1;
  Runner runner(cluster);
  PathRunner paths(runner, {.faults = true});
  const Path& path = paths.run({});
  // a crashes, comes back and sends all of it again.
  EXPECT_EQ(path.events.size(), 14U);
  EXPECT_EQ(path.events[6].move.kind, Move::Kind::kCrash);
  EXPECT_EQ(path.events[7].move.kind, Move::Kind::kRestart);
  EXPECT_EQ(path.ends, (std::vector<size_t>{6, 7, 14}));
}

// Nothing runs, and what is known comes as it would.
TEST(PathTest, WhatIsKnownIsForeseen) {
  const Cluster cluster = relay();
  Runner runner(cluster);
  PathRunner ahead(runner, {.foresee = true});
  const Path nothing = ahead.run({});
  EXPECT_TRUE(nothing.unknown);
  EXPECT_EQ(nothing.events.size(), 0U);
  const size_t known = runner.steps().taken();
  PathRunner paths(runner, {});
  const Path path = paths.run({});
  EXPECT_GT(runner.steps().taken(), known);
  EXPECT_FALSE(path.unknown);
  const Path foreseen = ahead.run({});
  EXPECT_FALSE(foreseen.unknown);
  EXPECT_EQ(foreseen.worlds, path.worlds);
  EXPECT_EQ(foreseen.ends, path.ends);
  // In another order b comes to a state in which nobody knows what it does.
  const size_t then = runner.steps().taken();
  const Path partly = ahead.run({.prefix = {path.events[1].move, path.events[0].move}});
  EXPECT_LE(partly.events.size(), path.events.size());
  EXPECT_EQ(runner.steps().taken(), then);
}

TEST(PathTest, TooLong) {
  const Cluster cluster = relay();
  Runner runner(cluster);
  PathRunner paths(runner, {.longest = 3});
  const Path& path = paths.run({});
  EXPECT_TRUE(path.cut);
  EXPECT_EQ(path.events.size(), 3U);
  EXPECT_TRUE(path.ends.empty());
}

TEST(ReorderTest, RacesAreReversed) {
  const Cluster cluster = relay();
  Runner runner(cluster);
  PathRunner paths(runner, {});
  const Path& path = paths.run({});  // b:11 c:1 b:12 c:2 d:3 d:4
  Conflicts conflicts(runner, {}, {});
  conflicts.look(path);
  EXPECT_TRUE(conflicts.before(0, 1));
  EXPECT_TRUE(conflicts.before(0, 3));
  EXPECT_FALSE(conflicts.before(1, 2));
  EXPECT_FALSE(conflicts.before(0, 4));
  EXPECT_TRUE(conflicts.races(0, 2));
  EXPECT_TRUE(conflicts.races(1, 3));
  EXPECT_TRUE(conflicts.races(4, 5));
  EXPECT_FALSE(conflicts.races(0, 1));
  EXPECT_FALSE(conflicts.races(0, 3));

  const Reordered one = reversed(path, conflicts, {1, 3});
  EXPECT_EQ(one.kept, 1U);
  EXPECT_EQ(print_moves(runner, one.more), "b:12 c:2");
  EXPECT_TRUE(are_unrelated(path, conflicts, {1, 3}, {4, 5}));
  EXPECT_TRUE(are_unrelated(path, conflicts, {4, 5}, {0, 2}));
  EXPECT_FALSE(are_unrelated(path, conflicts, {0, 2}, {1, 3}));
  EXPECT_FALSE(are_unrelated(path, conflicts, {0, 2}, {0, 2}));
  const Reordered both = reversed(path, conflicts, {{4, 5}, {1, 3}});
  EXPECT_EQ(both.kept, 1U);
  EXPECT_EQ(print_moves(runner, both.more), "b:12 c:2 c:1 d:4 d:3");
}

TEST(PartsTest, Names) {
  for (const std::string& name : strategy_names()) {
    const bool flips = name != "dfs" && name != "random" && name != "novelty";
    EXPECT_EQ(parts_of(name).has_value(), flips) << name;
    EXPECT_EQ(is_exhaustive(name), name == "dfs" || name == "novelty") << name;
  }
  EXPECT_EQ(*parts_of("modist"), Parts{});
  EXPECT_FALSE(parts_of("magic").has_value());
}

TEST(PartsTest, SwitchedOn) {
  Parts flymc;
  EXPECT_EQ(
      switch_on(flymc, "symmetry,independence,increments,crash-independence,parallel,caching"),
      std::nullopt);
  EXPECT_EQ(flymc, *parts_of("flymc"));
  EXPECT_EQ(switch_on(flymc, "symmetry-net"), std::nullopt);
  EXPECT_EQ(flymc, *parts_of("flymc-net"));
  Parts samc;
  EXPECT_EQ(switch_on(samc, "local,crash-message,recovery"), std::nullopt);
  EXPECT_EQ(samc, *parts_of("samc"));
  Parts br;
  EXPECT_EQ(switch_on(br, "bounded,random"), std::nullopt);
  EXPECT_EQ(br, *parts_of("br-dpor"));
  Parts none;
  EXPECT_EQ(switch_on(none, ""), std::nullopt);
  EXPECT_EQ(none, Parts{});
  EXPECT_EQ(switch_on(none, "local,magic,parallel"), "magic");
}

TEST(PartsTest, Mistakes) {
  const Cluster cluster = relay();
  Runner runner(cluster);
  EXPECT_THROW(make_strategy(runner, {.name = "magic"}), Mistake);
  EXPECT_THROW(make_strategy(runner, {.name = "modist", .parts = "magic"}), Mistake);
  EXPECT_THROW(make_strategy(runner, {.name = "modist", .parts = "analysed"}), Mistake);
}

Guided::Options guided(std::string name, std::string parts = "", uint64_t seed = 0) {
  return {.strategy = {.name = std::move(name), .parts = std::move(parts), .seed = seed}};
}

TEST(GuidedTest, OneOrderOfEachKind) {
  // Two orders at b and as many at c, not all together; two at d.
  const Cluster cluster = relay();
  const Exploration modist = Guided(cluster, guided("modist")).run();
  EXPECT_TRUE(modist.gave_up);
  EXPECT_FALSE(modist.complete);
  EXPECT_EQ(modist.terminals, 8U);
  EXPECT_EQ(modist.paths, 8U);
  const Exploration dfs = Guided(cluster, guided("dfs")).run();
  EXPECT_TRUE(dfs.complete);
  EXPECT_EQ(dfs.terminals, 8U);
  EXPECT_EQ(dfs.paths, 180U);  // orders of six, of which two come after another two
  const Exploration novelty = Guided(cluster, guided("novelty")).run();
  EXPECT_TRUE(novelty.complete);
  EXPECT_EQ(novelty.terminals, 8U);
}

TEST(GuidedTest, ParallelFlipsComeFirst) {
  const Cluster cluster = relay();
  const auto after = [&](const char* parts, size_t paths) {
    Guided::Options options = guided("modist", parts);
    options.most_paths = paths;
    return Guided(cluster, options).run();
  };
  // The second path has c and d the other way round at once; one by one that takes longer.
  EXPECT_EQ(after("parallel", 100).terminals, 8U);
  EXPECT_TRUE(after("parallel", 100).gave_up);
  Runner runner(cluster);
  PathRunner paths(runner, {});
  const auto strategy = make_strategy(runner, {.name = "modist", .parts = "parallel"});
  strategy->observe(paths.run(*strategy->next()));
  const Path& second = paths.run(*strategy->next());
  EXPECT_LT(second.planned, second.events.size() + 1);
  EXPECT_EQ(print_path(runner, second), "b:11 b:12 c:2 c:1 d:4 d:3");
}

// Equal envelopes are one; no order is run twice.
TEST(GuidedTest, NothingIsRunTwice) {
  const Cluster cluster = relay();
  for (const char* parts : {"", "caching", "crash-independence"}) {
    Runner runner(cluster);
    PathRunner paths(runner, {});
    const auto strategy = make_strategy(runner, {.name = "modist", .parts = parts});
    std::vector<std::string> seen;
    while (const std::optional<Plan> plan = strategy->next()) {
      const Path& path = paths.run(*plan);
      EXPECT_FALSE(path.diverged);
      EXPECT_EQ(path.planned, plan->prefix.size());
      seen.push_back(print_path(runner, path));
      strategy->observe(path);
    }
    EXPECT_EQ(strategy->open(), 0U);
    std::ranges::sort(seen);
    EXPECT_EQ(std::ranges::adjacent_find(seen), seen.end()) << parts;
    EXPECT_EQ(seen.size(), 8U) << parts;
  }
}

TEST(GuidedTest, TheSameSeedTheSamePaths) {
  const Cluster cluster = relay();
  for (const std::string& name : strategy_names()) {
    const auto all = [&](uint64_t seed) {
      Runner runner(cluster);
      PathRunner paths(runner, {});
      const auto strategy = make_strategy(runner, {.name = name, .seed = seed});
      Random random(seed);
      std::string text;
      for (size_t i = 0; i < 60; ++i) {
        const std::optional<Plan> plan = strategy->next();
        if (!plan) break;
        const Path& path = paths.run(*plan, &random, strategy->guide());
        text += print_path(runner, path) + "\n";
        strategy->observe(path);
      }
      return text;
    };
    EXPECT_EQ(all(3), all(3)) << name;
    const bool chances = name == "random" || name == "novelty";
    EXPECT_EQ(all(3) != all(4), chances) << name;
  }
}

TEST(GuidedTest, CachingChangesNothing) {
  Cluster cluster = relay();
  cluster.limits.crashes = 1;
  const Exploration without = Guided(cluster, guided("modist")).run();
  const Exploration with = Guided(cluster, guided("modist", "caching")).run();
  EXPECT_EQ(without.paths, with.paths);
  EXPECT_EQ(without.moves, with.moves);
  EXPECT_EQ(without.terminals, with.terminals);
}

TEST(GuidedTest, Limits) {
  const Cluster cluster = relay();
  Guided::Options few = guided("dfs");
  few.most_paths = 5;
  const Exploration some = Guided(cluster, few).run();
  EXPECT_EQ(some.paths, 5U);
  EXPECT_FALSE(some.gave_up);
  EXPECT_FALSE(some.complete);

  Guided::Options stopped = guided("random");
  size_t asked = 0;
  stopped.stop = [&] { return ++asked > 7; };
  EXPECT_EQ(Guided(cluster, stopped).run().paths, 7U);

  Guided::Options shorter = guided("dfs");
  shorter.longest = 5;
  const Exploration cut = Guided(cluster, shorter).run();
  EXPECT_TRUE(cut.gave_up);
  EXPECT_GT(cut.cut, 0U);
  EXPECT_FALSE(cut.complete);
}

TEST(GuidedTest, ViolationsEndIt) {
  Cluster cluster = relay();
  cluster.finally("4 is last",
                  [](const States& states) { return *states.node<Relayer>("d").last == 4; });
  for (const std::string& name : strategy_names()) {
    if (name == "bounded" || name == "br-dpor") continue;  // in the second half of the path
    const Exploration found = Guided(cluster, guided(name)).run();
    ASSERT_TRUE(found.violation.has_value()) << name;
    EXPECT_EQ(found.violation->property, "4 is last");
    EXPECT_EQ(found.violation->path.size(), 6U);
    EXPECT_FALSE(found.complete);
  }
  Guided::Options all = guided("modist");
  all.go_on = true;
  const Exploration found = Guided(cluster, all).run();
  EXPECT_TRUE(found.violation.has_value());
  EXPECT_TRUE(found.gave_up);
  EXPECT_EQ(found.terminals, 8U);
}

// A handler that fails only in another order than the first one.
struct Brittle : node::Node<Brittle, Digit> {
  void start(Env& env) override {
    env.send(env.self(), Digit{1});
    env.send(env.self(), Digit{2});
  }
  void receive(Env&, Id, const Digit& digit) {
    if (digit.value == 2 && *last == 0) throw std::runtime_error("2 before 1");
    last = digit.value;
  }
  node::Field<int8_t> last{this, "last"};
};

TEST(GuidedTest, FailingHandlersAreFlippedTo) {
  Cluster cluster({"a"});
  cluster.unit = Unit::kMessage;
  cluster.node<Brittle>("a");
  for (const char* name : {"dfs", "modist", "samc", "flymc", "flymc-net", "novelty"}) {
    const Exploration found = Guided(cluster, guided(name)).run();
    ASSERT_TRUE(found.violation.has_value()) << name;
    EXPECT_EQ(found.violation->property, "a handler fails: 2 before 1");
  }
}

// A timer waits until nothing else can happen. Whichever of two comes first, what it brings about
// comes before the other one.
struct Sleeper : node::Node<Sleeper, Digit> {
  explicit Sleeper(Id whom) : other(whom) {}
  void start(Env& env) override { env.set_timer("wake"); }
  void timer(Env& env, std::string_view) override {
    if (!*told) env.send(other, Digit{1});
  }
  void receive(Env&, Id, const Digit&) { told = true; }
  const Id other;
  node::Field<bool> told{this, "told"};
};

TEST(GuidedTest, EitherTimerMayBeFirst) {
  Cluster cluster({"a", "b"});
  cluster.node<Sleeper>("a", cluster.id("b"));
  cluster.node<Sleeper>("b", cluster.id("a"));
  for (const char* name : {"dfs", "modist", "samc"}) {
    EXPECT_EQ(Guided(cluster, guided(name)).run().terminals, 2U) << name;
  }
}

}  // namespace
}  // namespace clew::explore
