// A campaign that is interrupted anywhere and goes on ends as if it never had been.
#include "service/history.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.h"
#include "service/session.h"
#include "tests/fuzz/damaged_corpus.h"
#include "tests/fuzz/history_property.h"
#include "tests/service/fake_target.h"

namespace clew::service {
namespace {

class InFolder : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "clew-history-XXXXXX";
    ASSERT_NE(::mkdtemp(folder_.data()), nullptr);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  static std::string text_of(const std::string& path) {
    return *read_file(path, kMostHistoryBytes);
  }

  std::string folder_;
};

struct Ended {
  std::string text;
  size_t runs = 0;  // of this process
};

Wanted wanted_of(const FakeTarget& fake, const std::string& resume) {
  Wanted wanted;
  wanted.target = target_of(fake, 2);
  wanted.resume = resume;
  return wanted;
}

std::string print_groups(const Report& report, const FakeTarget& fake) {
  std::string text =
      fmt::format("{} runs, {} tried, {} ids\n", report.runs, report.tried(), report.ids);
  for (const Count& count : report.counts) {
    text +=
        fmt::format("{} {} {} {}\n", count.violating, count.covered, count.not_reached, count.left);
  }
  for (const Group& group : report.groups) {
    text +=
        fmt::format("{}: {} of {}, {} alike, {} {}\n", in_names(group.plan, fake), group.violated,
                    group.replays, group.violations, group.minimal, group.observed.has_value());
  }
  return text;
}

Ended campaign(const FakeTarget& fake, const std::string& resume,
               std::optional<size_t> stops_after = {}, size_t jobs = 2) {
  FakeRunner runner(fake, jobs, 3);
  runner.stops_after = stops_after;
  FakeJudging judging(fake.promises);
  const check::Budget budget(std::chrono::seconds(60));
  Session session(wanted_of(fake, resume), runner, judging, {}, budget);
  const Result<Report> report = session.run();
  if (!report.ok()) return {report.error().message, runner.started.size()};
  return {print_groups(*report, fake), runner.started.size()};
}

FakeTarget buggy() {
  FakeTarget fake;
  fake.steps = {{.point = "log"},
                {.point = "name", .error_path = {{.point = "undo"}}, .gives_up = true},
                {.point = "end"}};
  fake.bugs = {{.failures = {"EIO@name"}}, {.failures = {"crash-before@log", "EIO@end"}}};
  return fake;
}

using HistoryFile = InFolder;

TEST_F(HistoryFile, WhereverACampaignIsInterruptedItEndsTheSame) {
  const FakeTarget fake = buggy();
  const Ended whole = campaign(fake, "");
  const Ended kept = campaign(fake, path("whole.json"));
  EXPECT_EQ(kept.text, whole.text);
  const std::string end = text_of(path("whole.json"));
  for (size_t runs = 3; runs < whole.runs; runs += 1 + runs / 8) {
    const std::string file = path(fmt::format("{}.json", runs));
    campaign(fake, file, runs);
    const Ended rest = campaign(fake, file, {}, 3);
    EXPECT_EQ(rest.text, whole.text) << "after " << runs;
    // The same history, but for how long it took.
    EXPECT_EQ(*kept_from_text(text_of(file)), *kept_from_text(end));
  }
}

TEST_F(HistoryFile, SmallStepsArriveToo) {
  const FakeTarget fake = buggy();
  const Ended whole = campaign(fake, "");
  size_t steps = 0;
  for (; steps < 100; ++steps) {
    if (campaign(fake, path("steps.json"), 8).text == whole.text) break;
  }
  EXPECT_GT(steps, 3U);
  EXPECT_LT(steps, 100U);
}

// What it knows it does not run again, but for the runs that it shows.
TEST_F(HistoryFile, NothingIsRunTwice) {
  const FakeTarget fake = buggy();
  campaign(fake, path("a.json"));
  EXPECT_EQ(campaign(fake, path("a.json")).runs, 2U);
}

TEST_F(HistoryFile, OfSomethingElseItSaysOfWhat) {
  const FakeTarget fake = buggy();
  campaign(fake, path("a.json"), 10);
  Known known({});
  const Bound bound = bound_to(wanted_of(fake, ""));
  const auto refusal = [&](Bound other) {
    const Result<History> history = History::open(path("a.json"), std::move(other), 1, known);
    return history.ok() ? "" : history.error().message;
  };
  Bound other = bound;
  other["--failures"] = "3";
  EXPECT_EQ(refusal(other), path("a.json") + " was begun with --failures 2, not 3");
  other = bound;
  other["fake.toml"] = "another fingerprint";
  EXPECT_EQ(refusal(other), "fake.toml has changed since " + path("a.json") + " was begun");
  other = bound;
  other["more.ded"] = "1";
  EXPECT_EQ(refusal(other), path("a.json") + " was begun without more.ded");
  other = bound;
  other.erase("fake.toml");
  EXPECT_EQ(refusal(other), path("a.json") + " was begun with fake.toml, too");
  EXPECT_EQ(History::open(path("a.json"), bound, 2, known).error().message,
            path("a.json") + " is about other promises");
}

TEST_F(HistoryFile, OnlyOneHasItOpen) {
  Known known({}), other({});
  const Result<History> history = History::open(path("a.json"), {}, 1, known);
  ASSERT_TRUE(history.ok());
  const Result<History> second = History::open(path("a.json"), {}, 1, other);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().message, path("a.json") + " is in use by another clew inject");
}

