#include "host/log.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/random.h"
#include "tests/host/crash_folder.h"

namespace clew::host {
namespace {

using Fields = std::map<std::string, std::string>;

LogOptions small() {
  return {.node = "a", .fields = {"x", "y", "z"}, .snapshot_after = 6000, .room = 8192};
}

Fields recovered(const Log& log) {
  Fields fields;
  for (const Kept& kept : log.recovered()) fields[kept.field] = kept.bytes;
  return fields;
}

// A log that remembers everything, and what it has confirmed.
struct Naive {
  std::vector<Fields> states{Fields()};  // after each flush
  size_t confirmed = 0;
};

// One process after the other on one disk; crashes in between, and in the middle of calls.
class Life {
 public:
  explicit Life(uint64_t seed) : random_(seed) {}

  void run(int turns) {
    open();
    for (int i = 0; i < turns && !testing::Test::HasFatalFailure(); ++i) turn();
  }
  size_t crashes = 0, cuts = 0, snapshots = 0, lost = 0;

 private:
  void open() {
    log_.reset();
    for (bool is_open = false; !is_open;) {
      if (random_.chance(0.1)) disk_.calls_left = random_.uniform_below(12);
      Result<std::unique_ptr<Log>> opened =
          Log::open(std::make_unique<CrashFolder>(disk_), small());
      is_open = opened.ok();
      if (is_open) {
        log_ = *std::move(opened);
      } else {
        ASSERT_TRUE(opened.error().message.starts_with("cannot ")) << opened.error().message;
        crash();
      }
    }
    disk_.calls_left.reset();
    const Fields found = recovered(*log_);
    cuts += log_->note().empty() ? 0 : 1;
    // The latest state that it may be: equal states may follow one another.
    size_t at = naive_.states.size() - 1;
    while (at > naive_.confirmed && naive_.states[at] != found) --at;
    ASSERT_EQ(naive_.states[at], found) << "after " << naive_.confirmed << " flushes";
    lost += naive_.states.size() - 1 - at;
    naive_.states.resize(at + 1);
    naive_.confirmed = at;
    now_ = found;
  }

  void crash() {
    ++crashes;
    if (random_.chance(0.5)) disk_.power_cut(random_);
    disk_.kill();
  }

  std::string changed(std::string bytes) {
    const size_t at = random_.uniform_below(bytes.size() + 1);
    switch (random_.uniform_below(4)) {
      case 0:
        return bytes.insert(at, random_.uniform_below(60), static_cast<char>(random_.next()));
      case 1:
        return bytes.erase(at, random_.uniform_below(40));
      case 2:
        if (!bytes.empty()) ++bytes[at % bytes.size()];
        return bytes;
      default:
        return random_.chance(0.1) ? std::string(random_.uniform_below(3000), 'n') : bytes + "end";
    }
  }

  void turn() {
    if (random_.chance(0.08)) disk_.calls_left = random_.uniform_below(6);
    for (uint64_t steps = random_.uniform_below(4); steps > 0; --steps) {
      const std::string field(1, static_cast<char>('x' + random_.uniform_below(3)));
      now_[field] = changed(now_[field]);
      log_->append({{field, now_[field]}});
    }
    naive_.states.push_back(now_);
    const bool flushed = log_->flush().ok();
    if (flushed) naive_.confirmed = naive_.states.size() - 1;
    const uint64_t before = log_->snapshots();
    const bool tended = flushed && log_->tend().ok();
    snapshots += log_->snapshots() - before;
    if (!flushed || !tended) {
      // It does nothing any more.
      EXPECT_FALSE(log_->flush().ok());
      EXPECT_FALSE(log_->tend().ok());
    }
    if (!flushed || !tended || random_.chance(0.05)) {
      crash();
      open();
    }
  }

  Random random_;
  CrashDisk disk_;
  std::unique_ptr<Log> log_;
  Naive naive_;
  Fields now_;
};

TEST(Log, WhatIsRecoveredIsWhatSomeFlushGaveAndNoneBeforeTheLastConfirmed) {
  size_t crashes = 0, cuts = 0, snapshots = 0, lost = 0;
  const uint64_t seeds = std::getenv("CLEW_LONG_TESTS") != nullptr ? 20'000 : 400;
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE(seed);
    Life life(seed);
    life.run(150);
    ASSERT_FALSE(HasFatalFailure());
    crashes += life.crashes, cuts += life.cuts, snapshots += life.snapshots, lost += life.lost;
  }
  EXPECT_GT(crashes, seeds * 5);
  EXPECT_GT(snapshots, seeds);
  EXPECT_GT(cuts, seeds / 10);
  EXPECT_GT(lost, seeds / 10);
}

// Some logs of all shapes, each with what it holds.
struct Kept1 {
  CrashDisk disk;
  Fields fields;
};

void fill(Kept1& kept, Random& random) {
  Result<std::unique_ptr<Log>> log = Log::open(std::make_unique<CrashFolder>(kept.disk), small());
  ASSERT_TRUE(log.ok());
  const uint64_t flushes = random.uniform_below(30);
  for (uint64_t i = 0; i < flushes; ++i) {
    const std::string field(1, static_cast<char>('x' + random.uniform_below(3)));
    kept.fields[field] = std::string(random.uniform_below(900), static_cast<char>('a' + i));
    (*log)->append({{field, kept.fields[field]}});
    ASSERT_TRUE((*log)->flush().ok());
    ASSERT_TRUE((*log)->tend().ok());
  }
  // Two idle turns: all is known to be on the disk.
  for (int i = 0; i < 2; ++i) ASSERT_TRUE((*log)->tend().ok());
}

std::string damage(CrashDisk& disk, Random& random) {
  auto at = disk.now.begin();
  std::advance(at, random.uniform_below(disk.now.size()));
  const std::string name = at->first;
  std::string& bytes = at->second->now;
  const size_t where = random.uniform_below(bytes.size() + 1);
  switch (random.uniform_below(5)) {
    case 0:
      disk.now.erase(at);
      return name + " removed";
    case 1:
      bytes.resize(where);
      return name + " cut at " + std::to_string(where);
    case 2:
      for (size_t i = where; i < std::min(where + 700, bytes.size()); ++i) {
        bytes[i] = static_cast<char>(random.next());
      }
      return name + " garbage at " + std::to_string(where);
    case 3:
      std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(where),
                  std::min<size_t>(1024, bytes.size() - where), '\0');
      return name + " zeros at " + std::to_string(where);
    default:
      if (where == bytes.size()) return "nothing";
      bytes[where] = static_cast<char>(bytes[where] ^ (1 << random.uniform_below(8)));
      return name + " flipped at " + std::to_string(where);
  }
}

