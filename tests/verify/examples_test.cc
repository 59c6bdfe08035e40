// The examples at the top of the headers, as code (tools/check_examples.py compares them).
#include <gtest/gtest.h>

#include "tests/verify/reference_writer.h"
#include "verify/applies.h"
#include "verify/circuit.h"
#include "verify/ground.h"
#include "verify/justify.h"
#include "verify/lines.h"
#include "verify/match.h"
#include "verify/proof.h"
#include "verify/propagator.h"
#include "verify/verify.h"

namespace clew::verify {
namespace {

// example: src/verify/applies.h
TEST(VerifyExamples, WhenAPromiseApplies) {
  const auto program = parse_program(R"(
      go("a", "b")@1; late("b")@3; log(Y)@async :- go(X, Y);
      pre(X) :- late(X), notin log(X)@2; post(X) :- late(X);)");
  ASSERT_TRUE(program);
  const Claim claim{&*program, {.nodes = {"a", "b"}, .eot = 3, .eff = 2, .crashes = 0}};
  Circuit circuit;
  Grounding grounding(claim, circuit);
  Applies applies = when_applies(grounding, circuit);
  EXPECT_EQ(applies.without_faults, 0U);
  EXPECT_EQ(applies.faults, FaultSet{*parse_omission("a>b@1")});
}

// example: src/verify/circuit.h
TEST(VerifyExamples, ACircuit) {
  Circuit circuit;
  Lit lost = circuit.input(), crashed = circuit.input();
  Lit heard = circuit.conjunction({-lost, -crashed});
  EXPECT_TRUE(circuit.conjunction({-crashed, -lost}) == heard);
  EXPECT_TRUE(circuit.disjunction({lost, crashed}) == -heard);
}

// example: src/verify/ground.h
TEST(VerifyExamples, AGrounding) {
  const auto program = parse_program(R"(
      bcast("a", "data")@1; log("b", D)@async :- bcast(X, D); log(X, D)@next :- log(X, D);)");
  ASSERT_TRUE(program);
  const Claim claim{&*program, {.nodes = {"a", "b"}, .eot = 4, .eff = 2, .crashes = 0}};
  Circuit circuit;
  Grounding grounding(claim, circuit);
  RelationIndex log = claim.program->relation_index.at("log");
  const Lit heard = grounding.fact(log, 3, {"b", "data"});
  EXPECT_EQ(heard, -grounding.omission("a", "b", 1));
  EXPECT_EQ(grounding.fact(log, 3, {"a", "data"}), kFalse);
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

// example: src/verify/match.h
TEST(VerifyExamples, MatchingABody) {
  const auto program = parse_program("p(\"a\", 1)@1; q(X, N) :- p(X, N), N > 1;");
  ASSERT_TRUE(program);
  const Claim claim{&*program, {.nodes = {"a"}, .eot = 2}};
  Circuit circuit;
  Values values;
  Facts facts(*program);
  Faults faults(claim, circuit);
  const Rule rule = compile(*program, 0, values);
  const Tick tick = 1;
  for (int64_t number : {1, 2, 3}) {
    const Tuple tuple{values.intern("a"), values.intern(number)};
    facts.at(facts.add(program->relation_index.at("p"), tick, tuple)).lit = kTrue;
  }
  std::string heads;
  Matcher matcher(facts, faults, values);
  matcher.all(rule, tick, [&](const Match& match) { heads += values.print(match.head); });
  EXPECT_EQ(heads, "(\"a\", 2)(\"a\", 3)");
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

// example: src/verify/verify.h
TEST(VerifyExamples, ACertificate) {
  const auto parsed =
      parse_program("p(\"a\")@1; p(X)@next :- p(X); pre(X) :- p(X); post(X) :- p(X);");
  ASSERT_TRUE(parsed);
  const dedalus::Program& program = *parsed;
  Claim claim{&program, {.nodes = {"a", "b"}, .eot = 6, .eff = 4, .crashes = 1}};
  const std::optional<Written> written = write_certificate(program, claim.model);
  ASSERT_TRUE(written);
  const auto [variables, clauses] = written->announced;
  const std::string &clauses_text = written->clauses, &proof_text = written->proof;
  Verification result = verify(claim, {variables, clauses}, clauses_text, proof_text);
  if (result.refusal) {
    FAIL() << to_string(*result.refusal);
  }
  EXPECT_EQ(result.clauses, clauses);
}

}  // namespace
}  // namespace clew::verify
