// The ground rules against runs: under every admissible FaultSet, every fact that they call
// possible is true at its tick exactly when the run has it, and the run has no other.
//
//   CLEW_LONG_TESTS=600    goes on with further random programs for that many seconds
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <set>

#include "ground/grounder.h"
#include "search/lattice.h"
#include "simulate/describe.h"
#include "tests/simulate/argument.h"
#include "tests/twins/effort.h"
#include "tests/twins/language_cases.h"
#include "tests/twins/random_program.h"

namespace clew::ground {
namespace {

struct Tally {
  size_t programs = 0;
  size_t ungrounded = 0;
  size_t fault_sets = 0;
  size_t facts = 0;  // that faults decide, over all FaultSets
};

class Comparison {
 public:
  Comparison(const dedalus::Program& program, const FaultModel& model)
      : program_(program),
        model_(model),
        grounder_(program, model, {.most_rows = 20'000, .most_firings = 50'000}),
        simulator_(program, model.nodes, model.crash_model, {.lineage = false}) {
    possible_.resize(static_cast<size_t>(model.eot));
    grounder_.listener = [this](const Grounder::Name& name, formula::Literal literal) {
      if (!is_ground(grounder_.relation_name(name), name.tick)) return;
      std::string text = grounder_.relation_name(name) + grounder_.tuple_text(name);
      possible_[static_cast<size_t>(name.tick) - 1].emplace(text, literal);
    };
  }

  // The first difference, or nothing.
  std::string over_all_fault_sets(Tally& tally) {
    ++tally.programs;
    if (!grounder_.run().ok()) {
      ++tally.ungrounded;
      return "";
    }
    search::AdmissibleSets sets(model_);
    while (std::optional<FaultSet> faults = sets.next()) {
      ++tally.fault_sets;
      std::string difference = over(*faults, tally);
      if (!difference.empty()) return fmt::format("with {}: {}", to_string(*faults), difference);
    }
    return "";
  }

 private:
  std::string over(const FaultSet& faults, Tally& tally) {
    if (simulator_.run(model_.eot, faults)) return "the run fails";
    Scenario scenario;
    scenario.nodes = model_.nodes;
    scenario.program.eot = model_.eot;
    scenario.program.crash_model = model_.crash_model;
    scenario.faults = faults;
    auto run = simulate::describe(simulator_, scenario);
    formula::Valuation valuation = formula::evaluate(grounder_.rules(), faults);
    for (Tick tick = 1; tick <= model_.eot; ++tick) {
      auto index = static_cast<size_t>(tick) - 1;
      std::set<std::string> claimed;
      for (const auto& [text, literal] : possible_[index]) {
        bool open = literal != formula::kTrue && literal != formula::kFalse;
        tally.facts += open ? 1 : 0;
        if (valuation.holds(literal)) claimed.insert(text);
      }
      std::set<std::string> actual;
      for (const Fact& fact : run.facts[index]) {
        if (is_ground(fact.relation, tick)) actual.insert(to_string(fact));
      }
      if (claimed == actual) continue;
      return fmt::format("at tick {} the rules say\n  {}\nthe run has\n  {}", tick,
                         fmt::join(claimed, " "), fmt::join(actual, " "));
    }
    return "";
  }

  // Views wait for the last tick; `crash` is there only if somebody reads it.
  bool is_ground(const std::string& relation, Tick tick) const {
    const dedalus::RelationInfo* info = program_.find(relation);
    if (relation == dedalus::kCrash) return info->read;
    return !info->view || tick == model_.eot;
  }

