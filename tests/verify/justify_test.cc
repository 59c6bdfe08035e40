// What the Justifier says of random circuits, against trying all their inputs.
#include "verify/justify.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace clew::verify {
namespace {

constexpr int kInputs = 5;

struct RandomCircuit {
  Circuit circuit;
  std::vector<Lit> inputs;
  std::vector<Lit> all;  // inputs and gates

  Lit literal(Random& random) {
    const Lit lit = random.pick(all);
    return random.chance(0.5) ? lit : -lit;
  }

  explicit RandomCircuit(Random& random) {
    for (int i = 0; i < kInputs; ++i) inputs.push_back(circuit.input());
    all = inputs;
    for (uint64_t gates = random.uniform_below(12); gates > 0; --gates) {
      std::vector<Lit> parts;
      for (uint64_t n = 1 + random.uniform_below(4); n > 0; --n) parts.push_back(literal(random));
      if (random.chance(0.2)) {
        all.push_back(circuit.declare());
        circuit.define(all.back(), parts);
      } else {
        all.push_back(random.chance(0.5) ? circuit.conjunction(parts) : circuit.disjunction(parts));
      }
    }
  }

  // Whether some choice of inputs makes all of these true. Inputs decide everything.
  bool possible(const std::vector<Lit>& lits) {
    Propagator& clauses = circuit.clauses();
    bool found = false;
    for (uint32_t bits = 0; bits < (1U << kInputs) && !found; ++bits) {
      const size_t before = clauses.mark();
      bool fine = true;
      for (size_t i = 0; i < inputs.size(); ++i) {
        fine = fine && clauses.assume((bits >> i & 1U) != 0 ? inputs[i] : -inputs[i]);
      }
      found = fine && std::ranges::all_of(lits, [&](Lit lit) { return clauses.value(lit) == 1; });
      clauses.undo(before);
    }
    return found;
  }
};

TEST(Justifier, AgreesWithTryingAllInputs) {
  int follows = 0;
  int does_not = 0;
  for (uint64_t seed = 1; seed <= 10'000; ++seed) {
    Random random(seed);
    RandomCircuit circuit(random);
    Justifier justifier(circuit.circuit);
    for (int round = 0; round < 3; ++round) {
      std::vector<Lit> clause;
      std::vector<Lit> given;
      for (uint64_t n = 1 + random.uniform_below(3); n > 0; --n) {
        clause.push_back(circuit.literal(random));
      }
      if (random.chance(0.4)) given.push_back(circuit.literal(random));
      std::vector<Lit> denied = given;
      for (Lit lit : clause) denied.push_back(-lit);
      const bool expected = !circuit.possible(denied);
      ASSERT_EQ(justifier.follows(clause, given), expected) << "seed " << seed;
      (expected ? follows : does_not) += 1;
      // What follows by itself may be stated, and changes nothing but the speed.
      if (expected && given.empty()) circuit.circuit.require(clause);
    }
  }
  EXPECT_GT(follows, 3'000);
  EXPECT_GT(does_not, 3'000);
}

}  // namespace
}  // namespace clew::verify
