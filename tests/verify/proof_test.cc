// Proofs that hold, proofs that do not, and the speed at which they are told apart.
#include "verify/proof.h"

#include <gtest/gtest.h>

#include <chrono>

#include "base/random.h"
#include "tests/twins/effort.h"

namespace clew::verify {
namespace {

using Clauses = std::vector<std::vector<Lit>>;

std::string check(Lit variables, const Clauses& clauses, std::string_view text) {
  Proof proof;
  while (proof.variables() < variables) proof.add_variable();
  for (const std::vector<Lit>& clause : clauses) proof.add(clause);
  try {
    proof.check(text);
  } catch (const Refusal& refusal) {
    return to_string(refusal);
  }
  return "accepted";
}

const Clauses kAllOfTwo = {{1, 2}, {1, -2}, {-1, 2}, {-1, -2}};
const Clauses kThreeOfTwo = {{1, 2}, {1, -2}, {-1, 2}};

TEST(Proof, AcceptsLemmasThatFollow) {
  EXPECT_EQ(check(2, kAllOfTwo, "1 0\n0\n"), "accepted");
  EXPECT_EQ(check(2, kAllOfTwo, "1 0\n"), "accepted");
  EXPECT_EQ(check(2, kAllOfTwo, "\n1 0\n\n0"), "accepted");
  EXPECT_EQ(check(1, {{1}, {-1}}, ""), "accepted");
  EXPECT_EQ(check(1, {{}}, ""), "accepted");
}

TEST(Proof, RefusesLemmasThatDoNot) {
  EXPECT_EQ(check(2, kAllOfTwo, "0\n").substr(0, 25), "proof.drat:1: this lemma ");
  EXPECT_EQ(check(2, kThreeOfTwo, "1 0\n2 0\n0\n").substr(0, 25), "proof.drat:3: this lemma ");
  EXPECT_EQ(check(2, kThreeOfTwo, "1 0\n"), "proof.drat:1: the proof ends without a contradiction");
  EXPECT_EQ(check(2, kAllOfTwo, ""), "proof.drat: the proof ends without a contradiction");
}

TEST(Proof, AcceptsLemmasThatAreHarmlessOnTheirFirstLiteral) {
  // 3 occurs nowhere: it may be defined at will, here as 1 and 2.
  const std::string definition = "3 -1 -2 0\n-3 1 0\n-3 2 0\n";
  EXPECT_EQ(check(3, kAllOfTwo, definition + "1 0\n0\n"), "accepted");
  EXPECT_EQ(check(3, {{1, 2}, {-3, -1}}, "3 2 0\n").find("proof.drat:1: this lemma"), 0U);
}

TEST(Proof, ForgetsWhatIsDeleted) {
  EXPECT_EQ(check(2, kAllOfTwo, "d 2 1 0\n1 0\n").find("proof.drat:2: this lemma"), 0U);
  EXPECT_EQ(check(2, kAllOfTwo, "d 1 -1 2 0\n1 0\n"), "accepted") << "it was not there";
  EXPECT_EQ(check(2, {{1, 2}, {1, 2}, {1, -2}, {-1, 2}, {-1, -2}}, "d 1 2 0\n1 0\n"), "accepted")
      << "one of two copies is left";
}

// What was concluded from a clause is kept, so the clause must be kept: otherwise deleting it would
// make its opposite harmless, and anything could be proved.
TEST(Proof, KeepsTheReasonsOfWhatItKeeps) {
  EXPECT_NE(check(2, {{1}, {1, 2}}, "d 1 0\n-1 0\n0\n"), "accepted");
  EXPECT_NE(check(3, {{1}, {-1, 2}, {3, 2}}, "d -1 2 0\nd 1 0\n-2 0\n0\n"), "accepted");
}

// Whether some assignment satisfies the clauses, by trying all.
bool satisfiable(Lit variables, const Clauses& clauses) {
  for (uint32_t bits = 0; bits < (1U << static_cast<uint32_t>(variables)); ++bits) {
    const auto holds = [&](Lit lit) {
      const bool value = (bits >> static_cast<uint32_t>(std::abs(lit) - 1) & 1U) != 0;
      return value == (lit > 0);
    };
    const bool all = std::ranges::all_of(
        clauses, [&](const auto& clause) { return std::ranges::any_of(clause, holds); });
    if (all) return true;
  }
  return false;
}

std::vector<Lit> random_clause(Lit variables, Random& random) {
  std::vector<Lit> clause;
  for (uint64_t n = random.uniform_below(4); n > 0 || clause.empty(); n -= n > 0 ? 1 : 0) {
    const auto variable = static_cast<Lit>(random.uniform_in(1, variables));
    clause.push_back(random.chance(0.5) ? variable : -variable);
  }
  return clause;
}

// Random lemmas and deletions, of which the checker lets through what it likes.
TEST(Proof, NeverRefutesWhatIsSatisfiable) {
  constexpr Lit kVariables = 4;
  int refuted = 0;
  int tried = 0;
  for (uint64_t seed = 1; seed <= twins::effort(20'000); ++seed) {
    Random random(seed);
    Clauses clauses;
    for (uint64_t n = 2 + random.uniform_below(9); n > 0; --n) {
      clauses.push_back(random_clause(kVariables, random));
    }
    std::string proof;
    for (int step = 0; step < 12; ++step) {
      const bool deletes = random.chance(0.3);
      const auto lemma =
          deletes && random.chance(0.8) ? random.pick(clauses) : random_clause(kVariables, random);
      std::string line = deletes ? "d" : "";
      for (Lit lit : lemma) line += (line.empty() ? "" : " ") + std::to_string(lit);
      // A lemma that is refused is left out, and the next one tried.
      const std::string longer = proof + line + " 0\n";
      const std::string said = check(kVariables, clauses, longer);
      if (said.find("this lemma") == std::string::npos) proof = longer;
    }
    const bool accepted = check(kVariables, clauses, proof) == "accepted";
    refuted += accepted ? 1 : 0;
    ++tried;
    ASSERT_FALSE(accepted && satisfiable(kVariables, clauses)) << "seed " << seed << "\n" << proof;
  }
  EXPECT_GT(refuted, tried / 20);
}

// A chain of implications that has to be walked again for each lemma would take quadratic time.
TEST(Proof, ChecksAHundredThousandLemmasWithinSeconds) {
  constexpr Lit kVariables = 100'000;
  Proof proof;
  while (proof.variables() < kVariables) proof.add_variable();
  for (Lit i = 1; i + 2 <= kVariables; ++i) {
    proof.add({-i, -(i + 1), i + 2});
    proof.add({-i, i + 1, i + 2});
  }
  proof.add({kVariables, 1});
  std::string text;
  for (Lit i = 1; i + 2 <= kVariables; ++i) text += fmt::format("-{} {} 0\n", i, i + 2);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THROW(proof.check(text), Refusal) << "there is no contradiction in it";
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(proof.lemmas(), static_cast<size_t>(kVariables) - 2);
  EXPECT_LT(took.count(), 30);
}

}  // namespace
}  // namespace clew::verify
