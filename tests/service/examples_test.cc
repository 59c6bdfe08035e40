// The examples at the top of the headers, as code (tools/check_examples.py compares them).
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.h"
#include "service/causes.h"
#include "service/coverage.h"
#include "service/crew.h"
#include "service/guide.h"
#include "service/history.h"
#include "service/past.h"
#include "service/session.h"
#include "service/story.h"
#include "service/supports.h"
#include "tests/service/fake_target.h"

namespace clew::service {
namespace {

class ServiceExamples : public testing::Test {
 protected:
  ServiceExamples() {
    fake.steps = {{.point = "a"}, {.point = "b"}};
    fake.bugs = {{.failures = {"EIO@b"}}};
    target = target_of(fake, 2);
  }

  // Of one run each.
  std::vector<Look> looks_of(const Combination& combination) {
    const inject::Plan plan = known.plan(combination);
    return {*own_looker.look(plan, fake.run(plan, 1)), *own_looker.look(plan, fake.run(plan, 2))};
  }

  FakeTarget fake;
  inject::Target target;
  FakeJudging judging{1};
  Known known{{}};
  Looker own_looker{target, known, judging};
  Stop stop{};
};

// example: src/service/judging.h
TEST_F(ServiceExamples, WhatARunSays) {
  const inject::Plan plan = fake_plan({"EIO@b"});
  const inject::Observed observed = fake.run(plan, 1);
  Result<clew::Run> run = judging.judge(plan, observed, Detail::kVerdict);
  EXPECT_EQ(run->outcomes[0].kind, Outcome::Kind::kViolated);
}

// example: src/service/known.h
TEST(KnownExample, Numbers) {
  FakeTarget fake;
  fake.steps = {{.point = "a"}};
  const inject::Target target = target_of(fake, 1);
  const inject::Point point = fake_point("a");
  std::vector<inject::Plan> plans;
  Known known(target.kinds);
  const uint32_t site = known.site({known.point(point)});
  for (const uint32_t id : known.failures_at(site)) {
    plans.push_back(known.plan({id}));
  }
  EXPECT_EQ(plans.size(), 3U);
  EXPECT_EQ(plans[0], fake_plan({"EIO@a"}));
}

// example: src/service/look.h
TEST_F(ServiceExamples, ALook) {
  const inject::Plan plan = fake_plan({"EIO@a"});
  const inject::Observed observed = fake.run(plan, 1);
  Looker looker(target, known, judging);
  Result<Look> look = looker.look(plan, observed);
  EXPECT_TRUE(look->struck);
  const uint32_t first = look->sites[look->after];
  EXPECT_EQ(known.points()[known.sites()[first].point].object.name, "b");
}

// example: src/service/story.h
TEST_F(ServiceExamples, AStory) {
  const inject::Plan plan = fake_plan({"EIO@b"});
  const inject::Observed observed = fake.run(plan, 1);
  const std::vector<Moment> all = story(observed, plan);
  EXPECT_EQ(all[2].who, "n");
  EXPECT_EQ(all[2].what, "pwrite64 fails with EIO (b)");
  const std::vector<Moment> few = in_short(all, 40);
  EXPECT_EQ(few.size(), all.size() - 1);
}

// example: src/service/search.h
TEST_F(ServiceExamples, ASearch) {
  const std::vector<Look> looks = looks_of({});
  Search search(known, 2);
  search.begin(looks);
  while (std::optional<uint32_t> next = search.next()) {
    search.observe(*next, looks_of(search.item(*next).combination));
  }
  // Two errors and two crashes of each of two points, and their pairs; and the root.
  EXPECT_EQ(search.size(), 1U + 8U + 16U);
}

// example: src/service/coverage.h
TEST_F(ServiceExamples, ACoverage) {
  fake.steps[0].gives_up = true;
  Search search(known, 2);
  search.begin(looks_of({}));
  Coverage coverage(known);
  while (const std::optional<uint32_t> next = search.next()) {
    const uint32_t item = *next;
    search.observe(item, looks_of(search.item(item).combination));
    coverage.add(search, item);
  }
  // After each of two errors of the first point the four failures of the second.
  EXPECT_EQ(coverage.count(search, 2), 8U);
}

// example: src/service/causes.h
TEST_F(ServiceExamples, ACause) {
  const Combination combination = known.combination([this] {
    looks_of({});
    return fake_plan({"EIO@a", "EIO@b"});
  }());
  const auto violates = [&](const Combination& part) {
    return std::optional(looks_of(part)[0].violates(0));
  };
  const Asking ask{.known = [](const Combination&) { return std::optional<bool>(); },
                   .run = violates};
  Cause cause = *minimal_cause(combination, ask);
  EXPECT_EQ(known.plan(cause.combination), fake_plan({"EIO@b"}));
  const CauseKey key = cause_key(known, cause.combination);
  EXPECT_EQ(key.size(), 1U);
}

// example: src/service/crew.h
TEST_F(ServiceExamples, ACrew) {
  FakeRunner runner(fake, 2, 1);
  const inject::Plan first = fake_plan({"EIO@a"});
  const inject::Plan second = fake_plan({"EIO@b"});
  Looker looker(target, known, judging);
  Crew crew(runner, looker, nullptr, stop);
  crew.wish({.plan = first}), crew.wish({.plan = second});
  Result<Trial> trial = crew.take();
  Result<Trial> replays = crew.now({.plan = first, .times = 5});
  EXPECT_EQ(trial->wish.plan, first);
  EXPECT_EQ(replays->looks.size(), 5U);
  EXPECT_EQ(crew.take()->wish.plan, second);
}

// example: src/service/past.h
TEST(PastExample, Before) {
  FakeTarget fake;
  fake.steps = {{.point = "a"}, {.point = "b"}};
  const inject::Observed seen = fake.run({}, 1);
  const std::vector<uint32_t> site_of = {Past::kNoSite, 0, 1, Past::kNoSite, 2};
  const std::vector<Past::Strike> strikes;
  Past past(seen, site_of, strikes);
  EXPECT_TRUE(past.before(3).contains(0) == false);  // the check, which prints nothing
  EXPECT_TRUE(past.before(2).contains(0));
}

// example: src/service/supports.h
TEST(SupportsExample, NothingWithoutFirings) {
  const inject::Target target;
  const inject::Observed seen;
  const dedalus::Program* const program = nullptr;
  clew::Run run;
  run.facts.emplace_back();
  run.outcomes.push_back({.spec = "p", .kind = Outcome::Kind::kHolds});
  const auto past_of = [](const Fact&, uint32_t) { return std::vector<uint32_t>(); };
  Origins origins(target, seen);
  Supports supports = supports_of(run, program, origins, past_of);
  EXPECT_TRUE(supports.sets.empty());
  EXPECT_FALSE(supports.known);
}

// example: src/service/guide.h
TEST_F(ServiceExamples, AGuide) {
  const std::vector<Look> looks = looks_of({});
  Guide guide(known, 2);
  guide.observe({}, looks);
  size_t proposals = 0;
  while (std::optional<Combination> next = guide.propose({})) {
    guide.observe(*next, looks_of(*next));
    ++proposals;
  }
  EXPECT_EQ(proposals, 0U);  // no failure is known by then
}

// example: src/service/history.h
TEST_F(ServiceExamples, AHistory) {
  FakeRunner runner(fake, 2, 1);
  const std::string path = testing::TempDir() + fmt::format("clew_history_{}", getpid());
  const size_t promises = 1;
  const Bound bound = {{"fake.toml", "1"}};
  {
    Result<History> history = History::open(path, bound, promises, known);
    Looker looker(target, known, judging);
    Crew crew(runner, looker, &*history, stop);
    EXPECT_TRUE(crew.now({.plan = {}}).ok());
    EXPECT_TRUE(history->flush().ok());
  }
  EXPECT_TRUE(std::filesystem::remove(path));
}

// example: src/service/history_text.h
TEST_F(ServiceExamples, AHistoryAsText) {
  const std::string text = *read_file("tests/fuzz/corpus/history/one_point.json", 1 << 20);
  Result<Kept> kept = kept_from_text(text);
  EXPECT_GT(kept->trials.size(), 5U);
}

// example: src/service/session.h
TEST_F(ServiceExamples, ACampaign) {
  FakeRunner runner(fake, 2, 1);
  const Wanted wanted{.target = target};
  const check::Notes notes;
  const check::Budget budget(std::chrono::seconds(60));
  Session session(wanted, runner, judging, notes, budget);
  Result<Report> report = session.run();
  EXPECT_EQ(report->groups.size(), 1U);
}

// example: src/service/report.h
TEST_F(ServiceExamples, AReport) {
  FakeRunner runner(fake, 2, 1);
  const check::Budget budget(std::chrono::seconds(60));
  Session session({.target = target}, runner, judging, {}, budget);
  Result<Report> report = session.run();
  EXPECT_TRUE(report->kind == Report::Kind::kViolated);
  size_t failures = 0;
  for (const Group& group : report->groups) failures += group.plan.size();
  EXPECT_EQ(failures, 1U);
}

}  // namespace
}  // namespace clew::service
