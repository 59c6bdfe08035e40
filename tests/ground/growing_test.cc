// The grounding that grows against one made for the bounds at hand: they must judge every FaultSet
// alike, in whatever order bounds are asked about.
#include "ground/growing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <set>

#include "ground/growing_check.h"
#include "search/lattice.h"
#include "tests/search/random_spec.h"
#include "tests/simulate/argument.h"
#include "tests/twins/effort.h"

namespace clew::ground {
namespace {

using Answer = GrowingCheck::Answer;

std::shared_ptr<const dedalus::LoweredProgram> lower(const dedalus::Program& program,
                                                     const FaultModel& model) {
  return std::make_shared<const dedalus::LoweredProgram>(program, model.nodes,
                                                         model.crash_model == CrashModel::kStop);
}

struct GrowthTally {
  uint64_t bounds = 0;
  uint64_t fault_sets = 0;
  uint64_t broken = 0;
  uint64_t robust = 0;
  uint64_t ungrounded = 0;  // by the one that grows
  uint64_t loops = 0;
};

bool holds_all(const formula::Valuation& values, const std::vector<formula::Literal>& literals) {
  return std::ranges::all_of(literals, [&](formula::Literal one) { return values.holds(one); });
}

bool meets_requirements(const formula::Rules& rules, const formula::Valuation& values) {
  return std::ranges::all_of(rules.requirements(), [&](const auto& clause) {
    return std::ranges::any_of(clause, [&](formula::Literal one) { return values.holds(one); });
  });
}

// Everything ground so far, so that it can be seen whether it changes.
std::string fingerprint(const formula::Rules& rules, size_t atoms) {
  std::string text;
  for (formula::Atom atom = 1; atom < atoms; ++atom) {
    text += fmt::format("{}{}:", atom, rules.is_fault(atom) ? "?" : "");
    for (auto at = rules.first_body(atom); !rules.is_fault(atom) && at < rules.end_body(atom);
         ++at) {
      for (formula::Literal literal : rules.body(at)) text += fmt::format(" {}", literal.bits);
      text += ",";
    }
  }
  return text;
}

class Twins {
 public:
  Twins(const dedalus::Program& program, const FaultModel& most, Tick first_eot)
      : lowered_(lower(program, most)),
        check_(lowered_, {first_eot, most.crashes, most.limits},
               {.most_rows = 20'000, .most_firings = 50'000}) {}

  // What they disagree about, or nothing.
  std::string argue(const FaultModel& model, bool every_set, GrowthTally& tally) {
    const formula::Rules& rules = check_.grounder().rules();
    const size_t atoms = rules.atoms();
    const std::string before = fingerprint(rules, atoms);
    const Answer answer = check_.ask(model, {});
    if (fingerprint(rules, atoms) != before) return "what was ground has changed";
    ++tally.bounds;
    if (answer == Answer::kCannot) return ++tally.ungrounded, "";
    Grounder fresh(lowered_, model, {});
    if (!fresh.run().ok()) return "only the growing one could be ground";
    tally.loops += rules.loops() > 0 ? 1 : 0;
    bool expected = false;
    search::AdmissibleSets sets(model);
    if (every_set) {
      GrowingGrounder grown(lowered_, {1, model.crashes, model.limits}, {});
      Result<formula::Question> question = grown.ask(model);
      if (!question.ok()) return "the same cannot be ground again";
      while (std::optional<FaultSet> faults = sets.next()) {
        ++tally.fault_sets;
        const bool violates = formula::evaluate(fresh.rules(), *faults).holds(fresh.rules().goal());
        expected |= violates;
        const formula::Valuation values = formula::evaluate(grown.rules(), *faults);
        if (values.holds(question->goal) != violates) return "they differ on " + to_string(*faults);
        const bool admitted =
            holds_all(values, question->assumed) && meets_requirements(grown.rules(), values);
        if (!admitted) return "not admitted: " + to_string(*faults);
      }
    } else {
      expected = solve(fresh.rules());
    }
    ++(expected ? tally.broken : tally.robust);
    if ((answer == Answer::kSomething) == expected) return "";
    return expected ? "the growing one misses something" : "the growing one sees too much";
  }

 private:
  static bool solve(const formula::Rules& rules) {
    formula::Formula formula(rules, {});
    formula.learn_all();
    while (formula.solve({}) == formula::Formula::Answer::kFaults) {
      if (!formula.refute_loops(formula::evaluate(rules, formula.faults()))) return true;
    }
    return false;
  }