TEST(Log, DamageIsRefusedOrDoesNoHarm) {
  size_t refused = 0;
  const uint64_t seeds = std::getenv("CLEW_LONG_TESTS") != nullptr ? 100'000 : 3000;
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    Random random(seed);
    Kept1 kept;
    fill(kept, random);
    ASSERT_FALSE(HasFatalFailure());
    const std::string what = damage(kept.disk, random);
    const Result<std::unique_ptr<Log>> log =
        Log::open(std::make_unique<CrashFolder>(kept.disk), small());
    if (log.ok()) {
      ASSERT_EQ(recovered(**log), kept.fields) << seed << ": " << what;
    } else {
      ++refused;
      ASSERT_NE(log.error().message.find("folder/"), std::string::npos) << log.error().message;
      ASSERT_FALSE(log.error().remedy.empty());
    }
  }
  EXPECT_GT(refused, seeds / 4);
}

class OnDisk : public testing::Test {
 protected:
  OnDisk() {
    std::string path = (std::filesystem::temp_directory_path() / "clew-log-XXXXXX").string();
    path_ = ::mkdtemp(path.data());
  }
  ~OnDisk() override { std::filesystem::remove_all(path_); }
  std::unique_ptr<Log> opened(const LogOptions& options) {
    Result<std::unique_ptr<Log>> log = Log::open(path_ + "/a", options);
    CHECK(log.ok(), "{}", log.error().message);
    return *std::move(log);
  }

  std::string path_;
};

TEST_F(OnDisk, KeepsWhatWasFlushed) {
  const LogOptions options{.node = "a", .fields = {"ballot", "accepted"}};
  {
    std::unique_ptr<Log> log = opened(options);
    EXPECT_TRUE(log->recovered().empty());
    const std::string bytes = "\x06";
    log->append({{"ballot", bytes}});
    ASSERT_TRUE(log->flush().ok());
    ASSERT_TRUE(log->tend().ok());
    log->append({{"ballot", "never flushed"}});
    const Result<std::unique_ptr<Log>> second = Log::open(path_ + "/a", options);
    ASSERT_FALSE(second.ok());
    EXPECT_NE(second.error().message.find("another process"), std::string::npos);
  }
  EXPECT_EQ(opened(options)->recovered(), (std::vector<Kept>{{"ballot", "\x06"}}));
}

TEST_F(OnDisk, MakesItsFolders) {
  ASSERT_TRUE(Log::open(path_ + "/x/y/z", {.node = "a"}).ok());
  EXPECT_TRUE(std::filesystem::exists(path_ + "/x/y/z/begun"));
  const Result<std::unique_ptr<Log>> below_a_file = Log::open(path_ + "/x/y/z/begun/w", {});
  ASSERT_FALSE(below_a_file.ok());
  EXPECT_EQ(below_a_file.error().message.find("cannot make the folder"), 0U);
}

TEST_F(OnDisk, TakesSnapshotsAndStaysShort) {
  LogOptions options{.node = "a", .fields = {"x"}, .snapshot_after = 100'000, .room = 1U << 16U};
  std::string value(50'000, 'v');
  {
    std::unique_ptr<Log> log = opened(options);
    for (int i = 0; i < 300; ++i) {
      value[static_cast<size_t>(i) * 150] = 'w';
      log->append({{"x", value}});
      ASSERT_TRUE(log->flush().ok());
      ASSERT_TRUE(log->tend().ok());
    }
    EXPECT_GT(log->snapshots(), 0U);
    EXPECT_LT(log->bytes(), 200'000U);
  }
  size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(path_ + "/a")) {
    files += entry.is_regular_file() ? 1 : 0;
  }
  EXPECT_LE(files, 4U);
  EXPECT_EQ(opened(options)->recovered(), (std::vector<Kept>{{"x", value}}));
}

TEST_F(OnDisk, OfAnotherNodeOrClassIsRefused) {
  { opened({.node = "a", .fields = {"x"}}); }
  const auto refused = [&](const LogOptions& options) {
    const Result<std::unique_ptr<Log>> log = Log::open(path_ + "/a", options);
    return log.ok() ? "" : log.error().message;
  };
  EXPECT_EQ(refused({.node = "b", .fields = {"x"}}),
            path_ + "/a/log.0 belongs to the node \"a\", not to \"b\"");
  EXPECT_EQ(refused({.node = "a", .fields = {"x", "y"}}),
            path_ + "/a/log.0 is of a node whose durable fields are x; this one has x, y");
  EXPECT_EQ(refused({.node = "a", .fields = {"x"}}), "");
}

}  // namespace
}  // namespace clew::host