  const dedalus::Program& program_;
  FaultModel model_;
  Grounder grounder_;
  simulate::Simulator simulator_;
  std::vector<std::map<std::string, formula::Literal>> possible_;  // by tick - 1
};

FaultModel random_model(std::vector<NodeName> nodes, Random& random) {
  std::ranges::sort(nodes);
  while (true) {
    FaultModel model{nodes, static_cast<Tick>(random.uniform_in(1, 6)), 0, 0, CrashModel::kSilent};
    model.eff = static_cast<Tick>(random.uniform_in(0, model.eot));
    model.crashes = static_cast<int>(random.uniform_in(0, 3));
    model.crash_model = random.chance(0.5) ? CrashModel::kStop : CrashModel::kSilent;
    const bool leaves_time = model.eot > 1 && random.chance(0.3);
    model.eventually =
        leaves_time ? static_cast<Tick>(random.uniform_in(1, model.eot - 1)) : Tick{0};
    FaultSet all(all_faults(model));
    double most = std::exp2(static_cast<double>(all.of<Omission>().size()));
    for (int i = 0; i < model.crashes; ++i) most *= 1 + static_cast<double>(all.of<Crash>().size());
    if (most > 150) continue;
    model.limits = twins::random_limits(model.nodes, random);
    return model;
  }
}

std::string compare(const std::string& text, const FaultModel& model, Tally& tally) {
  simulate::Loaded loaded = simulate::load(text);
  if (!loaded.program) return "";
  std::string difference = Comparison(*loaded.program, model).over_all_fault_sets(tally);
  if (difference.empty()) return "";
  return fmt::format("{}, nodes {}, {}\n{}\n{}", describe_bounds(model),
                     fmt::join(model.nodes, ","), to_string(model.crash_model), difference, text);
}

TEST(GroundRules, AgreeWithRunsOfRandomPrograms) {
  Tally tally;
  const char* longer = std::getenv("CLEW_LONG_TESTS");
  auto end = std::chrono::steady_clock::now() +
             std::chrono::seconds(longer == nullptr ? 0 : std::atoi(longer));
  for (uint64_t seed = 1; seed <= twins::effort(1500) || std::chrono::steady_clock::now() < end;
       ++seed) {
    Random random(seed);
    twins::RandomProgram program = twins::random_program(random);
    FaultModel model = random_model(program.nodes, random);
    ASSERT_EQ(compare(program.text(), model, tally), "") << "seed " << seed;
  }
  std::cout << fmt::format("{} programs, {} not ground, {} fault sets, {} open facts\n",
                           tally.programs, tally.ungrounded, tally.fault_sets, tally.facts);
  EXPECT_LT(tally.ungrounded, tally.programs / 4);
  EXPECT_GT(tally.facts, twins::effort(100'000));
}

// Rules that hold for several counts, which are joined to intervals.
std::string random_thresholds(Random& random) {
  std::string text = R"(
    on("a", "a")@1; on("b", "a")@1; on("c", "a")@1; on("c", "b")@1; on(N, M)@next :- on(N, M);
    up(M, N)@async :- on(N, M); up(M, N)@next :- up(M, N), notin off(M);
    all(N, count<M>) :- up(N, M); now(N, count<M>) :- up(N, M), M != "a"; off(N) :- now(N, 2);
  )";
  const auto comparison = [&] {
    const char* counted[] = {"C", "D", "2 * C", "C + D", "C - D"};
    const char* operators[] = {"<", "<=", ">", ">=", "==", "!="};
    return fmt::format("{} {} {}", counted[random.uniform_below(5)],
                       operators[random.uniform_below(6)], random.uniform_below(4));
  };
  for (int rule = 0; rule < 4; ++rule) {
    text += fmt::format("{}(N){} :- all(N, C), now(N, D), {}{}{};\n", rule % 2 == 0 ? "p" : "q",
                        rule < 3 && random.chance(0.4) ? "@next" : "", comparison(),
                        random.chance(0.5) ? ", " + comparison() : "",
                        rule % 2 == 1 && random.chance(0.5) ? ", notin p(N)" : "");
  }
  return text;
}

TEST(GroundRules, AgreeWithRunsWhereCountsAreCompared) {
  Tally tally;
  for (uint64_t seed = 1; seed <= twins::effort(300); ++seed) {
    Random random(seed);
    const FaultModel model{{"a", "b", "c"},
                           3,
                           2,
                           seed % 3 == 0 ? 1 : 0,
                           seed % 2 == 0 ? CrashModel::kStop : CrashModel::kSilent};
    ASSERT_EQ(compare(random_thresholds(random), model, tally), "") << "seed " << seed;
  }
  EXPECT_EQ(tally.programs, twins::effort(300));
  EXPECT_EQ(tally.ungrounded, 0U);
  EXPECT_GT(tally.facts, twins::effort(10'000));
}

// Every clause of the language's meaning, with faults left open around the ones it is about.
TEST(GroundRules, AgreeWithRunsOfTheLanguageCases) {
  Tally tally;
  for (const twins::LanguageCase& one : twins::language_cases()) {
    Scenario scenario = twins::scenario_of(one.world);
    for (CrashModel crash_model : {CrashModel::kSilent, CrashModel::kStop}) {
      bool few = scenario.nodes.size() < 3;
      FaultModel model{scenario.nodes, scenario.program.eot,
                       few ? scenario.program.eot : std::min(scenario.program.eot, 2), few ? 2 : 1,
                       crash_model};
      if (all_faults(model).size() > 14) model.eff = 0;
      ASSERT_EQ(compare(one.program, model, tally), "") << one.name;
    }
  }
  EXPECT_GT(tally.programs - tally.ungrounded, 80U);
}

}  // namespace
}  // namespace clew::ground
