// Whole campaigns on simulated targets.
#include "service/session.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/service/fake_target.h"

namespace clew::service {
namespace {

using std::chrono::seconds;

constexpr const char* kKinds[] = {"violated", "nothing", "budget", "vacuous", "no point"};

// All of a Report that does not depend on time.
std::string print(const Report& report, const FakeTarget& fake) {
  std::string text = fmt::format("{}, {} runs, {} ids\n", kKinds[static_cast<int>(report.kind)],
                                 report.runs, report.ids);
  for (const PointSeen& seen : report.points) {
    text += fmt::format("{} {} {}-{} {}\n", seen.point.object.name, seen.runs, seen.fewest,
                        seen.most, seen.ids);
  }
  for (const Report::Promise& promise : report.promises) {
    text += fmt::format("{} {} {}\n", promise.name, promise.applied, promise.violated);
  }
  for (const Count& count : report.counts) {
    text +=
        fmt::format("{}: {} tried, {} violating, {} covered, {} not reached, {} failed, {} left\n",
                    count.failures, count.tried, count.violating, count.covered, count.not_reached,
                    count.failed, count.left);
  }
  for (const Group& group : report.groups) {
    text += fmt::format("{} [{}]: {} of {}, {} alike, minimal {}, run {}\n",
                        in_names(group.plan, fake), fmt::join(group.promises, ","), group.violated,
                        group.replays, group.violations, group.minimal, group.observed.has_value());
    for (const inject::Plan& plan : group.alike) text += "  " + in_names(plan, fake) + "\n";
  }
  for (const inject::Warning& warning : report.warnings) text += warning.what + "\n";
  return text + report.why_ended + "\n";
}

struct Campaign {
  explicit Campaign(FakeTarget target, uint32_t most_failures = 2)
      : fake(std::move(target)), judging(fake.promises) {
    wanted.target = target_of(fake, most_failures);
    wanted.lineage = false;
  }

  Result<Report> run(size_t jobs = 1, std::optional<size_t> stops_after = {}) {
    FakeRunner runner(fake, jobs, jobs);
    runner.stops_after = stops_after;
    const check::Budget budget(seconds(60));
    Result<Report> report = Session(wanted, runner, judging, {}, budget).run();
    started = runner.started;
    return report;
  }
  std::string printed(size_t jobs = 1) { return print(*run(jobs), fake); }