  std::shared_ptr<const dedalus::LoweredProgram> lowered_;
  GrowingCheck check_;
};

std::ostream& operator<<(std::ostream& out, const GrowthTally& tally) {
  return out << fmt::format(
             "{} bounds, {} fault sets, {} broken, {} robust, {} not ground, {} with loops\n",
             tally.bounds, tally.fault_sets, tally.broken, tally.robust, tally.ungrounded,
             tally.loops);
}

// The same bounds with some ticks after the last fault.
FaultModel leave_time(FaultModel model, Random& random) {
  if (model.eot < 2) return model;
  model.eventually = static_cast<Tick>(random.uniform_in(1, model.eot - 1));
  model.eff = std::min(model.eff, model.last_fault() + 1);
  return model;
}

// All bounds up to these, as a sweep grows them; then some of them again, all over the place.
std::vector<FaultModel> bounds_up_to(const FaultModel& most, Tick first_eot, Random& random) {
  std::vector<FaultModel> all;
  for (Tick eot = first_eot; eot <= most.eot; ++eot) {
    for (Tick eff = 0; eff <= std::min(eot, most.eff); ++eff) {
      for (int crashes = 0; crashes <= most.crashes; ++crashes) {
        FaultModel model = most;
        model.eot = eot;
        model.eff = eff;
        model.crashes = crashes;
        model.eventually = 0;
        all.push_back(std::move(model));
      }
    }
  }
  for (size_t i = all.size() / 3; i > 0; --i) {
    FaultModel model = random.pick(all);
    if (random.chance(0.5)) model = leave_time(model, random);
    all.push_back(std::move(model));
  }
  return all;
}

std::vector<std::string> growing_protocols() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("protocols")) {
    if (entry.path().extension() == ".ded") paths.push_back(entry.path().string());
  }
  std::ranges::sort(paths);
  return paths;
}

TEST(GrowingGrounder, AgreesOnAllProtocols) {
  GrowthTally tally;
  Random random(1);
  std::set<std::string> refused;
  for (const std::string& path : growing_protocols()) {
    SCOPED_TRACE(path);
    SourceSet sources;
    Diagnostics diagnostics;
    const auto program = dedalus::load_program({path}, sources, diagnostics);
    ASSERT_TRUE(program) << diagnostics.render(sources);
    const Tick longest = twins::kSlowBuild ? 6 : 7;
    FaultModel most{dedalus::mentioned_nodes(*program), longest, longest, 2, CrashModel::kSilent};
    if (most.nodes.empty() || program->find("pre") == nullptr) continue;
    for (CrashModel crash_model : {CrashModel::kSilent, CrashModel::kStop}) {
      most.crash_model = crash_model;
      if (!GrowingGrounder::can_ground(*lower(*program, most))) {
        refused.insert(path);
        continue;
      }
      Twins twins(*program, most, 3);
      for (const FaultModel& model : bounds_up_to(most, 3, random)) {
        ASSERT_EQ(twins.argue(model, false, tally), "") << describe_bounds(model);
      }
    }
  }
  EXPECT_EQ(refused, std::set<std::string>{"protocols/elections/bully.ded"});
  EXPECT_EQ(tally.ungrounded, 0U);
  EXPECT_GT(tally.broken, 100U);
  EXPECT_GT(tally.robust, 100U);
  std::cout << tally;
}

double fault_sets(const FaultModel& model) { return search::count_admissible(model); }

TEST(GrowingGrounder, AgreesOnRandomPrograms) {
  GrowthTally tally;
  uint64_t programs = 0;
  for (uint64_t seed = 1; seed <= twins::effort(1500); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const twins::RandomProgram made = twins::random_program(random);
    FaultModel most{made.nodes, 4, 4, static_cast<int>(random.uniform_in(0, 2)),
                    random.chance(0.5) ? CrashModel::kStop : CrashModel::kSilent};
    std::ranges::sort(most.nodes);
    most.limits = twins::random_limits(most.nodes, random);
    while (most.eff > 0 && fault_sets(most) > 1e4) --most.eff;
    std::string text = search::without_spec(made);
    const simulate::Loaded bare = simulate::load(text);
    if (!bare.program) continue;
    text += search::random_spec(search::facts_to_promise(*bare.program, most), random);
    const simulate::Loaded loaded = simulate::load(text);
    if (!loaded.program || !GrowingGrounder::can_ground(*lower(*loaded.program, most))) continue;
    ++programs;
    const auto first = static_cast<Tick>(random.uniform_in(1, 3));
    Twins twins(*loaded.program, most, first);
    for (const FaultModel& model : bounds_up_to(most, first, random)) {
      const bool few = fault_sets(model) <= 200;
      ASSERT_EQ(twins.argue(model, few, tally), "") << describe_bounds(model) << "\n" << text;
    }
  }
  EXPECT_GT(programs, twins::effort(300));
  EXPECT_GT(tally.broken, programs);
  EXPECT_GT(tally.robust, programs);
  EXPECT_GT(tally.loops, twins::effort(100));
  std::cout << programs << " programs, " << tally;
}

constexpr const char* kReadsCrash =
    "node(\"a\", \"b\")@1; node(N, M)@next :- node(N, M);"
    "known(N)@next :- node(N, _), crash(N, _, _);"
    "pre(X) :- node(X, _); post(X) :- known(X);";

