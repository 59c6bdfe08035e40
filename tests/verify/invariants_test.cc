// Every numbered invariant of the headers, broken: the CHECK says so.
#include <gtest/gtest.h>

#include "tests/verify/reference_writer.h"
#include "verify/circuit.h"
#include "verify/match.h"
#include "verify/propagator.h"

namespace clew::verify {
namespace {

class PropagatorInvariants : public testing::Test {
 protected:
  // a holds for good; b implies c, and nothing bears both.
  PropagatorInvariants() {
    reason_ = clauses_.add({a_});
    implies_ = clauses_.add({-b_, c_});
    clauses_.add({-b_, -c_});
  }

  Propagator clauses_;
  Lit a_ = clauses_.new_variable();
  Lit b_ = clauses_.new_variable();
  Lit c_ = clauses_.new_variable();
  ClauseRef reason_ = 0;
  ClauseRef implies_ = 0;
};

TEST_F(PropagatorInvariants, OneWhatHoldsStays) {
  EXPECT_EQ(clauses_.value(a_), 1);
  EXPECT_FALSE(clauses_.remove(reason_));
  EXPECT_EXIT(clauses_.undo(0), testing::ExitedWithCode(1), "what holds for good is taken back");
}

TEST_F(PropagatorInvariants, TwoClausesChangeOnlyWithoutAssumptions) {
  const size_t before = clauses_.mark();
  EXPECT_TRUE(clauses_.assume(-b_));
  EXPECT_EXIT(clauses_.add({c_}), testing::ExitedWithCode(1),
              "a clause is added under assumptions");
  EXPECT_EXIT(clauses_.remove(implies_), testing::ExitedWithCode(1),
              "a clause is removed under assumptions");
  clauses_.undo(before);
  EXPECT_TRUE(clauses_.remove(implies_));
}

TEST_F(PropagatorInvariants, ThreeAfterAConflictComesUndo) {
  const size_t before = clauses_.mark();
  EXPECT_FALSE(clauses_.assume(b_));
  EXPECT_EXIT(clauses_.assume(c_), testing::ExitedWithCode(1), "3 is assumed after a conflict");
  clauses_.undo(before);
  EXPECT_TRUE(clauses_.assume(c_));
}

TEST(CircuitInvariants, OneALiteralIsDefinedOnce) {
  Circuit circuit;
  const Lit a = circuit.input(), b = circuit.input();
  const Lit gate = circuit.conjunction({a, b});
  const Lit later = circuit.declare();
  circuit.define(later, {a, gate});
  const auto exits = testing::ExitedWithCode(1);
  EXPECT_EXIT(circuit.define(later, {b}), exits, "has a definition already");
  EXPECT_EXIT(circuit.define(gate, {b}), exits, "has a definition already");
  EXPECT_EXIT(circuit.define(kTrue, {b}), exits, "1 has a definition already");
}

TEST(FactsInvariants, OneNothingIsNegatedBeforeItIsSettled) {
  const auto program = parse_program("p(\"a\")@1; q(\"a\")@1; r(X) :- p(X), notin q(X);");
  ASSERT_TRUE(program);
  const Claim claim{&*program, {.nodes = {"a"}, .eot = 2}};
  Circuit circuit;
  Values values;
  Facts facts(*program);
  Faults faults(claim, circuit);
  Matcher matcher(facts, faults, values);
  const Rule rule = compile(*program, 0, values);
  const Tuple tuple{values.intern("a")};
  facts.at(facts.add(program->relation_index.at("p"), 1, tuple)).lit = kTrue;
  const FactId negated = facts.add(program->relation_index.at("q"), 1, tuple);
  size_t matches = 0;
  auto count = [&] { matcher.all(rule, 1, [&](const Match&) { ++matches; }); };
  EXPECT_EXIT(count(), testing::ExitedWithCode(1), "a fact is negated before it is settled");
  facts.at(negated).lit = circuit.input();
  count();
  EXPECT_EQ(matches, 1U);
}

}  // namespace
}  // namespace clew::verify
