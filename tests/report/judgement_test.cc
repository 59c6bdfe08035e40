#include "report/judgement.h"

#include <gtest/gtest.h>

#include "tests/report/run_builder.h"

namespace clew::report {
namespace {

struct Judged {
  Run run;
  std::string text;
};

const std::vector<Judged> kJudged = {
    {RunBuilder("a", 4).outcome(Outcome::Kind::kViolated,
                                {{{"pre", {"b", "data"}}, true}, {{"pre", {"c", "data"}}, false}}),
     R"(
At tick 4, the last:
  in post      pre("b", "data")
  not in post  pre("c", "data")
violated: 1 of 2 tuples of pre is not in post
)"},
    {RunBuilder("a", 1).outcome(Outcome::Kind::kViolated, {{{"pre", {}}, false}}),
     R"(
At tick 1, the last:
  not in post  pre()
violated: 1 of 1 tuple of pre is not in post
)"},
    {RunBuilder("a", 1).outcome(Outcome::Kind::kViolated,
                                {{{"pre", {int64_t{1}}}, false}, {{"pre", {"\t"}}, false}}),
     R"(
At tick 1, the last:
  not in post  pre(1)
  not in post  pre(" ")
violated: 2 of 2 tuples of pre are not in post
)"},
    {RunBuilder("a", 4).outcome(Outcome::Kind::kHolds, {{{"pre", {"data"}}, true}}),
     R"(
At tick 4, the last:
  in post      pre("data")
holds: the tuple of pre is in post
)"},
    {RunBuilder("a", 4).outcome(Outcome::Kind::kHolds,
                                {{{"pre", {"a"}}, true}, {{"pre", {"b"}}, true}}),
     R"(
At tick 4, the last:
  in post      pre("a")
  in post      pre("b")
holds: all 2 tuples of pre are in post
)"},
    {RunBuilder("a", 4).outcome(Outcome::Kind::kVacuous),
     R"(
vacuous: pre is empty at tick 4, the last, so there was nothing to keep;
  end the run later (--eot), or see with --relation pre when pre holds
)"},
    {RunBuilder("a", 4).outcome(Outcome::Kind::kVacuous, {}, false),
     R"(
vacuous: the program does not define pre, so there is nothing to keep;
  say what must hold with rules such as
    pre(X) :- log(_, X);     // whenever this is true at the last tick,
    post(X) :- log("b", X);  // this must be true as well
)"},
};

TEST(Judgement, Texts) {
  for (const Judged& one : kJudged) EXPECT_EQ('\n' + judgement(one.run), one.text);
}

TEST(JudgementDeathTest, AnOutcomeThatContradictsItselfIsABug) {
  const clew::Run run =
      RunBuilder("a", 4).outcome(Outcome::Kind::kHolds, {{{"pre", {"a"}}, false}});
  EXPECT_EXIT(judgement(run), testing::ExitedWithCode(1), "1 missing although the spec holds");
}

}  // namespace
}  // namespace clew::report
