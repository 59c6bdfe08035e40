// Every numbered invariant of the headers, broken: the CHECK says so.
#include <gtest/gtest.h>

#include <functional>

#include "formula/formula.h"
#include "formula/rules.h"
#include "formula/solver.h"

namespace clew::formula {

// Gives an atom bodies as they are, which nobody else can.
struct RulesSaboteur {
  static void store(Rules& rules, Literal literal, const Bodies& bodies) {
    rules.store(literal.atom(), bodies);
  }
};

namespace {

void expect_check(const std::function<void()>& wrong, const std::string& message) {
  EXPECT_EXIT(wrong(), testing::ExitedWithCode(1), message);
}

class RulesInvariants : public testing::Test {
 protected:
  void expect_wrong(const Bodies& bodies, const std::string& message) {
    expect_check([&] { RulesSaboteur::store(rules_, last_, bodies); }, message);
  }

  Rules rules_;
  Literal a_ = rules_.fault(Crash{"a", 1});
  Literal b_ = rules_.fault(Crash{"b", 1});
  Bodies both_{{a_, b_}};
  Literal last_ = rules_.named(1, both_);
};

TEST_F(RulesInvariants, OneBodiesAreSimple) {
  RulesSaboteur::store(rules_, last_, {{a_, !b_}, {b_}});
  expect_wrong({{kTrue}}, "a body of atom 3 has a constant");
  expect_wrong({{a_}, {kFalse, b_}}, "a body of atom 3 has a constant");
  expect_wrong({{a_, a_}}, "or atom 1 twice");
  expect_wrong({{a_, !a_}}, "or atom 1 twice");
  expect_wrong({{b_, a_}}, "or atom 2 twice");
}

TEST_F(RulesInvariants, TwoBodiesAreDistinct) {
  expect_wrong({{a_, b_}, {a_, b_}}, "atom 3 has the same body twice");
}

TEST_F(RulesInvariants, ThreeBodiesNameEarlierAtoms) {
  expect_wrong({{last_}}, "a body of atom 3 has atom 3, which comes later");
  expect_wrong({{a_, literal(9)}}, "a body of atom 3 has atom 9, which comes later");
  Bodies bodies{{a_, literal(9)}};
  expect_check([&] { rules_.either(bodies); }, "has atom 9, which comes later");
}

TEST_F(RulesInvariants, ThreeBodiesMayNameAtomsOfTheSameLoop) {
  rules_.begin_loop();
  const Atom one = rules_.add_to_loop(1);
  const Atom two = rules_.add_to_loop(2);
  rules_.end_loop();
  rules_.begin_loop();
  const Atom other = rules_.add_to_loop(3);
  rules_.end_loop();
  Bodies same{{a_, literal(two)}};
  rules_.set_bodies(one, same);
  Bodies later{{a_, literal(other)}};
  expect_check([&] { rules_.set_bodies(two, later); }, "which comes later");
}

TEST_F(RulesInvariants, FourLoopsAreMadeInOneGo) {
  expect_check([&] { rules_.add_to_loop(1); }, "an atom of no loop");
  rules_.begin_loop();
  expect_check([&] { rules_.begin_loop(); }, "loops do not nest");
  Bodies bodies{{a_, !b_}};
  expect_check([&] { rules_.either(bodies); }, "only the atoms of the loop are made within it");
}

TEST_F(RulesInvariants, FiveOnlyLoopsGetTheirBodiesLater) {
  expect_check([&] { rules_.set_bodies(last_.atom(), both_); },
               "only atoms of a loop are given their bodies later");
}

class FormulaInvariants : public testing::Test {
 protected:
  FormulaInvariants() { rules_.set_goal(a_); }

  Rules rules_;
  Literal a_ = rules_.fault(Crash{"a", 1});
  FaultSet faults_{Crash{"a", 1}};
};

TEST_F(FormulaInvariants, OneNoClauseDependsOnAQuestion) {
  Formula formula(rules_, {.asks = true});
  formula.learn_all();
  formula.ask({.goal = a_});
  const std::string message = "a clause that would outlive its question";
  expect_check([&] { formula.insist(faults_); }, message);
  expect_check([&] { formula.demand(faults_); }, message);
  expect_check([&] { formula.exclude(faults_); }, message);
  expect_check([&] { formula.exclude_exactly(faults_); }, message);
}

TEST_F(FormulaInvariants, TwoRulesOnlyGrow) {
  Formula formula(rules_, {.asks = true});
  formula.learn_all();
  formula.ask({.goal = a_});
  rules_ = Rules();
  expect_check([&] { formula.ask({.goal = kTrue}); }, "1 atoms and 0 bodies, after 2 and 0");
}

TEST_F(FormulaInvariants, ThreeQuestionsAreForWhoAsksAndKnowsAll) {
  const std::string message = "a question to a Formula that does not ask, or learn all";
  Formula fixed(rules_, {});
  fixed.learn_all();
  expect_check([&] { fixed.ask({.goal = a_}); }, message);
  Formula ignorant(rules_, {.asks = true});
  expect_check([&] { ignorant.ask({.goal = a_}); }, message);
}

class SolverInvariants : public testing::Test {
 protected:
  SolverInvariants() { solver_.add({a_, b_}); }

  Solver solver_;
  int a_ = solver_.new_variable();
  int b_ = solver_.new_variable();
};

TEST_F(SolverInvariants, OneVariablesAreKnown) {
  const int unknown[] = {3};
  expect_check([&] { solver_.add({a_, 3}); }, "literal 3");
  expect_check([&] { solver_.add({-3}); }, "literal -3");
  expect_check([&] { solver_.add({0}); }, "literal 0");
  expect_check([&] { solver_.solve(unknown, {}); }, "literal 3");
  expect_check([&] { solver_.solve({}, unknown); }, "literal 3");
  EXPECT_EQ(solver_.solve({}, {}), Solver::Answer::kSatisfiable);
  expect_check([&] { solver_.value(3); }, "literal 3");
}

TEST_F(SolverInvariants, TwoAnswersAreAskedForWhenThereAreAny) {
  const int neither[] = {-a_, -b_};
  expect_check([&] { solver_.value(a_); }, "value\\(\\) without a solution");
  EXPECT_EQ(solver_.solve({}, {}), Solver::Answer::kSatisfiable);
  expect_check([&] { solver_.failed(-a_); }, "failed\\(\\) although there may be a solution");
  EXPECT_EQ(solver_.solve(neither, {}), Solver::Answer::kUnsatisfiable);
  EXPECT_TRUE(solver_.failed(-a_));
  expect_check([&] { solver_.value(a_); }, "value\\(\\) without a solution");
}

TEST_F(SolverInvariants, ThreeAProofIsComplete) {
  expect_check([&] { solver_.trace_proof(*stderr); }, "a proof without the first 1 clauses");
}

}  // namespace
}  // namespace clew::formula