  FakeTarget fake;
  FakeJudging judging;
  Wanted wanted{};
  std::vector<inject::Plan> started;
};

// A write, a rename whose error path writes something else, and a sync.
FakeTarget three_steps() {
  FakeTarget fake;
  fake.steps = {{.point = "log"},
                {.point = "name", .error_path = {{.point = "undo"}}, .gives_up = true},
                {.point = "end"}};
  return fake;
}

TEST(Session, TellsWhatWasTriedWhereNothingViolates) {
  EXPECT_EQ(Campaign(three_steps()).printed(),
            "nothing, 48 runs, 12 ids\n"
            "log 3 1-1 3\n"
            "name 3 1-1 3\n"
            "end 3 1-1 3\n"
            "undo 0 0-0 3\n"
            "p0 48 0\n"
            "1: 9 tried, 0 violating, 0 covered, 0 not reached, 0 failed, 0 left\n"
            "2: 27 tried, 0 violating, 3 covered, 0 not reached, 0 failed, 0 left\n"
            "\n");
}

TEST(Session, FindsTheCauseAndReplaysIt) {
  FakeTarget fake = three_steps();
  fake.bugs = {{.failures = {"crash-after@log"}}};
  Campaign campaign(fake);
  const Result<Report> report = campaign.run();
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->kind, Report::Kind::kViolated);
  ASSERT_EQ(report->groups.size(), 1U);
  const Group& group = report->groups[0];
  EXPECT_EQ(in_names(group.plan, fake), "crash-after@log");
  EXPECT_EQ(group.points[0].object.name, "log");
  EXPECT_EQ(group.promises, std::vector<std::string>{"p0"});
  EXPECT_TRUE(group.minimal);
  EXPECT_EQ(group.replays, 5U);
  EXPECT_EQ(group.violated, 5U);
  ASSERT_TRUE(group.observed.has_value());
  EXPECT_EQ(group.observed->reached, std::vector<uint32_t>{0});
  EXPECT_EQ(group.run->outcome().kind, Outcome::Kind::kViolated);
  EXPECT_EQ(group.scenario.target.failures, std::vector<std::string>{to_string(group.plan[0])});
  EXPECT_EQ(group.scenario.target.promise, "p0");
  EXPECT_TRUE(validate(group.scenario).ok());
  // It is there in every pair that includes it.
  EXPECT_EQ(group.violations, 1U + 6U);
  EXPECT_EQ(group.alike.size(), 6U);
  EXPECT_EQ(report->counts[1].violating, 6U);
}

// Each of two failures alone does nothing; one of them appears only after the other.
TEST(Session, APairIsOneCause) {
  FakeTarget fake = three_steps();
  fake.bugs = {{.failures = {"EIO@name", "crash-before@undo"}}};
  const Result<Report> report = Campaign(fake, 3).run();
  ASSERT_TRUE(report.ok());
  ASSERT_EQ(report->groups.size(), 1U);
  EXPECT_EQ(in_names(report->groups[0].plan, fake), "EIO@name, crash-before@undo");
  EXPECT_TRUE(report->groups[0].minimal);
}

// The same failures at another occurrence, or another error, are the same cause; another effect or
// point is another one.
TEST(Session, GroupsWhatDiffersInOccurrenceOrErrorOnly) {
  FakeTarget fake;
  fake.steps = {{.point = "a"}, {.point = "a"}, {.point = "b"}};
  fake.bugs = {{.failures = {"EIO@a"}},
               {.failures = {"EIO@a#2"}},
               {.failures = {"ENOSPC@a"}},
               {.failures = {"crash-after@a"}},
               {.failures = {"EIO@b"}}};
  Campaign campaign(fake, 1);
  campaign.wanted.target.kinds.errors = {EIO, ENOSPC};
  const Result<Report> report = campaign.run();
  ASSERT_TRUE(report.ok());
  ASSERT_EQ(report->groups.size(), 3U);
  EXPECT_EQ(report->groups[0].violations, 3U);
  EXPECT_EQ(in_names(report->groups[0].plan, fake), "EIO@a");
  EXPECT_EQ(in_names(report->groups[1].plan, fake), "crash-after@a");
  EXPECT_EQ(in_names(report->groups[2].plan, fake), "EIO@b");
}

// What violates another promise in more failures has a cause of its own.
TEST(Session, PromisesHaveCausesOfTheirOwn) {
  FakeTarget fake = three_steps();
  fake.promises = 2;
  fake.bugs = {{.failures = {"EIO@log"}, .promise = 0},
               {.failures = {"EIO@log", "EIO@end"}, .promise = 1}};
  const Result<Report> report = Campaign(fake).run();
  ASSERT_TRUE(report.ok());
  ASSERT_EQ(report->groups.size(), 2U);
  EXPECT_EQ(report->groups[0].promises, std::vector<std::string>{"p0"});
  EXPECT_EQ(in_names(report->groups[1].plan, fake), "EIO@end, EIO@log");
  EXPECT_EQ(report->groups[1].promises, std::vector<std::string>{"p1"});
  fake.bugs[1].failures = {"EIO@log"};
  const Result<Report> both = Campaign(fake).run();
  ASSERT_EQ(both->groups.size(), 1U);
  EXPECT_EQ(both->groups[0].promises, (std::vector<std::string>{"p0", "p1"}));
}

TEST(Session, SaysInHowManyOfFiveAFickleViolationCameBack) {
  FakeTarget fake;
  fake.steps = {{.point = "a"}};
  fake.bugs = {{.failures = {"EIO@a"}, .promise = 0, .fickle = 0.4}};
  size_t some = 0;
  for (uint32_t most = 1; most <= 2; ++most) {
    const Result<Report> report = Campaign(fake, most).run();
    ASSERT_TRUE(report.ok());
    if (report->groups.empty()) continue;
    EXPECT_EQ(report->groups[0].replays, 5U);
    EXPECT_GT(report->groups[0].violated, 0U);
    EXPECT_LT(report->groups[0].violated, 5U);
    ++some;
  }
  EXPECT_GT(some, 0U);
}

TEST(Session, AViolationWithoutFailuresEndsItFirst) {
  FakeTarget fake = three_steps();
  fake.bugs = {{}};
  Campaign campaign(fake);
  const Result<Report> report = campaign.run();
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->kind, Report::Kind::kViolated);
  ASSERT_EQ(report->groups.size(), 1U);
  EXPECT_TRUE(report->groups[0].plan.empty());
  EXPECT_EQ(report->groups[0].violated, 5U);
  EXPECT_TRUE(std::ranges::all_of(campaign.started, &inject::Plan::empty));
  EXPECT_EQ(campaign.started.size(), 8U);
}

