// The grounding against the twin: under every fault set, its facts are those of the run.
#include "verify/ground.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "tests/twins/effort.h"
#include "tests/twins/language_cases.h"
#include "tests/twins/random_program.h"
#include "tests/verify/reference_writer.h"
#include "twin/naive_simulator.h"
#include "verify/refusal.h"

namespace clew::verify {
namespace {

FaultModel model_of(const Scenario& scenario) {
  return {scenario.nodes, scenario.program.eot, scenario.program.eot,
          static_cast<int>(scenario.nodes.size()), scenario.program.crash_model};
}

// A grounding of a program under a model, with single fault sets to be tried on it.
class Ground {
 public:
  Ground(const dedalus::Program& program, FaultModel model)
      : claim_{&program, std::move(model)}, grounding_(claim_, circuit_) {}

  // Describes the first difference between the run and what the circuit says; empty if none.
  std::string difference(const Scenario& scenario) {
    const twin::NaiveRun run = twin::naive_run(*claim_.program, scenario);
    if (run.gave_up) return "";
    if (run.failed_at) return "a run fails, but the program was grounded";
    const size_t before = circuit_.clauses().mark();
    std::string result = assume(scenario) ? compare(run) : "the fault model forbids the faults";
    circuit_.clauses().undo(before);
    return result;
  }

 private:
  bool assume(const Scenario& scenario) {
    const FaultSet all(all_faults(claim_.model));
    bool fine = true;
    for (const Omission& omission : all.of<Omission>()) {
      const Lit lit = grounding_.omission(omission.from, omission.to, omission.tick);
      const bool happens = scenario.faults.contains(omission);
      fine = fine && circuit_.clauses().assume(happens ? lit : -lit);
    }
    for (const Crash& crash : all.of<Crash>()) {
      const Lit lit = grounding_.crash(crash.node, crash.tick);
      const bool happens = scenario.faults.contains(crash);
      fine = fine && circuit_.clauses().assume(happens ? lit : -lit);
    }
    return fine;
  }

  std::string compare(const twin::NaiveRun& run) {
    size_t found = 0;
    for (FactId id = 0; id < grounding_.facts(); ++id) {
      const PossibleFact& fact = grounding_.at(id);
      if (fact.relation == 0) continue;
      const Fact named = grounding_.print(id);
      const bool is = run.facts[static_cast<size_t>(fact.tick - 1)].contains(named);
      found += is ? 1 : 0;
      const int value = value_of(fact, is);
      if (value != (is ? 1 : -1)) {
        return fmt::format("{} at {} is {} in the run, but its literal {}", to_string(named),
                           fact.tick, is, value);
      }
    }
    size_t expected = 0;
    for (const std::set<Fact>& facts : run.facts) {
      for (const Fact& fact : facts) expected += fact.relation == dedalus::kCrash ? 0 : 1;
    }
    if (found != expected) return "a fact of the run is impossible";
    const bool violated = run.outcome().kind == Outcome::Kind::kViolated;
    const int value = circuit_.clauses().value(grounding_.violation());
    return value == (violated ? 1 : -1) ? "" : "the violation differs";
  }

  Claim claim_;
  Circuit circuit_;
  Grounding grounding_;

  // The completion leaves facts open that could hold each other up; then the run decides, and what
  // follows from that must fit.
  int value_of(const PossibleFact& fact, bool is) {
    const int value = circuit_.clauses().value(*fact.lit);
    if (value != 0 || fact.firings.empty()) return value;
    return circuit_.clauses().assume(is ? *fact.lit : -*fact.lit) ? (is ? 1 : -1) : 0;
  }
};

TEST(Ground, AgreesWithTheTwinOnTheLanguageCases) {
  for (const twins::LanguageCase& test : twins::language_cases()) {
    SCOPED_TRACE(test.name);
    const auto program = parse_program(test.program);
    ASSERT_TRUE(program);
    const Scenario scenario = twins::scenario_of(test.world);
    try {
      EXPECT_EQ(Ground(*program, model_of(scenario)).difference(scenario), "");
    } catch (const Refusal& refusal) {
      EXPECT_NE(refusal.message.find("could fail"), std::string::npos) << refusal.message;
    }
  }
}

TEST(Ground, AgreesWithTheTwinOnRandomPrograms) {
  int compared = 0;
  int refused = 0;
  const char* wanted = std::getenv("CLEW_LONG_TESTS");
  const uint64_t seeds = wanted != nullptr ? 30'000 : twins::effort(600);
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    Random random(seed);
    const twins::RandomProgram text = twins::random_program(random);
    const auto program = parse_program(text.text());
    if (!program) continue;
    Scenario scenario = twins::random_scenario(text.nodes, random);
    try {
      Ground ground(*program, model_of(scenario));
      for (int i = 0; i < 8; ++i) {
        ASSERT_EQ(ground.difference(scenario), "")
            << "seed " << seed << ", " << to_string(scenario.faults) << "\n"
            << text.text();
        const Scenario other = twins::random_scenario(text.nodes, random);
        scenario.faults = {};
        for (const Omission& omission : other.faults.of<Omission>()) {
          if (omission.tick < scenario.program.eot) scenario.faults.insert(omission);
        }
        for (const Crash& crash : other.faults.of<Crash>()) {
          if (crash.tick < scenario.program.eot) scenario.faults.insert(crash);
        }
      }
      ++compared;
    } catch (const Refusal&) {
      ++refused;
    }
  }
  EXPECT_GT(compared, static_cast<int>(seeds) / 3);
  RecordProperty("compared", compared);
  RecordProperty("refused", refused);
  fmt::print("{} compared, {} refused\n", compared, refused);
}

}  // namespace
}  // namespace clew::verify
