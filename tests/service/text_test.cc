// What a campaign tells people and programs, of simulated targets.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "service/exports.h"
#include "service/page.h"
#include "service/session.h"
#include "service/story.h"
#include "service/tell.h"
#include "tests/service/fake_target.h"

namespace clew::service {
namespace {

using nlohmann::json;

Report report_of(const FakeTarget& fake, uint32_t most_failures = 1,
                 std::optional<size_t> stops_after = {}) {
  FakeRunner runner(fake, 1, 1);
  runner.stops_after = stops_after;
  FakeJudging judging(fake.promises);
  const check::Budget budget(std::chrono::minutes(10));
  Session session({.target = target_of(fake, most_failures), .lineage = false}, runner, judging, {},
                  budget);
  Result<Report> report = session.run();
  EXPECT_TRUE(report.ok()) << report.error().message;
  return *std::move(report);
}

FakeTarget broken_target() {
  return {.steps = {{.point = "log"}, {.point = "img"}}, .bugs = {{.failures = {"EIO@img"}}}};
}

FakeTarget sound_target() { return {.steps = {{.point = "log"}}}; }

size_t count_of(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(Text, Violated) {
  EXPECT_EQ(to_text(report_of(broken_target())), R"(violated: "p0" by 1 cause
  points        2 failure points, 2 stable; 6 failure ids
  1 failure     6 tried, 1 violates
  "p0": applied to 14 runs, violated in 6
  runs          14, 3 without failures

cause 1 of 1: "p0" violated in 5 of 5 runs
  n: pwrite64 fails with EIO (img), at img (fake.cc:1) [EIO@f5f536e4]

what happened:
      1    n      starts
      2    n      pwrite64 log, 0 bytes
      3 x  n      pwrite64 fails with EIO (img)
      5    check  starts
      7    n      tells violated(0)
)");
}

TEST(Text, NothingFound) {
  EXPECT_EQ(to_text(report_of(sound_target())),
            R"(nothing found: no promise is violated in 3 combinations, at most 1 failure in a
  run
  points        1 failure point, 1 stable; 3 failure ids
  1 failure     3 tried
  "p0": applied to 6 runs, held in all
  runs          6, 3 without failures
)");
}

TEST(Text, EndedBeforeAllWasTried) {
  const Report report = report_of(sound_target(), 1, 4);
  ASSERT_EQ(report.kind, Report::Kind::kBudget);
  const std::string text = to_text(report);
  EXPECT_TRUE(text.starts_with("unknown: nothing is violated in 1 combination")) << text;
  EXPECT_NE(text.find("1 tried, 2 left"), std::string::npos) << text;
  EXPECT_NE(text.find("2 combinations known and not tried"), std::string::npos) << text;
}

TEST(Text, Vacuous) {
  FakeTarget fake = sound_target();
  fake.vacuous = {0};
  const Report report = report_of(fake);
  ASSERT_EQ(report.kind, Report::Kind::kVacuous);
  EXPECT_TRUE(
      to_text(report).starts_with("vacuous: \"p0\" applied to no run, so nothing was promised\n"));
  ASSERT_TRUE(nothing_said(report));
  EXPECT_FALSE(nothing_said(report)->remedy.empty());
}

TEST(Text, PromisesThatApplyOnlyWithoutFailuresAreVacuous) {
  Report report = report_of(sound_target());
  EXPECT_GT(report.promises[0].tested, 0U);
  report.promises[0].tested = 0;
  report.kind = Report::Kind::kVacuous;
  EXPECT_NE(to_text(report).find("in none of which a failure struck"), std::string::npos);
  EXPECT_TRUE(nothing_said(report)->message.starts_with(
      "\"p0\" applied to no run in which a failure struck"));
}

TEST(Text, Points) {
  EXPECT_EQ(points_text(report_of(broken_target())), R"(2 failure points, 2 stable; 6 failure ids
f9dca7ef  n: pwrite64 log
          at log (fake.cc:1); 1 time; 3 failure ids
f5f536e4  n: pwrite64 img
          at img (fake.cc:1); 1 time; 3 failure ids
)");
}

TEST(Text, PointsThatAreNotStable) {
  FakeTarget fake = sound_target();
  fake.steps.push_back({.point = "now and then", .fickle = 0.5});
  const std::string text = points_text(report_of(fake));
  EXPECT_NE(text.find("\nnot stable: "), std::string::npos) << text;
  EXPECT_NE(text.find("0 to 1 times"), std::string::npos) << text;
}

TEST(Text, OfAReplay) {
  Report report = report_of(broken_target());
  EXPECT_TRUE(replay_text(report).starts_with("violated: \"p0\" violated in 5 of 5 runs\n"));
  report.kind = Report::Kind::kNothing;
  report.groups[0].violated = 0;
  EXPECT_TRUE(replay_text(report).starts_with("holds: \"p0\" violated in 0 of 5 runs\n"));
  report.kind = Report::Kind::kNoPoint;
  EXPECT_TRUE(replay_text(report).starts_with("not reached: "));
}

TEST(Text, ACauseThatIsLikeAnother) {
  FakeTarget fake = broken_target();
  fake.bugs.push_back({.failures = {"crash-after@img"}});
  const Report report = report_of(fake);
  ASSERT_EQ(report.groups.size(), 2U);
  EXPECT_FALSE(report.groups[0].like.has_value());
  EXPECT_EQ(report.groups[1].like, std::optional<size_t>(0));
  const std::string line = "\n  like cause 1: the same is violated, by failures at the same node\n";
  const std::string text = to_text(report);
  EXPECT_EQ(count_of(text, line), 1U) << text;
  const json found = json::parse(to_json(report));
  EXPECT_EQ(found["groups"][1]["like"], 1);
  EXPECT_FALSE(found["groups"][0].contains("like"));
}

TEST(Text, Json) {
  const json found = json::parse(to_json(report_of(broken_target())));
  EXPECT_EQ(found["verdict"], "violated");
  EXPECT_EQ(found["groups"][0]["failures"][0]["failure"], "EIO@f5f536e4");
  EXPECT_EQ(found["groups"][0]["happened"][2]["kind"], "failure");
  EXPECT_EQ(found["counts"][0]["violating"], 1);
}

TEST(Text, JunitHasACaseForEachPromise) {
  FakeTarget fake = broken_target();
  fake.promises = 2;
  const std::string text = junit(report_of(fake));
  EXPECT_EQ(count_of(text, "<testcase "), 2U) << text;
  EXPECT_EQ(count_of(text, "<failure type=\"violated\""), 1U) << text;
  EXPECT_NE(text.find("tests=\"2\" failures=\"1\" errors=\"0\""), std::string::npos) << text;
}

TEST(Text, JunitOfWhatIsUnknownIsAnError) {
  const std::string text = junit(report_of(sound_target(), 1, 4));
  EXPECT_NE(text.find("<error type=\"unknown\""), std::string::npos) << text;
  EXPECT_NE(text.find("failures=\"0\" errors=\"1\""), std::string::npos) << text;
}

TEST(Text, SarifPointsAtTheSource) {
  const json log = json::parse(sarif(report_of(broken_target()), "/"));
  const json& result = log["runs"][0]["results"][0];
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "fake.cc");
  EXPECT_EQ(result["codeFlows"][0]["threadFlows"][0]["locations"].size(), 5U);
  const json unknown = json::parse(sarif(report_of(sound_target(), 1, 4), "/"));
  EXPECT_TRUE(unknown["runs"][0]["results"].empty());
  EXPECT_EQ(unknown["runs"][0]["invocations"][0]["toolExecutionNotifications"].size(), 1U);
}

TEST(Text, PageData) {
  Report report = report_of(broken_target());
  report.groups[0].observed->happenings.emplace_back(inject::Line{"n", "</script>"});
  const std::string text = page_data(report);
  EXPECT_EQ(text.find("</script>"), std::string::npos);
  const json data = json::parse(text);
  EXPECT_EQ(data["counts"][0], json::array({1, 6, 1, 0, 0, 0, 0}));
  ASSERT_EQ(data["runs"].size(), 1U);
  EXPECT_TRUE(data["runs"][0]["steps"][2]["fault"]);
  EXPECT_EQ(data["runs"][0]["start"].size(), data["nodes"].size());
}

TEST(Story, InShortKeepsWhatStruckAndWhatLedToIt) {
  std::vector<Moment> all;
  for (uint32_t i = 1; i <= 100; ++i) all.push_back({.at = i, .who = "a", .what = "write"});
  all[49].kind = Moment::Kind::kFailure;
  all[98].kind = Moment::Kind::kLine;
  std::vector<uint32_t> numbers;
  for (const Moment& one : in_short(all, 10)) numbers.push_back(one.at);
  EXPECT_EQ(numbers, (std::vector<uint32_t>{48, 49, 50, 99}));
  numbers.clear();
  for (const Moment& one : around(all, 6)) numbers.push_back(one.at);
  EXPECT_EQ(numbers, (std::vector<uint32_t>{48, 49, 50, 51, 52, 99}));
}

}  // namespace
}  // namespace clew::service