TEST(Session, WhatDoesNotRunWithoutFailuresIsAnErrorWithARemedy) {
  FakeTarget fake = three_steps();
  for (const auto& [ending, message] :
       {std::pair(inject::Observed::Ending::kHung,
                  "without failures, fake.toml does not end within 10 s"),
        std::pair(inject::Observed::Ending::kCannotStart,
                  "fake.toml does not run without failures: n: no such file"),
        std::pair(inject::Observed::Ending::kFailed,
                  "fake.toml does not run without failures: no room")}) {
    fake.ending = ending;
    const Result<Report> report = Campaign(fake).run();
    ASSERT_FALSE(report.ok());
    EXPECT_EQ(report.error().message, message);
    EXPECT_FALSE(report.error().remedy.empty());
  }
}

TEST(Session, ARuleThatFailsIsAnError) {
  Campaign campaign(three_steps());
  campaign.judging.error = "division by zero";
  const Result<Report> report = campaign.run();
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().message, "division by zero");
}

TEST(Session, WhereNothingIsPromisedItIsVacuous) {
  FakeTarget fake = three_steps();
  fake.vacuous = {0};
  EXPECT_EQ(Campaign(fake).run()->kind, Report::Kind::kVacuous);
  fake.promises = 2;
  const Result<Report> one_applies = Campaign(fake).run();
  EXPECT_EQ(one_applies->kind, Report::Kind::kNothing);
  EXPECT_EQ(one_applies->promises[0].applied, 0U);
  EXPECT_GT(one_applies->promises[1].applied, 0U);
}

TEST(Session, WithoutAnyPointNothingIsClaimed) {
  Campaign campaign(three_steps());
  campaign.wanted.target.never = {{.node = "*"}};
  EXPECT_EQ(campaign.run()->kind, Report::Kind::kNoPoint);
  campaign.wanted.target.never = {{.object = "lo?"}, {.function = "name"}};
  const Result<Report> report = campaign.run();
  EXPECT_EQ(report->kind, Report::Kind::kNothing);
  ASSERT_EQ(report->points.size(), 1U);
  EXPECT_EQ(report->points[0].point.object.name, "end");
  campaign.wanted.target.never.clear();
  campaign.wanted.target.only = {{.call = "pwrite*", .object = "log"}};
  EXPECT_EQ(campaign.run()->points.size(), 1U);
}

// A point that comes by in every fourth run only.
TEST(Session, WhatWasNeverReachedIsRetriedAndCountedApart) {
  FakeTarget fake = three_steps();
  fake.steps.push_back({.point = "rare", .fickle = 0.8});
  Campaign campaign(fake, 1);
  campaign.wanted.failure_free = 8;
  const Result<Report> report = campaign.run();
  ASSERT_TRUE(report.ok());
  const Count& count = report->counts[0];
  EXPECT_EQ(count.tried + count.not_reached, 12U);
  EXPECT_GT(count.not_reached, 0U);
  const auto rare = std::ranges::find(report->points, "rare",
                                      [](const PointSeen& seen) { return seen.point.object.name; });
  ASSERT_NE(rare, report->points.end());
  EXPECT_FALSE(rare->stable());
  EXPECT_TRUE(report->points[0].stable());
  // Each was run three times before it was given up.
  std::map<std::string, size_t> times;
  for (const inject::Plan& plan : campaign.started) ++times[in_names(plan, fake)];
  size_t thrice = 0;
  for (const auto& [name, count_of] : times) {
    if (!name.empty() && count_of == 3) ++thrice;
    EXPECT_LE(name.empty() ? 0 : count_of, 3U) << name;
  }
  EXPECT_GE(thrice, count.not_reached);
}

TEST(Session, ARunThatHangsIsJudgedLikeAnyOther) {
  FakeTarget fake = three_steps();
  fake.hangs_at = "EIO@end";
  fake.bugs = {{.failures = {"EIO@end"}}};
  const Result<Report> report = Campaign(fake, 1).run();
  EXPECT_EQ(report->hung, 1U);
  EXPECT_EQ(report->groups.size(), 1U);
}

TEST(Session, ARunThatCannotBeMadeCountsAsNotTried) {
  FakeTarget fake = three_steps();
  fake.cannot_run = "EIO@end";
  const Result<Report> report = Campaign(fake, 1).run();
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->counts[0].failed, 1U);
  EXPECT_EQ(report->counts[0].tried, 8U);
  EXPECT_EQ(report->kind, Report::Kind::kNothing);
}

