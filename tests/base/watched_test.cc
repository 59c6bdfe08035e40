#include "base/watched.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "tests/base/interrupted.h"

namespace clew {
namespace {

std::vector<int64_t> squares(int64_t count) {
  std::vector<int64_t> all;
  for (int64_t i = 0; i < count; ++i) {
    look();
    all.push_back(i * i);
  }
  return all;
}

namespace report {
// Knows nothing of whoever can stop it.
std::vector<int64_t> page(int64_t record) { return squares(record); }
}  // namespace report

// example: src/base/watched.h
TEST(Watched, EndsWhatIsManyCallsAway) {
  const int record = 100'000;
  size_t asked = 0;
  const Stop stop = [&] { return ++asked > 3; };
  {
    Watched watched(stop);
    EXPECT_THROW(report::page(record), Stopped);
    EXPECT_EQ(asked, 4U);
  }
  EXPECT_EQ(report::page(record).size(), 100'000U);  // nobody watches any more
  EXPECT_EQ(asked, 4U);
}

TEST(Watched, AsksAtTheFirstLookAndThenAfterSomeWork) {
  size_t asked = 0;
  Watched watched([&] { return ++asked > 100; });
  look();
  EXPECT_EQ(asked, 1U);
  look(Watched::kSteps - 1);
  EXPECT_EQ(asked, 1U);
  look();
  EXPECT_EQ(asked, 2U);
  look(1'000'000);
  EXPECT_EQ(asked, 3U);
}

// Whoever goes on with what is left of the work is not kept long.
TEST(Watched, OnceStoppedItStaysSo) {
  bool stop = true;
  Watched watched([&] { return stop; });
  EXPECT_THROW(look(), Stopped);
  stop = false;
  EXPECT_THROW(look(), Stopped);
  EXPECT_FALSE(unless_stopped([] { return squares(1); }));
}

TEST(Watched, TheInnermostCounts) {
  Watched outer([] { return true; });
  {
    Watched inner([] { return false; });
    EXPECT_EQ(squares(3).size(), 3U);
  }
  EXPECT_THROW(squares(3), Stopped);
}

TEST(Watched, WatchesOneThread) {
  Watched watched([] { return true; });
  size_t size = 0;
  std::thread([&] { size = squares(3).size(); }).join();
  EXPECT_EQ(size, 3U);
}

TEST(Watched, WorkCanBeInterruptedEverywhere) {
  size_t begun = 0;
  const auto work = [&] {
    ++begun;
    return squares(5);
  };
  EXPECT_EQ(interrupt_everywhere(work, 5), (std::vector<int64_t>{0, 1, 4, 9, 16}));
  EXPECT_EQ(begun, 6U);
}

}  // namespace
}  // namespace clew
