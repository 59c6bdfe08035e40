// The examples at the top of the headers, as code (tools/check_examples.py compares them).
#include <gtest/gtest.h>

#include "formula/formula.h"
#include "formula/rules.h"
#include "formula/solver.h"

namespace clew::formula {
namespace {

// example: src/formula/formula.h
TEST(FormulaExamples, AFormula) {
  using Answer = Formula::Answer;
  Rules rules;
  const Literal omission_at_2 = rules.fault(Omission{"a", "b", 2});
  const Literal some_omission_at_3 = rules.fault(Omission{"a", "b", 3});
  const Literal violation_at_4 = rules.all({omission_at_2, some_omission_at_3});
  rules.set_goal(violation_at_4);
  std::vector<FaultSet> found;
  {
    Formula formula(rules, {});
    formula.learn_all();
    while (formula.solve({}) == Answer::kFaults) {
      FaultSet faults = formula.faults();
      formula.exclude(faults);
      found.push_back(faults);
    }
  }
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(to_string(found[0]), "drop a>b@2, drop a>b@3");

  Formula formula(rules, {.asks = true});
  formula.learn_all();
  formula.ask({.goal = violation_at_4, .assumed = {!some_omission_at_3}});
  EXPECT_EQ(formula.solve({}), Answer::kNone);
  formula.ask({.goal = violation_at_4});
  EXPECT_EQ(formula.solve({}), Answer::kFaults);
}

// example: src/formula/rules.h
TEST(FormulaExamples, WhatAViolationIs) {
  Rules rules;
  const Literal sent = !rules.fault(Crash{"a", 1});
  const Literal relayed = !rules.fault(Crash{"c", 1});
  const Literal asked = kTrue;
  Literal lost = rules.fault(Omission{"a", "b", 1});
  Bodies ways{{sent, !lost}, {relayed}};
  Literal heard = rules.either(ways);
  rules.set_goal(rules.all({asked, !heard}));
  FaultSet faults;
  EXPECT_FALSE(evaluate(rules, faults).holds(rules.goal()));
  faults.insert(Omission{"a", "b", 1});
  EXPECT_FALSE(evaluate(rules, faults).holds(rules.goal()));
  faults.insert(Crash{"c", 1});
  EXPECT_TRUE(evaluate(rules, faults).holds(rules.goal()));
}

// example: src/formula/solver.h
TEST(FormulaExamples, AQuestion) {
  Solver solver;
  int a = solver.new_variable(), b = solver.new_variable();
  solver.add({a, b});
  const int assumed[] = {-a};
  EXPECT_TRUE(solver.solve(assumed, {}) == Solver::Answer::kSatisfiable);
  EXPECT_TRUE(solver.value(b));
}

}  // namespace
}  // namespace clew::formula
