// The examples at the top of the headers, as code (tools/check_examples.py compares them).
#include <gtest/gtest.h>

#include "verify/circuit.h"
#include "verify/justify.h"
#include "verify/lines.h"
#include "verify/proof.h"
#include "verify/propagator.h"

namespace clew::verify {
namespace {

// example: src/verify/circuit.h
TEST(VerifyExamples, ACircuit) {
  Circuit circuit;
  Lit lost = circuit.input(), crashed = circuit.input();
  Lit heard = circuit.conjunction({-lost, -crashed});
  EXPECT_TRUE(circuit.conjunction({-crashed, -lost}) == heard);
  EXPECT_TRUE(circuit.disjunction({lost, crashed}) == -heard);
}

// example: src/verify/justify.h
TEST(VerifyExamples, AClauseThatFollows) {
  Circuit circuit;
  const Lit a = circuit.input(), b = circuit.input(), c = circuit.input();
  const Lit firing1 = circuit.conjunction({a, b});
  const Lit firing2 = circuit.conjunction({b, c});
  const Lit fact = circuit.disjunction({firing1, firing2});
  Justifier justifier(circuit);
  const Lit clause[] = {-fact, firing1, firing2};
  EXPECT_TRUE(justifier.follows(clause, {}));
  const Lit too_short[] = {-fact, firing1};
  EXPECT_FALSE(justifier.follows(too_short, {}));
}

// example: src/verify/lines.h
TEST(VerifyExamples, ReadingLines) {
  constexpr int64_t most = 10;
  const std::string text = "v 7 \nother\n";
  int64_t number = 0;
  int others = 0;
  Lines lines("clauses.txt", text);
  while (lines.next()) {
    if (lines.skip("v ")) number = lines.integer(1, most);
    if (lines.skip("other")) ++others;
  }
  EXPECT_EQ(number, 7);
  EXPECT_EQ(others, 1);
}

// example: src/verify/proof.h
TEST(VerifyExamples, AProof) {
  Proof proof;
  proof.add_variable();
  proof.add_variable();
  proof.add({1, -2});
  proof.add({-1, -2});
  proof.add({2, 1});
  proof.add({2, -1});
  proof.check("-2 0\nd 1 -2 0\n0\n");
  EXPECT_EQ(proof.lemmas(), 1U);  // nothing is left to prove after it
}

// example: src/verify/propagator.h
TEST(VerifyExamples, UnitPropagation) {
  Propagator clauses;
  Lit a = clauses.new_variable(), b = clauses.new_variable();
  clauses.add({-a, b});
  size_t before = clauses.mark();
  EXPECT_TRUE(clauses.assume(a));
  EXPECT_EQ(clauses.value(b), 1);
  EXPECT_FALSE(clauses.assume(-b));
  clauses.undo(before);
  EXPECT_EQ(clauses.value(b), 0);
}

}  // namespace
}  // namespace clew::verify
