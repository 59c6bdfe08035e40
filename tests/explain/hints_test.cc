// Hints: which redundancy is missing, and when none is.
#include "explain/hints.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "explain/explain.h"
#include "tests/lineage/runs.h"

namespace clew::explain {
namespace {

// "time: ..." one per line, without the places.
std::string hints_of(const std::string& program, const std::string& world) {
  const lineage::Sample sample(program);
  const std::optional<Run> bad = sample.run(world);
  EXPECT_TRUE(bad);
  EXPECT_EQ(bad->outcome().kind, Outcome::Kind::kViolated) << world;
  const std::optional<Run> good = sample.run_without_faults(bad->scenario);
  EXPECT_EQ(good->outcome().kind, Outcome::Kind::kHolds) << world;
  const Explanation explanation = explain(*good, *bad, {&*sample.program, {}, &sample.sources});
  std::string text;
  for (const auto& hint : explanation.hints) {
    text += fmt::format("{}: {}\n", to_string(hint.kind), hint.text);
  }
  return text;
}

// b must have heard; a sends at tick 1, and again at tick 3 unless b has answered.
constexpr const char* kSender = R"(
  go("a")@1;
  clock("a", 1)@1; clock(N, T + 1)@next :- clock(N, T);
  ping("b")@async :- go("a");
  pinged(N)@next :- ping(N); pinged(N)@next :- pinged(N);
  pre(N) :- peer(N); post(N) :- pinged(N);
  peer("b")@5;
)";
constexpr const char* kRetry = R"(
  answer("a")@async :- ping("b");
  answered(N) :- answer(N); answered(N)@next :- answered(N);
  ping("b")@async :- clock("a", 3), notin answered("a");
)";

TEST(Hints, AMessageThatNobodyRepeats) {
  EXPECT_EQ(
      hints_of(kSender, "a b, eot 5, drop a>b@1"),
      "time: ping is sent only once, by a to b at tick 1: nothing repeats it if it is lost\n");
}

// Without faults it is sent once, too; under the faults it is repeated, and that is lost as well.
TEST(Hints, AMessageThatIsRepeatedWhenItIsLost) {
  const std::string retrying = std::string(kSender) + kRetry;
  EXPECT_EQ(hints_of(retrying, "a b, eot 5, drop a>b@1, drop a>b@3"), "");
}

// b needs all three, and none is repeated; two examples are enough to see what is missing.
TEST(Hints, TwoMessagesThatNobodyRepeatsAreEnough) {
  const char* program = R"(
  go("a")@1;
  one("b")@async :- go("a");
  two("b")@async :- go("a");
  six("b")@async :- go("a");
  heard(N)@next :- one(N), two(N), six(N); heard(N)@next :- heard(N);
  pre(N) :- peer(N); post(N) :- heard(N);
  peer("b")@5;
)";
  const std::string hints = hints_of(program, "a b, eot 5, drop a>b@1");
  EXPECT_EQ(std::ranges::count(hints, '\n'), 2) << hints;
  EXPECT_NE(hints.find("time: one is sent only once, by a to b at tick 1"), std::string::npos);
}

}  // namespace
}  // namespace clew::explain