TEST(Session, TheNumberOfJobsMakesNoDifference) {
  Random random(9);
  for (int round = 0; round < 40; ++round) {
    FakeTarget fake = random_target(random, 4, false);
    fake.bugs = {{.failures = {"EIO@a"}}, {.failures = {"crash-after@b", "EIO@c"}}};
    Campaign campaign(fake);
    const std::string alone = campaign.printed(1);
    for (const size_t jobs : {2U, 3U, 7U}) ASSERT_EQ(campaign.printed(jobs), alone);
  }
}

TEST(Session, EndsWithTheFirstViolationOrTheEffortIfThatIsWanted) {
  FakeTarget fake = three_steps();
  fake.bugs = {{.failures = {"EIO@name"}}, {.failures = {"EIO@end"}}};
  Campaign campaign(fake);
  campaign.wanted.first = true;
  const Result<Report> first = campaign.run(3);
  EXPECT_EQ(first->groups.size(), 1U);
  EXPECT_EQ(first->why_ended, "the first violation was found");
  EXPECT_GT(first->counts[0].left, 0U);
  campaign.wanted.first = false;
  campaign.wanted.effort = 2;
  const Result<Report> two = campaign.run(3);
  EXPECT_EQ(two->kind, Report::Kind::kBudget);
  EXPECT_EQ(two->tried(), 2U);
  EXPECT_EQ(two->why_ended, "the effort was used up");
}

TEST(Session, WhatWasFoundIsKeptWheneverItIsStopped) {
  FakeTarget fake = three_steps();
  fake.bugs = {{.failures = {"EIO@log"}}};
  Campaign campaign(fake);
  bool found = false;
  for (size_t runs = 3; runs < 40; ++runs) {
    const Result<Report> report = campaign.run(2, runs);
    ASSERT_TRUE(report.ok());
    EXPECT_FALSE(report->why_ended.empty());
    EXPECT_FALSE(found && report->groups.empty());
    found = !report->groups.empty();
    EXPECT_EQ(report->kind, found ? Report::Kind::kViolated : Report::Kind::kBudget);
  }
  EXPECT_TRUE(found);
}

TEST(Session, LooksAroundWithoutFailures) {
  Campaign campaign(three_steps());
  FakeRunner runner(campaign.fake, 2, 1);
  const check::Budget budget(seconds(60));
  const Result<Report> report =
      Session(campaign.wanted, runner, campaign.judging, {}, budget).look_around();
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(runner.started.size(), 3U);
  EXPECT_EQ(report->points.size(), 3U);
  EXPECT_EQ(report->points[0].ids, 3U);
}

TEST(Session, ReplaysAScenario) {
  FakeTarget fake = three_steps();
  fake.bugs = {{.failures = {"EIO@name", "EIO@undo"}}};
  Campaign campaign(fake);
  const auto replay = [&](const Scenario& scenario) {
    FakeRunner runner(campaign.fake, 2, 1);
    const check::Budget budget(seconds(60));
    return Session(campaign.wanted, runner, campaign.judging, {}, budget).replay(scenario);
  };
  const Scenario scenario = campaign.run()->groups.at(0).scenario;
  const Result<Report> again = replay(scenario);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->kind, Report::Kind::kViolated);
  EXPECT_EQ(again->groups[0].violated, 5U);
  EXPECT_EQ(again->groups[0].replays, 5U);
  EXPECT_TRUE(again->groups[0].observed.has_value());
  EXPECT_EQ(again->groups[0].points[0].object.name.empty(), false);
  campaign.fake.bugs.clear();
  EXPECT_EQ(replay(scenario)->kind, Report::Kind::kNothing);
  campaign.fake.steps = {{.point = "log"}};
  const Result<Report> gone = replay(scenario);
  EXPECT_EQ(gone->kind, Report::Kind::kNoPoint);
  EXPECT_EQ(gone->groups[0].replays, 0U);
  Scenario other = scenario;
  other.target.promise = "durable";
  EXPECT_EQ(replay(other).error().message, "no promise is called durable");
}

TEST(Session, SavesAScenarioForEachCause) {
  FakeTarget fake = three_steps();
  fake.bugs = {{.failures = {"EIO@log"}}, {.failures = {"EIO@end"}}};
  Campaign campaign(fake);
  std::string folder = testing::TempDir() + "clew-session-XXXXXX";
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  campaign.wanted.save = folder + "/found.json";
  const Result<Report> report = campaign.run();
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->groups[0].saved, folder + "/found.json");
  EXPECT_EQ(report->groups[1].saved, folder + "/found.2.json");
  EXPECT_TRUE(std::filesystem::exists(folder + "/found.2.json"));
  campaign.wanted.save = folder + "/none/found.json";
  EXPECT_FALSE(campaign.run().ok());
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace clew::service
