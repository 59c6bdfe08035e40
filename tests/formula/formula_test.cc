#include "formula/formula.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/formula/random_rules.h"

namespace clew::formula {
namespace {

using Answer = Formula::Answer;

std::vector<uint32_t> solutions(const RandomRules& made) {
  std::vector<uint32_t> all;
  for (uint32_t bits = 0; bits < (1U << made.faults()); ++bits) {
    if (made.solves(bits)) all.push_back(bits);
  }
  return all;
}

uint32_t to_bits(const FaultSet& faults, const RandomRules& made) {
  uint32_t bits = 0;
  for (size_t i = 0; i < made.faults(); ++i) {
    if (faults.contains(RandomRules::fault(i))) bits |= 1U << i;
  }
  return bits;
}

// Solutions that rest on a loop alone are refuted on the way.
std::optional<FaultSet> solve_truly(Formula& formula, const Rules& rules, const Scope& scope) {
  while (formula.solve(scope) == Answer::kFaults) {
    FaultSet faults = formula.faults();
    if (!formula.refute_loops(evaluate(rules, faults))) return faults;
  }
  return std::nullopt;
}

RandomRules make(Random& random) { return RandomRules(random, 1 + random.uniform_below(4)); }

class RandomFormulas : public testing::Test {
 protected:
  // For each of many random Rules.
  template <class Body>
  void for_all(const Body& body) {
    for (uint64_t seed = 1; seed <= 600 && !HasFatalFailure(); ++seed) {
      SCOPED_TRACE(seed);
      Random random(seed);
      RandomRules made = make(random);
      // Every other question is answered by parts.
      Formula formula(made.rules, {.easy = seed % 2 == 0 ? 0U : 20'000U});
      body(made, formula, random);
    }
  }
};

TEST_F(RandomFormulas, ExcludeLeavesTheRest) {
  size_t found_in_all = 0;
  for_all([&](const RandomRules& made, Formula& formula, Random&) {
    formula.learn_all();
    std::vector<uint32_t> found;
    while (std::optional<FaultSet> faults = solve_truly(formula, made.rules, {})) {
      uint32_t bits = to_bits(*faults, made);
      ASSERT_TRUE(made.solves(bits)) << to_string(*faults);
      for (uint32_t known : found) ASSERT_NE(bits & known, known) << "was excluded";
      found.push_back(bits);
      formula.exclude(*faults);
    }
    for (uint32_t solution : solutions(made)) {
      bool covered = std::ranges::any_of(found, [&](uint32_t f) { return (solution & f) == f; });
      ASSERT_TRUE(covered) << to_string(RandomRules::fault_set(solution));
    }
    found_in_all += found.size();
  });
  EXPECT_GT(found_in_all, 300U);
}

TEST_F(RandomFormulas, BelowMeansProperSubsets) {
  for_all([&](const RandomRules& made, Formula& formula, Random&) {
    formula.learn_all();
    for (uint32_t top = 0; top < (1U << made.faults()); ++top) {
      bool expected = std::ranges::any_of(solutions(made),
                                          [&](uint32_t s) { return s != top && (s & top) == s; });
      Scope scope{.below = RandomRules::fault_set(top), .at_most = {}};
      std::optional<FaultSet> faults = solve_truly(formula, made.rules, scope);
      ASSERT_EQ(faults.has_value(), expected) << to_string(*scope.below);
      if (!faults) continue;
      uint32_t bits = to_bits(*faults, made);
      EXPECT_TRUE(made.solves(bits) && bits != top && (bits & top) == bits) << to_string(*faults);
    }
  });
}

TEST_F(RandomFormulas, AtMostLimitsTheNumberOfFaults) {
  for_all([&](const RandomRules& made, Formula& formula, Random& random) {
    formula.learn_all();
    // The same counter serves larger and smaller limits, in any order.
    for (int question = 0; question < 6; ++question) {
      size_t most = random.uniform_below(made.faults() + 2);
      bool expected = std::ranges::any_of(solutions(made), [&](uint32_t s) {
        return static_cast<size_t>(std::popcount(s)) <= most;
      });
      Scope scope{.below = {}, .at_most = most};
      std::optional<FaultSet> faults = solve_truly(formula, made.rules, scope);
      ASSERT_EQ(faults.has_value(), expected) << "at most " << most;
      if (!faults) continue;
      EXPECT_TRUE(made.solves(to_bits(*faults, made)));
      EXPECT_LE(faults->size(), most);
    }
  });
}

TEST_F(RandomFormulas, BeforeAnythingIsLearnedEverySolutionIsPossible) {
  for_all([&](const RandomRules& made, Formula& formula, Random&) {
    for (uint32_t solution : solutions(made)) {
      for (size_t i = 0; i < made.faults(); ++i) {
        uint32_t top = solution | 1U << i;
        if (top == solution) continue;
        Scope scope{.below = RandomRules::fault_set(top),
                    .at_most = static_cast<size_t>(std::popcount(solution))};
        ASSERT_EQ(formula.solve(scope), Answer::kFaults);
      }
    }
  });
}

// As the lineage adversary does: what is proposed and is none teaches at least one body.
TEST_F(RandomFormulas, LearningStepByStepEndsWithTheTruth) {
  size_t steps = 0;
  for_all([&](const RandomRules& made, Formula& formula, Random&) {
    std::set<std::pair<Atom, Rules::BodyId>> learned;
    while (formula.solve({}) == Answer::kFaults) {
      FaultSet faults = formula.faults();
      if (made.solves(to_bits(faults, made))) break;
      ++steps;
      Valuation run = evaluate(made.rules, faults);
      bool news = false;
      for (Atom atom = 1; atom < made.rules.atoms(); ++atom) {
        if (!made.rules.is_named(atom) || !run.holds(literal(atom))) continue;
        for (auto at = made.rules.first_body(atom); at < made.rules.end_body(atom); ++at) {
          if (!run.holds(made.rules.body(at))) continue;
          bool is_new = learned.emplace(atom, at).second;
          ASSERT_EQ(formula.learn(atom, at), is_new);
          news |= is_new;
        }
      }
      ASSERT_TRUE(news || formula.refute_loops(run)) << to_string(faults);
    }
    ASSERT_EQ(formula.solve({}) == Answer::kFaults, !solutions(made).empty());
  });
  EXPECT_GT(steps, 100U);
}

// Says what a certificate relies on: everything is told before it is used.
struct Listener : Formula::Recorder {
  void stands_for(int variable, Atom) override { announce(variable); }
  void all_of(int variable, std::span<const int> literals) override { define(variable, literals); }
  void any_of(int variable, std::span<const int> literals) override { define(variable, literals); }
  void clause(std::span<const int> clause, const std::string& reason, Atom) override {
    use(clause);
    reasons.insert(reason.substr(0, reason.find(' ')));
    ++clauses;
  }

  void define(int variable, std::span<const int> literals) {
    use(literals);
    announce(variable);
  }
  void announce(int variable) { EXPECT_TRUE(known.insert(variable).second) << variable; }
  void use(std::span<const int> literals) {
    for (int literal : literals) EXPECT_TRUE(known.contains(std::abs(literal))) << literal;
  }

  std::set<int> known;
  std::set<std::string> reasons;
  size_t clauses = 0;
};

TEST(Formula, RecordsEverythingBeforeItIsUsed) {
  std::set<std::string> reasons;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    RandomRules made = make(random);
    Listener listener;
    Formula formula(made.rules, {.recorder = &listener});
    formula.learn_all();
    if (auto faults = solve_truly(formula, made.rules, {})) formula.exclude(*faults);
    EXPECT_EQ(listener.clauses, formula.clauses());
    reasons.insert(listener.reasons.begin(), listener.reasons.end());
  }
  const std::set<std::string> expected = {"body", "excluded", "fault-model", "firing",
                                          "goal", "loop",     "support",     "true"};
  EXPECT_EQ(reasons, expected);
}

// The example of the header: b hears of it from a directly, or through c.
TEST(Formula, ListsTheWaysToReachAGoal) {
  Rules rules;
  Literal direct = rules.fault(Omission{"a", "b", 1});
  Literal relay = rules.fault(Crash{"c", 1});
  Literal relay_later = rules.fault(Crash{"c", 2});
  Bodies ways{{!direct}, {!relay, !relay_later}};
  rules.set_goal(!rules.named(1, ways));
  rules.require({!relay, !relay_later});

  Formula formula(rules, {});
  formula.learn_all();
  std::vector<std::string> found;
  while (formula.solve({}) == Answer::kFaults) {
    FaultSet faults = formula.faults();
    EXPECT_TRUE(evaluate(rules, faults).holds(rules.goal()));
    formula.exclude(faults);
    found.push_back(to_string(faults));
  }
  std::ranges::sort(found);
  EXPECT_EQ(found, (std::vector<std::string>{"drop a>b@1, crash c@1", "drop a>b@1, crash c@2"}));
  EXPECT_EQ(formula.solve({}), Answer::kNone);
}

// Five pigeons do not fit into four holes.
TEST(Formula, SettlesAHardQuestionPartByPart) {
  Rules rules;
  const char* pigeons[] = {"a", "b", "c", "d", "e"};
  std::vector<Literal> sits[4];  // by hole
  for (const char* pigeon : pigeons) {
    std::vector<Literal> somewhere;
    for (Tick hole = 1; hole <= 4; ++hole) {
      somewhere.push_back(rules.fault(Omission{pigeon, "z", hole}));
      for (Literal other : sits[hole - 1]) rules.require({!other, !somewhere.back()});
      sits[hole - 1].push_back(somewhere.back());
    }
    rules.require(somewhere);
  }
  rules.set_goal(kTrue);

  std::vector<double> seen;
  const Formula* asking = nullptr;
  auto watch = [&] {
    if (asking != nullptr && asking->settled() > 0) seen.push_back(asking->settled());
    return false;
  };
  Formula formula(rules, {.stop = watch, .easy = 0});
  formula.learn_all();
  asking = &formula;
  EXPECT_EQ(formula.solve({}), Answer::kNone);
  EXPECT_EQ(formula.settled(), 1);
  ASSERT_FALSE(seen.empty());
  EXPECT_LT(seen.front(), 1);
  EXPECT_TRUE(std::ranges::is_sorted(seen));
}

TEST(Formula, DeniesWhatItHasNotLearned) {
  Rules rules;
  Literal lost = rules.fault(Omission{"a", "b", 1});
  Literal crashed = rules.fault(Crash{"c", 1});
  Bodies ways{{!lost}, {!crashed}};
  Literal heard = rules.named(1, ways);
  rules.set_goal(!heard);
  Formula formula(rules, {});
  const Scope without_faults{.below = {}, .at_most = 0};
  const Scope with_one{.below = {}, .at_most = 1};
  EXPECT_EQ(formula.solve(without_faults), Answer::kFaults);
  auto id = rules.first_body(heard.atom());
  EXPECT_TRUE(formula.learn(heard.atom(), id));
  EXPECT_FALSE(formula.learn(heard.atom(), id));
  EXPECT_EQ(formula.solve(without_faults), Answer::kNone);
  EXPECT_EQ(formula.solve(with_one), Answer::kFaults);
  EXPECT_TRUE(formula.learn(heard.atom(), id + 1));
  EXPECT_EQ(formula.solve(with_one), Answer::kNone);
  ASSERT_EQ(formula.solve({}), Answer::kFaults);
  EXPECT_EQ(to_string(formula.faults()), "drop a>b@1, crash c@1");
}

TEST(Formula, GoalsThatNeedNoSolving) {
  Rules rules;
  rules.fault(Crash{"a", 1});
  rules.set_goal(kFalse);
  EXPECT_EQ(Formula(rules, {}).solve({}), Answer::kNone);
  rules.set_goal(kTrue);
  Formula formula(rules, {});
  ASSERT_EQ(formula.solve({}), Answer::kFaults);
  EXPECT_EQ(to_string(formula.faults()), "no faults");
  EXPECT_EQ(formula.solve({.below = FaultSet{}, .at_most = {}}), Answer::kNone);
  formula.exclude({});
  EXPECT_EQ(formula.solve({}), Answer::kNone);
}

TEST(Formula, AnotherAccountOfARunTakesFaultSetsAway) {
  Rules rules;
  Literal lost = rules.fault(Omission{"a", "b", 1});
  Literal crashed = rules.fault(Crash{"c", 1});
  Bodies ways{{!lost}, {!crashed}};
  Literal heard = rules.named(1, ways);
  rules.set_goal(!heard);
  Formula formula(rules, {});
  Literal because[] = {!crashed};
  formula.learn_instead(heard.atom(), because);
  while (formula.solve({}) == Answer::kFaults) {
    EXPECT_TRUE(formula.faults().contains(Crash{"c", 1}));
    formula.exclude(formula.faults());
  }
}

// Ten pigeons in nine holes: no solver that only resolves clauses sees at once that it cannot be.
TEST(Formula, StopsWhenTold) {
  Rules rules;
  constexpr Tick kHoles = 9;
  for (char pigeon = 'a'; pigeon <= 'j'; ++pigeon) {
    std::vector<Literal> somewhere;
    for (Tick hole = 1; hole <= kHoles; ++hole) {
      Literal here = rules.fault(Crash{std::string(1, pigeon), hole});
      somewhere.push_back(here);
      for (char other = 'a'; other < pigeon; ++other) {
        rules.require({!here, !rules.fault(Crash{std::string(1, other), hole})});
      }
    }
    rules.require(somewhere);
  }
  rules.set_goal(kTrue);
  int asked = 0;
  Formula formula(rules, {.stop = [&] { return ++asked > 10; }});
  EXPECT_EQ(formula.solve({}), Answer::kStopped);
}

// Rules that grow, and after each growth a few questions: the twin has tried all faults.
TEST(GrowingFormula, AnswersEveryQuestionAsAFreshOneWould) {
  size_t yes = 0;
  size_t no = 0;
  size_t loop_clauses = 0;
  for (uint64_t seed = 1; seed <= 600; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    RandomRules made = make(random);
    Formula formula(made.rules, {.easy = seed % 2 == 0 ? 0U : 20'000U, .asks = true});
    formula.learn_all();
    for (int growth = 0; growth < 4; ++growth) {
      for (int ask = 0; ask < 3; ++ask) {
        const RandomRules::Body asked = {made.random_sign(), made.random_sign()};
        formula.ask({made.to_literal(asked[0]), {made.to_literal(asked[1])}});
        const std::optional<FaultSet> found = solve_truly(formula, made.rules, {});
        bool expected = false;
        for (uint32_t bits = 0; bits < (1U << made.faults()); ++bits) {
          expected |= made.solves(bits, asked);
        }
        ASSERT_EQ(found.has_value(), expected);
        ASSERT_TRUE(!found || made.solves(to_bits(*found, made), asked));
        ++(expected ? yes : no);
      }
      made.grow();
    }
    loop_clauses += formula.loop_clauses();
  }
  EXPECT_GT(yes, 1000U);
  EXPECT_GT(no, 1000U);
  EXPECT_GT(loop_clauses, 20U);
}

TEST(GrowingFormula, HasItsGoalFromQuestionsAlone) {
  Rules rules;
  Formula fixed(rules, {});
  fixed.learn_all();
  EXPECT_DEATH(fixed.ask({kTrue, {}}), "asks");
  Formula growing(rules, {.asks = true});
  growing.learn_all();
  rules.fault(Crash{"a", 1});
  growing.ask({kTrue, {}});
  EXPECT_EQ(growing.solve({}), Answer::kFaults);
  EXPECT_DEATH(growing.solve({.below = {}, .at_most = 0}), "does not grow");
}

}  // namespace
}  // namespace clew::formula
