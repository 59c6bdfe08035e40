// What a promise covers, and what is told of that when there is no time to look at all of it.
#include "check/coverage.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <climits>
#include <filesystem>

#include "base/files.h"

namespace clew::check {
namespace {

ProgramInput input_of(const std::string& program) {
  const std::string path = testing::TempDir() + fmt::format("clew_coverage_{}.ded", getpid());
  EXPECT_TRUE(write_file_atomically(path, program).ok());
  std::optional<ProgramInput> input = read_program({path});
  std::filesystem::remove(path);
  return std::move(*input);
}

// Four nodes send to h at three ticks, and each message that arrives takes its sender to a hole.
// One rule always applies, one only if messages are lost, and one never: that all are in holes of
// their own. That takes a search to see.
constexpr const char* kProgram = R"(
dove("a")@1; dove("b")@1; dove("c")@1; dove("d")@1;
go(N, 1) :- dove(N); go(N, T + 1)@next :- go(N, T);
fly("h", N, T)@async :- go(N, T);
sits(H, N, T) :- fly(H, N, T); sits(H, N, T)@next :- sits(H, N, T);
home("h", "a")@4; home("h", "b")@4; home("h", "c")@4; home("h", "d")@4;
shared(H) :- sits(H, N, T), sits(H, M, T), N != M;
lost(H) :- home(H, N), notin sits(H, N, _);
pre(H, "always") :- home(H, _);
pre(H, "lost") :- lost(H);
pre(H, "never") :- home(H, _), notin lost(H), notin shared(H);
post(H, X) :- pre(H, X);
)";

report::Coverage cover_until(const ProgramInput& input, const FaultModel& model, int most,
                             int& asked) {
  asked = 0;
  const Stop stop = [&] { return ++asked > most; };
  return cover(input, model, stop);
}

TEST(Coverage, WhatAppliesUnderFaultsOnly) {
  const ProgramInput input = input_of(kProgram);
  const FaultModel model{.nodes = {"a", "b", "c", "d", "h"}, .eot = 4, .eff = 4, .crashes = 0};
  int asked = 0;
  const report::Coverage all = cover_until(input, model, INT_MAX, asked);
  EXPECT_EQ(all.without_faults, 1U);
  EXPECT_EQ(all.in_any_run, 2U);
  EXPECT_TRUE(all.counted_all && all.known);
  ASSERT_EQ(all.never.size(), 1U);
  EXPECT_TRUE(all.never.front().ends_with(".ded:11")) << all.never.front();
}

TEST(Coverage, StoppedAnywhereItSaysWhatItDoesNotKnow) {
  const ProgramInput input = input_of(kProgram);
  const FaultModel model{.nodes = {"a", "b", "c", "d", "h"}, .eot = 4, .eff = 4, .crashes = 0};
  int times = 0;
  const report::Coverage all = cover_until(input, model, INT_MAX, times);
  ASSERT_GT(times, 0);
  size_t unknown = 0;
  for (int most = 0; most < times; ++most) {
    int asked = 0;
    const report::Coverage some = cover_until(input, model, most, asked);
    EXPECT_LE(some.in_any_run, all.in_any_run) << most;
    EXPECT_TRUE(!some.counted_all || some.in_any_run == all.in_any_run) << most;
    EXPECT_TRUE(some.never == all.never || (some.never.empty() && !some.known)) << most;
    unknown += some.known ? 0 : 1;
  }
  EXPECT_GT(unknown, 0U);
}

// The first run alone takes so long that it is stopped.
TEST(Coverage, StoppedBeforeTheFirstRunIsOverItKnowsNothing) {
  std::string text = "three(N) :- e(N, X), e(N, Y), e(N, Z), X + Y + Z < 0;\n";
  text += "pre(N) :- e(N, 1); post(N) :- e(N, 1), notin three(N);\n";
  for (int i = 0; i < 60; ++i) text += fmt::format("e(\"a\", {})@1;", i);
  const FaultModel model{.nodes = {"a"}, .eot = 1, .eff = 0, .crashes = 0};
  int asked = 0;
  const report::Coverage none = cover_until(input_of(text), model, 0, asked);
  EXPECT_EQ(none.without_faults, 0U);
  EXPECT_FALSE(none.counted_all || none.known);
  EXPECT_TRUE(none.never.empty());
  EXPECT_EQ(cover_until(input_of(text), model, INT_MAX, asked).without_faults, 1U);
}

}  // namespace
}  // namespace clew::check
