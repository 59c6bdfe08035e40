// Wherever it is stopped, it ends without an answer; and being watched changes nothing.
#include <gtest/gtest.h>

#include "tests/base/interrupted.h"
#include "tests/verify/reference_writer.h"
#include "verify/verify.h"

namespace clew::verify {
namespace {

TEST(VerifyStopped, NeverGivesAnAnswerTooEarly) {
  const auto program = parse_program(R"(
go("a", "b")@1; again("a", "b")@next :- go("a", "b");
log(Y)@async :- go(X, Y); log(Y)@async :- again(X, Y); log(Y)@next :- log(Y);
n(count<Y>) :- log(Y), notin go(Y, Y);
pre("x") :- go("a", "b")@1; post("x") :- log("b");)");
  ASSERT_TRUE(program);
  const FaultModel model{{"a", "b"}, 5, 2, 0, CrashModel::kSilent};
  const auto written = write_certificate(*program, model);
  ASSERT_TRUE(written);
  const auto work = [&] {
    const Verification seen =
        verify({&*program, model}, written->announced, written->clauses, written->proof);
    EXPECT_FALSE(seen.refusal) << to_string(*seen.refusal);
    return std::tuple(seen.facts, seen.clauses, seen.lemmas);
  };
  EXPECT_EQ(interrupt_everywhere(work, 60), work());
}

}  // namespace
}  // namespace clew::verify
