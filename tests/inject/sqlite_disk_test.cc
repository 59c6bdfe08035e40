// The disk model with a program that nobody wrote for it, and that says what it promises: SQLite's
// shell commits rows while the power may go at any sync, and after each answer. What each setting
// must keep is from https://www.sqlite.org/pragma.html#pragma_synchronous.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>

#include "inject/disk.h"
#include "inject/disk_calls.h"
#include "tests/inject/disk_files.h"
#include "tests/inject/traced_run.h"

namespace clew::inject {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMostBytes = 1U << 20U;
constexpr size_t kMostChoices = 40;
constexpr int kRows = 3;

// What a shell command prints.
std::string answer(const std::string& command) {
  std::string text;
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  std::array<char, 4096> buffer{};
  while (std::fgets(buffer.data(), buffer.size(), pipe) != nullptr) text += buffer.data();
  ::pclose(pipe);
  return text;
}

std::string shell(const std::string& database, const std::string& statements) {
  return answer("sqlite3 '" + database + "' \"" + statements + "\" 2>&1");
}

// What became of a database in all crash states that were looked at.
struct Verdict {
  size_t states = 0;
  size_t corrupt = 0;
  size_t lost = 0;         // states without all rows whose commit was answered
  int most_rows_lost = 0;  // in one state that is not corrupt
  std::vector<std::string> warnings{};
};

class Commits {
 public:
  explicit Commits(std::string settings) : settings_(std::move(settings)) {}

  Verdict watch() {
    const std::string database = run_.folder() + "/state/db";
    fs::create_directory(run_.folder() + "/state");
    shell(database, settings_ + "create table t(x, y);");
    fs::copy(run_.folder() + "/state", base_.path() + "/0", fs::copy_options::recursive);
    disk_.emplace(std::vector{run_.folder() + "/state"}, base_.path());
    std::string statements = settings_;
    for (int i = 1; i <= kRows; ++i) {
      statements += fmt::format(
          "insert into t values({0}, hex(zeroblob(2000))); select writefile('answer', {0});", i);
    }
    run_.command.words = {"sqlite3", database, statements};
    run_.all = true;
    run_.act = [this](const StoppedCall& call) { return before(call); };
    run_.give = [this](const StoppedCall& call, int64_t result) { return after(call, result); };
    run_.play();
    EXPECT_EQ(run_.processes.at(0).end, "exits 0") << run_.errors();
    EXPECT_EQ(answered_, kRows);
    for (const auto& [answered, files] : states_) judge(answered, files->path() + "/0/db");
    for (const Warning& warning : disk_->warnings()) verdict_.warnings.push_back(warning.what);
    return verdict_;
  }

 private:
  Action before(const StoppedCall& call) {
    if (call.row->io == Io::kSync && answered_ + 1 == kRows) cut_power();
    done_ = disk_call_before(call);
    return {.tell_result = true};
  }

  int64_t after(const StoppedCall& call, int64_t result) {
    if (result < 0) return result;
    disk_call_after(call, result, kMostBytes, done_);
    disk_->note(done_);
    const bool answers = call.row->io == Io::kOpen && done_.path.ends_with("/answer");
    if (answers && ++answered_ == kRows) cut_power();
    return result;
  }

  void cut_power() {
    for (const std::string& keeps : disk_->choices(kMostChoices)) {
      if (!seen_.insert(fmt::format("{} {}", answered_, *disk_->content(keeps))).second) continue;
      auto files = std::make_unique<BaseFolder>(std::vector<std::string>{});
      ASSERT_TRUE(disk_->build(keeps, files->path()).ok());
      states_.emplace_back(answered_, std::move(files));
    }
  }

  void judge(int answered, const std::string& database) {
    const std::string said = shell(database, "pragma integrity_check; select max(x) from t;");
    ++verdict_.states;
    const bool sound = said.starts_with("ok\n");
    const int rows = sound ? std::atoi(said.substr(3).c_str()) : 0;
    if (!sound) ++verdict_.corrupt;
    if (rows >= answered) return;
    ++verdict_.lost;
    if (sound) verdict_.most_rows_lost = std::max(verdict_.most_rows_lost, answered - rows);
  }

  const std::string settings_;
  TracedRun run_{{}};
  const BaseFolder base_{{}};
  std::optional<Disk> disk_{};
  DiskCall done_{};
  int answered_ = 0;
  std::set<std::string> seen_{};
  std::vector<std::pair<int, std::unique_ptr<BaseFolder>>> states_{};  // looked at afterwards
  Verdict verdict_{};
};

TEST(SqliteDisk, FullKeepsItsIntegrityButTheLastCommitMayBeLost) {
  const Verdict verdict = Commits("pragma synchronous=full;").watch();
  EXPECT_GT(verdict.states, 10U);
  EXPECT_EQ(verdict.corrupt, 0U);
  EXPECT_GT(verdict.lost, 0U);
  EXPECT_EQ(verdict.most_rows_lost, 1);
  EXPECT_EQ(verdict.warnings, std::vector<std::string>{});
}

TEST(SqliteDisk, ExtraLosesNothing) {
  const Verdict verdict = Commits("pragma synchronous=extra;").watch();
  EXPECT_GT(verdict.states, 10U);
  EXPECT_EQ(verdict.corrupt, 0U);
  EXPECT_EQ(verdict.lost, 0U);
}

TEST(SqliteDisk, FullWithAWriteAheadLogLosesNothing) {
  const Verdict verdict = Commits("pragma journal_mode=wal; pragma synchronous=full;").watch();
  EXPECT_GT(verdict.states, 10U);
  EXPECT_EQ(verdict.corrupt, 0U);
  EXPECT_EQ(verdict.lost, 0U);
  // The log's index, which SQLite makes anew after a power cut.
  EXPECT_TRUE(std::ranges::any_of(verdict.warnings, [](const std::string& warning) {
    return warning.find("/state/db-shm is mapped shared and writable") != std::string::npos;
  }));
}

TEST(SqliteDisk, OffLosesAndCorrupts) {
  const Verdict verdict = Commits("pragma synchronous=off;").watch();
  EXPECT_GT(verdict.corrupt, 0U);
  EXPECT_GT(verdict.lost, 0U);
}

}  // namespace
}  // namespace clew::inject
