// The twin is the definition that the engine is held against, so it is itself held against tables
// worked out by hand.
#include "twin/naive_simulator.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dedalus/parse.h"
#include "tests/twins/language_cases.h"

namespace clew::twin {
namespace {

// What the failing expressions are, in place of facts.
std::string describe_failures(const NaiveRun& run, const SourceSet& sources) {
  std::string result = fmt::format("failed at {}:", *run.failed_at);
  for (const Failure& failure : run.failures) {
    result += fmt::format(" {} in `{}`", failure.code, sources.text(failure.span));
  }
  return result + "\n";
}

std::string describe(const NaiveRun& run, const SourceSet& sources) {
  std::string result;
  for (size_t i = 0; i < run.facts.size(); ++i) {
    result += fmt::format("{}:", i + 1);
    for (const Fact& fact : run.facts[i]) result += " " + to_string(fact);
    result += "\n";
  }
  for (const Message& message : run.messages) {
    result += fmt::format("{}>{}@{} {} {}\n", message.from, message.to, message.sent_at,
                          to_string(message.fact), to_string(message.fate));
  }
  for (const std::string& name : run.stray) result += "stray " + name + "\n";
  if (run.failed_at) return result + describe_failures(run, sources);
  if (run.outcome().defines_pre) result += std::string(to_string(run.outcome().kind)) + "\n";
  return result;
}

using twins::LanguageCase;

std::string run_case(const LanguageCase& test) {
  SourceSet sources;
  Diagnostics diagnostics;
  const FileId file = sources.add("test.ded", test.program);
  const std::vector<dedalus::File> files = {dedalus::parse(file, sources, diagnostics)};
  const auto program = dedalus::check_program(files, diagnostics);
  if (!program) return diagnostics.render(sources);
  return "\n" + describe(naive_run(*program, twins::scenario_of(test.world)), sources);
}

class NaiveSimulatorTest : public testing::TestWithParam<LanguageCase> {};

TEST_P(NaiveSimulatorTest, AgreesWithTheTable) {
  EXPECT_EQ(run_case(GetParam()), GetParam().expected) << GetParam().program;
}

std::string case_name(const testing::TestParamInfo<LanguageCase>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Language, NaiveSimulatorTest, testing::ValuesIn(twins::language_cases()),
                         case_name);

// example: src/twin/naive_simulator.h
TEST(NaiveSimulator, TheExampleOfTheHeader) {
  SourceSet sources;
  Diagnostics diagnostics;
  const FileId file = sources.add("test.ded", R"(p("a")@1; q(X)@next :- p(X);)");
  const auto checked =
      dedalus::check_program({dedalus::parse(file, sources, diagnostics)}, diagnostics);
  ASSERT_TRUE(checked) << diagnostics.render(sources);
  const dedalus::Program& program = *checked;
  const Scenario scenario = twins::scenario_of("a, eot 2");
  constexpr size_t t = 2;
  std::string facts;
  NaiveRun run = naive_run(program, scenario);
  for (const Fact& fact : run.facts[t - 1]) facts += to_string(fact);
  EXPECT_EQ(facts, "q(\"a\")");
  NaiveRun end = naive_run(program, scenario, kOnlyTheOutcome);
  EXPECT_EQ(end.outcome().kind, run.outcome().kind);
  EXPECT_TRUE(end.facts.empty());
}

// A run that would not end is given up, not waited for.
TEST(NaiveSimulator, GivesUpOnRunaways) {
  SourceSet sources;
  Diagnostics diagnostics;
  const FileId file = sources.add("test.ded", R"(n("a", 0)@1; n(X, Y + 1) :- n(X, Y);)");
  const std::vector<dedalus::File> files = {dedalus::parse(file, sources, diagnostics)};
  const auto program = dedalus::check_program(files, diagnostics);
  ASSERT_TRUE(program) << diagnostics.render(sources);
  EXPECT_TRUE(naive_run(*program, twins::scenario_of("a"), {.most_steps = 10'000}).gave_up);
  NaiveOptions options = kOnlyTheOutcome;
  options.stop = [asked = 0]() mutable { return ++asked > 3; };
  EXPECT_THROW(naive_run(*program, twins::scenario_of("a"), options), Stopped);
}

// Who only wants the outcome gets the one of the whole run, though most of the past is forgotten.
TEST(NaiveSimulator, TheOutcomeAlone) {
  for (const LanguageCase& test : twins::language_cases()) {
    SCOPED_TRACE(test.name);
    SourceSet sources;
    Diagnostics diagnostics;
    const FileId file = sources.add("test.ded", test.program);
    const auto program =
        dedalus::check_program({dedalus::parse(file, sources, diagnostics)}, diagnostics);
    ASSERT_TRUE(program) << diagnostics.render(sources);
    const NaiveRun whole = naive_run(*program, twins::scenario_of(test.world));
    const NaiveRun end = naive_run(*program, twins::scenario_of(test.world), kOnlyTheOutcome);
    EXPECT_EQ(end.failed_at, whole.failed_at);
    EXPECT_EQ(end.failures, whole.failures);
    if (end.failed_at) continue;
    EXPECT_EQ(end.outcome().kind, whole.outcome().kind);
    EXPECT_EQ(end.outcome().goals.size(), whole.outcome().goals.size());
  }
}

TEST(NaiveSimulator, EveryPromiseIsJudged) {
  SourceSet sources;
  Diagnostics diagnostics;
  const FileId file = sources.add("test.ded", R"(
    p("a", 1)@1; p("a", 2)@2; q("a", 2)@2;
    promise last: p(X, N) implies q(X, N);
    always all: p(X, N) implies q(X, N);
    promise none: r(X) implies q(X, _);
    never two: p(X, 2);
  )");
  const auto program =
      dedalus::check_program({dedalus::parse(file, sources, diagnostics)}, diagnostics);
  ASSERT_TRUE(program) << diagnostics.render(sources);
  std::string judged;
  for (const Outcome& outcome : naive_run(*program, twins::scenario_of("a, eot 2")).outcomes) {
    judged +=
        fmt::format("{} {} {}\n", outcome.spec, to_string(outcome.kind), outcome.goals.size());
  }
  EXPECT_EQ(judged, "last holds 1\nall violated 2\nnone vacuous 0\ntwo violated 1\n");
}

// A thousand facts joined four times: without looking them up it would take until tomorrow.
TEST(NaiveSimulator, LooksUpWhatItJoins) {
  SourceSet sources;
  Diagnostics diagnostics;
  std::string text = "pre(A) :- e(A, _); post(A) :- e(A, B), e(B, C), e(C, D), e(D, E), A != E;";
  for (int i = 0; i < 1000; ++i) text += fmt::format("e({}, {})@1;", i, (i + 1) % 1000);
  const FileId file = sources.add("test.ded", text);
  const auto program =
      dedalus::check_program({dedalus::parse(file, sources, diagnostics)}, diagnostics);
  ASSERT_TRUE(program) << diagnostics.render(sources);
  NaiveRun run = naive_run(*program, twins::scenario_of("a"), {.most_steps = 20'000});
  EXPECT_FALSE(run.gave_up);
}

}  // namespace
}  // namespace clew::twin
