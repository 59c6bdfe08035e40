// The examples at the top of the headers, as code (tools/check_examples.py compares them).
#include <gtest/gtest.h>

#include "formula/rules.h"
#include "formula/solver.h"

namespace clew::formula {
namespace {

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
