#include "base/stop.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace clew {
namespace {

// example: src/base/stop.h
TEST(Stop, EndsWorkInTheMiddle) {
  const auto add_up = [](const std::vector<int64_t>& numbers, const Stop& stop) {
    int64_t sum = 0;
    Watch watch(stop);
    for (int64_t number : numbers) {
      watch.look();
      sum += number;
    }
    return sum;
  };
  std::vector<int64_t> numbers(100'000);
  std::iota(numbers.begin(), numbers.end(), 1);
  size_t asked = 0;
  Stop stop = [&] { return ++asked > 3; };
  EXPECT_THROW(add_up(numbers, stop), Stopped);
  EXPECT_EQ(asked, 4U);
  std::optional<int64_t> sum = unless_stopped([&] { return add_up(numbers, stop); });
  EXPECT_FALSE(sum);
  EXPECT_EQ(unless_stopped([&] { return add_up(numbers, {}); }), 5'000'050'000);
}

// Many steps at once count as many, and asking takes no step.
TEST(Stop, AsksAfterSomeWork) {
  size_t asked = 0;
  Watch watch([&] { return ++asked > 100; });
  for (int i = 0; i < 9999; ++i) watch.look();
  EXPECT_EQ(asked, 0U);
  watch.look();
  EXPECT_EQ(asked, 1U);
  watch.look(1'000'000);
  EXPECT_EQ(asked, 2U);
  watch.look(9'999);
  EXPECT_EQ(asked, 2U);
  watch.ask();
  EXPECT_EQ(asked, 3U);
}

TEST(Stop, NoMemoryIsAnEndAsWell) {
  EXPECT_FALSE(unless_stopped([]() -> int { throw std::bad_alloc(); }));
  EXPECT_THROW(unless_stopped([]() -> int { throw 7; }), int);
}

}  // namespace
}  // namespace clew
