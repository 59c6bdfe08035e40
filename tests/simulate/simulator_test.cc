#include "simulate/simulator.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "dedalus/parse.h"
#include "microspec/rule_table.h"
#include "report/firings.h"
#include "report/run_json.h"
#include "simulate/describe.h"
#include "simulate/horizon.h"
#include "simulate/system.h"

namespace clew::simulate {
namespace {

struct Loaded {
  SourceSet sources;
  dedalus::Program program;
  std::vector<NodeName> nodes;
};

Loaded finish(Loaded loaded, std::optional<dedalus::Program> program, const Diagnostics& found) {
  CHECK(program, "{}", found.render(loaded.sources));
  loaded.program = std::move(*program);
  loaded.nodes = dedalus::mentioned_nodes(loaded.program);
  return loaded;
}

Loaded load(const std::string& name) {
  Loaded loaded;
  Diagnostics diagnostics;
  auto program =
      dedalus::load_program({"protocols/broadcast/" + name + ".ded"}, loaded.sources, diagnostics);
  return finish(std::move(loaded), std::move(program), diagnostics);
}

Loaded load_text(std::string text) {
  Loaded loaded;
  Diagnostics diagnostics;
  FileId id = loaded.sources.add("test.ded", std::move(text));
  dedalus::File file = dedalus::parse(id, loaded.sources, diagnostics);
  auto program = dedalus::check_program({std::move(file)}, diagnostics);
  return finish(std::move(loaded), std::move(program), diagnostics);
}

Scenario make_scenario(const Loaded& loaded, Tick eot, FaultSet faults,
                       CrashModel model = CrashModel::kSilent) {
  Scenario scenario;
  scenario.nodes = loaded.nodes;
  scenario.program.eot = eot;
  scenario.program.crash_model = model;
  scenario.faults = std::move(faults);
  CHECK(validate(scenario).ok(), "{}", validate(scenario).error().message);
  return scenario;
}

FaultSet faults(const std::vector<std::string>& drops, const std::vector<std::string>& crashes) {
  FaultSet set;
  for (const std::string& text : drops) set.insert(*parse_omission(text));
  for (const std::string& text : crashes) set.insert(*parse_crash(text));
  return set;
}

Outcome::Kind outcome(const std::string& name, Tick eot, const FaultSet& set,
                      CrashModel model = CrashModel::kSilent) {
  Loaded loaded = load(name);
  Simulator simulator(loaded.program, loaded.nodes, model, {});
  CHECK(!simulator.run(eot, set));
  return describe(simulator, make_scenario(loaded, eot, set, model)).outcome().kind;
}

// The match of section 3 of the paper, round by round.
TEST(SimulatorTest, PlaysTheMatchOfThePaper) {
  using Kind = Outcome::Kind;
  EXPECT_EQ(outcome("simple_deliv", 4, {}), Kind::kHolds);
  EXPECT_EQ(outcome("simple_deliv", 4, faults({"a>b@1"}, {})), Kind::kViolated);
  EXPECT_EQ(outcome("retry_deliv", 4, faults({"a>b@1"}, {})), Kind::kHolds);
  EXPECT_EQ(outcome("retry_deliv", 4, faults({"a>b@1"}, {"a@2"})), Kind::kViolated);
  EXPECT_EQ(outcome("retry_deliv", 4, faults({}, {"a@1"})), Kind::kVacuous);
  EXPECT_EQ(outcome("redun_deliv", 4, faults({"a>b@1"}, {"a@2"})), Kind::kHolds);
  EXPECT_EQ(outcome("ack_deliv", 4, faults({"a>b@1", "c>b@2"}, {"c@3"})), Kind::kHolds);
  EXPECT_EQ(outcome("classic_deliv", 5, faults({}, {"a@2"})), Kind::kHolds);
  EXPECT_EQ(outcome("classic_deliv", 5, faults({"a>b@1", "c>a@2", "c>b@2"}, {})), Kind::kViolated);
}

TEST(SimulatorTest, StopLeavesNothingAtACrashedNode) {
  Loaded loaded = load("redun_deliv");
  Simulator simulator(loaded.program, loaded.nodes, CrashModel::kStop, {});
  Scenario scenario = make_scenario(loaded, 5, faults({}, {"b@3"}), CrashModel::kStop);
  ASSERT_FALSE(simulator.run(5, scenario.faults));
  auto run = describe(simulator, scenario);
  for (Tick tick = 1; tick <= 5; ++tick) {
    size_t at_b = 0;
    for (const Fact& fact : run.facts[static_cast<size_t>(tick - 1)]) {
      at_b += !fact.values.empty() && fact.values[0] == Datum("b");
    }
    EXPECT_EQ(at_b > 0, tick < 3) << "tick " << tick;
  }
}

// A simulator that goes on from kept states gives the same runs, to the byte, as one that does not.
TEST(LoweredProgramTest, NumbersItsNodes) {
  const Loaded loaded = load("simple_deliv");
  const dedalus::LoweredProgram lowered(loaded.program, {"a", "b"}, false);
  EXPECT_EQ(lowered.node_number(lowered.node_values()[1]), 1U);
  datalog::ValueTable values = lowered.values();
  EXPECT_EQ(lowered.node_number(values.intern("a")), 0U);
  EXPECT_EQ(lowered.node_number(values.intern("d")), std::nullopt);
  EXPECT_EQ(lowered.node_number(values.integer(0)), std::nullopt);
  EXPECT_DEATH(dedalus::LoweredProgram(loaded.program, {"a", "a"}, false), "twice");
}

TEST(SimulatorTest, KeptStatesChangeNothing) {
  Random random(11);
  size_t reused = 0;
  for (const char* name : {"simple_deliv", "redun_deliv", "ack_deliv", "classic_deliv"}) {
    for (CrashModel model : {CrashModel::kSilent, CrashModel::kStop}) {
      Loaded loaded = load(name);
      Simulator keeping(loaded.program, loaded.nodes, model, {});
      FaultSet set;
      for (int i = 0; i < 40; ++i) {
        auto eot = static_cast<Tick>(random.uniform_in(3, 7));
        auto node = [&] { return loaded.nodes[random.uniform_below(3)]; };
        Omission omission{node(), node(), static_cast<Tick>(random.uniform_in(1, 6))};
        if (random.uniform_below(4) == 0) set = {};
        if (omission.from != omission.to) set.insert(omission);
        if (set.of<Crash>().empty() && random.uniform_below(3) == 0) {
          set.insert(Crash{node(), static_cast<Tick>(random.uniform_in(1, 6))});
        }
        for (size_t at = set.size(); at-- > 0;) {
          if (tick_of(set[at]) >= eot) set = set.without(at);
        }
        Scenario scenario = make_scenario(loaded, eot, set, model);
        Simulator fresh(loaded.program, loaded.nodes, model, {});
        ASSERT_FALSE(keeping.run(eot, scenario.faults));
        ASSERT_FALSE(fresh.run(eot, scenario.faults));
        reused += static_cast<size_t>(keeping.ticks_reused());
        EXPECT_EQ(fresh.ticks_reused(), 0);
        auto kept_run = describe(keeping, scenario);
        auto fresh_run = describe(fresh, scenario);
        const auto rules = microspec::make_rule_table(loaded.program, loaded.sources);
        add_firings(keeping, rules, kept_run);
        add_firings(fresh, rules, fresh_run);
        ASSERT_EQ(report::run_to_json(kept_run), report::run_to_json(fresh_run));
      }
    }
  }
  EXPECT_GT(reused, 100U);
}

// Nor the verdicts, of aggregates that are sent as well.
TEST(SimulatorTest, KeptStatesChangeNoVerdict) {
  const Loaded counted = load_text(R"(
peer("a", "b")@1; peer("a", "c")@1; peer("b", "c")@1; peer("c", "b")@1; peer("b", "a")@1;
peer(X, Y)@next :- peer(X, Y);
total(Y, count<X>)@async :- peer(X, Y);
most(X, max<N>) :- total(X, N);
pre(X, N) :- most(X, N), notin crash(X, X, _); post(X, N) :- most(X, N), N > 1;
)");
  const Loaded classic = load("classic_deliv");
  for (const Loaded* loaded : {&counted, &classic}) {
    for (CrashModel model : {CrashModel::kSilent, CrashModel::kStop}) {
      const FaultModel bounds{loaded->nodes, 5, 4, 1, model};
      const std::vector<Fault> all = all_faults(bounds);
      ProgramSystem keeping(loaded->program, bounds);
      Random random(5);
      for (int i = 0; i < 60; ++i) {
        FaultSet set;
        for (const Fault& fault : all) {
          if (random.uniform_below(8) == 0) set.insert(fault);
          if (!bounds.admits(set)) set = {};
        }
        ProgramSystem fresh(loaded->program, bounds);
        const Scenario scenario = make_scenario(*loaded, 5, set, model);
        const auto kept_run = keeping.run(scenario, Detail::kVerdict);
        const auto fresh_run = fresh.run(scenario, Detail::kVerdict);
        ASSERT_TRUE(kept_run.ok() && fresh_run.ok());
        ASSERT_EQ(kept_run->facts, fresh_run->facts) << to_string(set);
      }
    }
  }
}

// A run that was stopped leaves nothing behind that the next one could stumble over.
TEST(SimulatorTest, AStoppedRunIsForgotten) {
  Loaded loaded = load_text(R"(
n("a", 0)@1; n("b", 0)@1;
n(X, Y + 1)@next :- n(X, Y);
m(X, Y) :- n(X, Y); m(X, Y)@next :- m(X, Y);
big(X, Y, Z, V, W) :- m(X, Y), m(X, Z), m(X, V), m(X, W), V == W;
say(Y, N)@async :- n("a", N), n(Y, N);
pre(X) :- say(X, _); post(X) :- say(X, _);
)");
  Simulator fresh(loaded.program, loaded.nodes, CrashModel::kSilent, {});
  for (size_t most = 1; most < 12; ++most) {
    SCOPED_TRACE(most);
    size_t asked = 0;
    bool stops = false;
    Simulator simulator(loaded.program, loaded.nodes, CrashModel::kSilent,
                        {.stop = [&] { return stops && ++asked >= most; }});
    ASSERT_FALSE(simulator.run(12, {}));
    stops = true;
    EXPECT_THROW(std::ignore = simulator.run(12, faults({"a>b@3"}, {})), Stopped);
    EXPECT_GE(simulator.tick(), 3);
    stops = false;
    ASSERT_FALSE(simulator.run(12, faults({"a>b@5"}, {})));
    ASSERT_FALSE(fresh.run(12, faults({"a>b@5"}, {})));
    const Scenario scenario = make_scenario(loaded, 12, faults({"a>b@5"}, {}), CrashModel::kSilent);
    EXPECT_EQ(report::run_to_json(describe(simulator, scenario)),
              report::run_to_json(describe(fresh, scenario)));
  }
}

TEST(SimulatorTest, ARunStartsWhereItsFaultsFirstDiffer) {
  Loaded loaded = load_text(R"(
node("a", "b")@1; node("b", "a")@1;
node(X, Y)@next :- node(X, Y);
ping(Y, X)@async :- node(X, Y);
pre(X) :- ping(X, _); post(X) :- ping(X, _);
)");
  Simulator simulator(loaded.program, loaded.nodes, CrashModel::kSilent, {});
  ASSERT_FALSE(simulator.run(8, {}));
  EXPECT_EQ(simulator.ticks_reused(), 0);
  ASSERT_FALSE(simulator.run(8, faults({"a>b@5"}, {})));
  EXPECT_EQ(simulator.ticks_reused(), 4);
  ASSERT_FALSE(simulator.run(8, faults({"a>b@5"}, {"b@3"})));
  EXPECT_EQ(simulator.ticks_reused(), 2);
  ASSERT_FALSE(simulator.run(12, faults({"a>b@5"}, {"b@3"})));
  EXPECT_EQ(simulator.ticks_reused(), 7);
}

// What nobody sends cannot be lost.
TEST(SimulatorTest, FaultsThatStrikeNothingMakeNoDifference) {
  Loaded loaded = load_text(R"(
node("a", "b")@1; node("b", "a")@1;
first("a")@1;
ping(Y, X)@async :- first(X), node(X, Y);
log(X) :- ping(X, _); log(X)@next :- log(X);
pre(X) :- log(X); post(X) :- log(X);
late(X) :- log(X), crash(X, "b", _);
)");
  const Scenario silent = make_scenario(loaded, 6, faults({"a>b@3"}, {"b@2"}));
  for (const bool only_verdict : {false, true}) {
    SCOPED_TRACE(only_verdict);
    Simulator simulator(loaded.program, loaded.nodes, CrashModel::kSilent,
                        {.only_verdict = only_verdict});
    ASSERT_FALSE(simulator.run(6, {}));
    EXPECT_EQ(simulator.ticks_reused(), 0);
    ASSERT_FALSE(simulator.run(6, faults({"b>a@1", "a>b@2", "a>b@3"}, {})));
    EXPECT_EQ(simulator.ticks_reused(), 6);
    EXPECT_EQ(simulator.tick(), 6);
    ASSERT_FALSE(simulator.run(6, faults({"a>b@1", "a>b@3"}, {})));
    EXPECT_EQ(simulator.ticks_reused(), 0);
    ASSERT_FALSE(simulator.run(6, faults({"a>b@3"}, {})));
    EXPECT_EQ(simulator.ticks_reused(), 0);
    // `late` reads that b has crashed: at every tick, or, for the verdict, at the last one.
    ASSERT_FALSE(simulator.run(6, silent.faults));
    EXPECT_EQ(simulator.ticks_reused(), only_verdict ? 5 : 0);
    const Frames::Rows late =
        simulator.frames().rows_at(loaded.program.relation_index.at("late"), 6);
    EXPECT_EQ(late.end - late.begin, 1U);
  }
}

// What has been omitted in vain is shown all the same.
TEST(SimulatorTest, ARunThatIsNotRepeatedIsDescribedWithItsOwnFaults) {
  Loaded loaded = load_text(R"(
node("a", "b")@1; node("a", "c")@1; here("b")@1; here("c")@1;
ping(Y, X)@async :- node(X, Y);
pre(X) :- ping(X, _); post(X) :- ping(X, _);
)");
  Simulator simulator(loaded.program, loaded.nodes, CrashModel::kSilent, {});
  Simulator fresh(loaded.program, loaded.nodes, CrashModel::kSilent, {.keep_states = false});
  for (const FaultSet& set :
       {faults({"a>b@1"}, {}), faults({"a>b@1", "c>b@2"}, {}), faults({"a>b@1"}, {"b@2"}),
        faults({"a>c@1"}, {"a@1"}), faults({"a>b@1", "a>c@1"}, {})}) {
    const Scenario scenario = make_scenario(loaded, 4, set);
    ASSERT_FALSE(simulator.run(4, set));
    ASSERT_FALSE(fresh.run(4, set));
    EXPECT_EQ(report::run_to_json(describe(simulator, scenario)),
              report::run_to_json(describe(fresh, scenario)));
  }
  // The last two: the same is lost, for another reason.
  EXPECT_EQ(simulator.ticks_reused(), 4);
}

TEST(SimulatorTest, TheDefaultHorizonIsTwoTicksAfterTheLastChange) {
  Loaded simple = load("simple_deliv");
  EXPECT_EQ(default_eot(simple.program, simple.nodes, {}), 4);
  EXPECT_EQ(default_eot(simple.program, simple.nodes, faults({"a>b@9"}, {})), 11);
  Loaded counter = load_text(R"(n("a", 1)@1; n(X, Y + 1)@next :- n(X, Y); pre(X) :- n(X, _);)");
  EXPECT_EQ(default_eot(counter.program, counter.nodes, {}), kMostTicksToSettle);
}

// What each firing used and relied on, in the words of the program.
TEST(SimulatorTest, FiringsAreToldInTheWordsOfTheProgram) {
  Loaded loaded = load_text(R"(
vote("a", "c", 1)@1; vote("b", "c", 2)@1;
ballot(C, V)@async :- vote(N, C, V), notin veto(N, _);
tally(C, count<V>) :- ballot(C, V);
late(C, X) :- tally(C, X), vote("a", "c", _)@1, notin ballot(C, 3);
)");
  loaded.nodes = {"a", "b", "c"};
  Simulator simulator(loaded.program, loaded.nodes, CrashModel::kSilent, {});
  Scenario scenario = make_scenario(loaded, 2, {});
  ASSERT_FALSE(simulator.run(2, {}));
  auto run = describe(simulator, scenario);
  add_firings(simulator, microspec::make_rule_table(loaded.program, loaded.sources), run);
  EXPECT_EQ(report::firings(run), R"(ballot("c", 1)@2
  by ballot(C, V)@async :- vote(N, C, V), notin veto(N, _);  (test.ded:3)
  from vote("a", "c", 1)@1
  without veto("a", _)@1
ballot("c", 2)@2
  by ballot(C, V)@async :- vote(N, C, V), notin veto(N, _);  (test.ded:3)
  from vote("b", "c", 2)@1
  without veto("b", _)@1
tally("c", 2)@2
  by tally(C, count<V>) :- ballot(C, V);  (test.ded:4)
  from ballot("c", 1)@2  ballot("c", 2)@2
late("c", 2)@2
  by late(C, X) :- tally(C, X), vote("a", "c", _)@1, notin ballot(C, 3);  (test.ded:5)
  from tally("c", 2)@2  vote("a", "c", 1)@1
  without ballot("c", 3)@2
)");
}

struct ErrorCase {
  const char* rule;
  const char* code;
  const char* where;
};

TEST(SimulatorTest, RunTimeErrorsAreLocated) {
  const ErrorCase cases[] = {
      {"q(X, 1 / Y) :- p(X, Y);", "division-by-zero", "test.ded:2:6"},
      {"q(X, Y + 9223372036854775807) :- p(X, Y);", "", ""},
      {"q(X, Y - 9223372036854775807 - 2) :- p(X, Y);", "integer-overflow", "test.ded:2:6"},
      {"q(X, Y + 1) :- p(X, Y); q(X, Y + 1) :- q(X, Y);", "too-many-facts", "test.ded:2:25"},
      {"q(X, Y) :- p(X, Y), Y != 0, 1 / Y > 0;", "", ""},
      {"q(X, Y) :- p(X, Y), 1 / Y > 0, Y != 0;", "", ""},
      {"q(X, Y) :- p(X, Y), 1 / Y > 0, Y + 1 != 1;", "division-by-zero", "test.ded:2:21"},
      {"q(X, sum<Z>) :- p(X, _), r(X, Z);", "integer-overflow", "test.ded:2:6"},
  };
  for (const ErrorCase& c : cases) {
    Loaded loaded = load_text(fmt::format(
        "p(\"a\", 0)@1; r(\"a\", 9223372036854775807)@1; r(\"a\", 1)@1;\n{}\n", c.rule));
    Simulator simulator(loaded.program, loaded.nodes, CrashModel::kSilent, {.most_rows = 1000});
    std::optional<RuntimeError> error = simulator.run(2, {});
    Diagnostic diagnostic = error ? to_diagnostic(*error) : Diagnostic{};
    EXPECT_EQ(diagnostic.code, c.code) << c.rule;
    std::string where = error ? loaded.sources.where(diagnostic.span) : "";
    EXPECT_EQ(where, c.where) << c.rule;
  }
}

}  // namespace
}  // namespace clew::simulate