TEST(GrowingGrounder, RefusesProgramsThatForesee) {
  const simulate::Loaded loaded = simulate::load(kReadsCrash);
  ASSERT_TRUE(loaded.program) << loaded.diagnostics.render(loaded.sources);
  const auto lowered = lower(*loaded.program, {{"a", "b"}, 3, 0, 1, CrashModel::kSilent});
  EXPECT_FALSE(GrowingGrounder::can_ground(*lowered));
  EXPECT_DEATH(GrowingGrounder(lowered, {1, 1}, {}), "still to come");
}

constexpr const char* kBroadcast =
    "node(\"a\", \"b\")@1; node(N, M)@next :- node(N, M); bcast(\"a\", \"x\")@1;"
    "log(M, X)@async :- bcast(N, X), node(N, M); log(N, X)@next :- log(N, X);"
    "bcast(N, X)@next :- bcast(N, X);"
    "pre(X) :- bcast(_, X); post(X) :- log(\"b\", X);";

TEST(GrowingGrounder, StaysWithinItsRange) {
  const simulate::Loaded loaded = simulate::load(kBroadcast);
  ASSERT_TRUE(loaded.program) << loaded.diagnostics.render(loaded.sources);
  const FaultModel model{{"a", "b"}, 3, 0, 1, CrashModel::kSilent};
  GrowingGrounder grounder(lower(*loaded.program, model), {3, 1}, {});
  EXPECT_TRUE(grounder.ask(model).ok());
  EXPECT_EQ(grounder.ticks(), 3);
  EXPECT_DEATH(std::ignore = grounder.ask({{"a", "b"}, 2, 0, 1, CrashModel::kSilent}), "EOT 2");
  EXPECT_DEATH(std::ignore = grounder.ask({{"a", "b"}, 3, 0, 2, CrashModel::kSilent}), "2 crashes");
  EXPECT_DEATH(std::ignore = grounder.ask({{"a", "c"}, 3, 0, 1, CrashModel::kSilent}), "nodes");
  FaultModel limited = model;
  limited.limits.no_crash.insert("a");
  EXPECT_DEATH(std::ignore = grounder.ask(limited), "other limits");
}

TEST(GrowingCheck, GoesOnWhereItWasStopped) {
  const simulate::Loaded loaded = simulate::load(kBroadcast);
  ASSERT_TRUE(loaded.program) << loaded.diagnostics.render(loaded.sources);
  const FaultModel model{{"a", "b"}, 5, 4, 0, CrashModel::kSilent};
  GrowingCheck check(lower(*loaded.program, model), {1, 0});
  int left = 3;
  EXPECT_EQ(check.ask(model, [&] { return left-- <= 0; }), Answer::kStopped);
  EXPECT_EQ(check.grounder().ticks(), 3);
  EXPECT_EQ(check.ask(model, {}), Answer::kNothing);
  EXPECT_EQ(check.grounder().ticks(), 5);
  EXPECT_EQ(check.ask({{"a", "b"}, 5, 5, 0, CrashModel::kSilent}, {}), Answer::kSomething);
}

// In the middle of a tick it cannot go on; then it does not pretend to.
TEST(GrowingCheck, IsLostIfItWasStoppedWithinATick) {
  std::string text(kBroadcast);
  for (int i = 0; i < 300; ++i) text += fmt::format("e(\"a\", {})@2;", i);
  text += "f(A, X, Y) :- e(A, X), e(A, Y);";
  const simulate::Loaded loaded = simulate::load(text.c_str());
  ASSERT_TRUE(loaded.program) << loaded.diagnostics.render(loaded.sources);
  const FaultModel model{{"a", "b"}, 5, 4, 0, CrashModel::kSilent};
  GrowingCheck check(lower(*loaded.program, model), {1, 0});
  int left = 3;
  EXPECT_EQ(check.ask(model, [&] { return left-- <= 0; }), Answer::kStopped);
  EXPECT_EQ(check.grounder().ticks(), 1);
  EXPECT_EQ(check.ask(model, {}), Answer::kCannot);
}

TEST(GrowingCheck, SaysWhatItCannotGround) {
  const simulate::Loaded loaded = simulate::load(
      "n(\"a\", 3)@1; n(\"b\", 3)@1; n(N, I - 1)@next :- n(N, I); m(N, 6 / I) :- n(N, I);"
      "pre(N) :- n(N, _); post(N) :- m(N, _), n(N, _);");
  ASSERT_TRUE(loaded.program) << loaded.diagnostics.render(loaded.sources);
  FaultModel model{{"a", "b"}, 4, 0, 0, CrashModel::kSilent};
  GrowingCheck check(lower(*loaded.program, model), {1, 0});
  EXPECT_EQ(check.ask(model, {}), Answer::kCannot);
  model.eot = 3;
  EXPECT_EQ(check.ask(model, {}), Answer::kNothing);
  model.eot = 5;
  EXPECT_EQ(check.ask(model, {}), Answer::kCannot);
}

}  // namespace
}  // namespace clew::ground