TEST_F(HistoryFile, WhatIsCutOffOrSomethingElseIsRefused) {
  const FakeTarget fake = buggy();
  campaign(fake, path("a.json"), 20);
  const std::string text = text_of(path("a.json"));
  ASSERT_TRUE(kept_from_text(text).ok());
  for (size_t size = 0; size < text.size() - 2; size += 1 + size / 20) {
    const Result<Kept> kept = kept_from_text(text.substr(0, size));
    ASSERT_FALSE(kept.ok());
    EXPECT_FALSE(kept.error().remedy.empty());
  }
  ASSERT_TRUE(write_file_atomically(path("b.json"), "{\"clew\": \"scenario\"}").ok());
  Known known({});
  EXPECT_EQ(History::open(path("b.json"), {}, 1, known).error().message,
            path("b.json") +
                ": this is no history of a campaign that can be read: it is something "
                "else");
}

TEST_F(HistoryFile, AHistoryThatDoesNotFitIsAnErrorAndNoCrash) {
  const FakeTarget fake = buggy();
  campaign(fake, path("a.json"), 30);
  std::string text = text_of(path("a.json"));
  const size_t at = text.find("\"plan\":[1]");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 10, "\"plan\":[2]");
  ASSERT_TRUE(write_file_atomically(path("a.json"), text).ok());
  const std::string refused = campaign(fake, path("a.json")).text;
  EXPECT_NE(refused.find(" goes on with "), std::string::npos) << refused;
}

TEST(HistoryCorpus, HoldsGoodAndBadTexts) {
  const DamagedCorpus corpus("tests/fuzz/corpus/history", 1 << 20, "{");
  int read = 0;
  for (const std::string& text : corpus.texts()) read += check_history_property(text);
  EXPECT_GE(read, 1);
  EXPECT_GE(static_cast<int>(corpus.texts().size()) - read, 2);
}

TEST(HistoryCorpus, DamageNeverCrashesAndSomeIsRead) {
  const DamagedCorpus corpus("tests/fuzz/corpus/history", 1 << 20,
                             "{|}|[|]|,|:|\"|0|1|-1|4294967296|1e9|null|true|[0]|\"EIO@00000000\"|"
                             "\"looks\"|\"sites\"|\"plan\"");
  int read = 0;
  corpus.damage(4, 500, [&](const std::string& text) { read += check_history_property(text); });
  EXPECT_GT(read, 10);
}

}  // namespace
}  // namespace clew::service
