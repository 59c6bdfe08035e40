// Every numbered invariant of propagator.h, broken: the CHECK says so.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace clew::verify
