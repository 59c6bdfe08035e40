#include "twin/confirm.h"

#include <gtest/gtest.h>

#include "dedalus/parse.h"
#include "tests/twins/language_cases.h"

namespace clew::twin {
namespace {

NaiveRun run_that(Outcome::Kind kind) {
  NaiveRun run;
  run.outcomes.emplace_back().kind = kind;
  return run;
}

TEST(Confirm, TheSameEnd) {
  const Scenario scenario = twins::scenario_of("a b, eot 3, drop a>b@1");
  EXPECT_EQ(confirm(run_that(Outcome::Kind::kViolated), scenario), Confirmation::kConfirmed);
}

TEST(Confirm, ARunThatWasGivenUp) {
  NaiveRun run = run_that(Outcome::Kind::kHolds);
  run.gave_up = true;
  EXPECT_EQ(confirm(run, twins::scenario_of("a")), Confirmation::kTooLarge);
}

TEST(ConfirmDeathTest, AnotherEnd) {
  const Scenario scenario = twins::scenario_of("a b, eot 3, drop a>b@1");
  for (const Outcome::Kind kind : {Outcome::Kind::kHolds, Outcome::Kind::kVacuous}) {
    EXPECT_EXIT(confirm(run_that(kind), scenario), testing::ExitedWithCode(1),
                "the twin disagrees about drop a>b@1");
  }
}

TEST(ConfirmDeathTest, ARuleThatFails) {
  NaiveRun run = run_that(Outcome::Kind::kViolated);
  run.failed_at = 2;
  EXPECT_EXIT(confirm(run, twins::scenario_of("a b, eot 3, crash a@1")), testing::ExitedWithCode(1),
              "the twin disagrees about crash a@1: a rule fails at tick 2");
}

// From the program to the CHECK: somebody claims that losing the first of two pings is enough.
TEST(ConfirmDeathTest, AClaimThatIsWrong) {
  SourceSet sources;
  Diagnostics diagnostics;
  const FileId file = sources.add("test.ded", R"(
    go("a")@1; go("a")@next :- go("a"); ping("b")@async :- go("a");
    peer("b")@3; pre(N) :- peer(N); post(N) :- ping(N);
  )");
  const std::vector<dedalus::File> files = {dedalus::parse(file, sources, diagnostics)};
  const auto program = dedalus::check_program(files, diagnostics);
  ASSERT_TRUE(program) << diagnostics.render(sources);
  const Scenario right = twins::scenario_of("a b, eot 3, drop a>b@2");
  EXPECT_EQ(confirm(naive_run(*program, right), right), Confirmation::kConfirmed);
  const Scenario wrong = twins::scenario_of("a b, eot 3, drop a>b@1");
  EXPECT_EXIT(confirm(naive_run(*program, wrong), wrong), testing::ExitedWithCode(1),
              "the twin disagrees about drop a>b@1");
}

}  // namespace
}  // namespace clew::twin
