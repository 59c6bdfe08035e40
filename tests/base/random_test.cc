#include "base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace clew {
namespace {

TEST(Random, SameSeedSameNumbersOnEveryPlatform) {
  Random random(0);
  EXPECT_EQ(random.next(), 0xe220a8397b1dcdafU);
  EXPECT_EQ(random.next(), 0x6e789e6aa1b965f4U);
  EXPECT_EQ(random.next(), 0x06c45d188009454fU);
}

TEST(Random, UniformBelowReachesEveryValueAboutEquallyOften) {
  Random random(1);
  std::vector<int> seen(6, 0);
  for (int i = 0; i < 60'000; ++i) ++seen[random.uniform_below(6)];
  EXPECT_GT(*std::ranges::min_element(seen), 9'500);
  EXPECT_LT(*std::ranges::max_element(seen), 10'500);
}

TEST(Random, UniformInCoversBothEndsAndTheWholeRange) {
  Random random(2);
  std::vector<int> seen(5, 0);
  for (int i = 0; i < 1'000; ++i) ++seen[static_cast<size_t>(random.uniform_in(-2, 2) + 2)];
  EXPECT_GT(*std::ranges::min_element(seen), 150);
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  EXPECT_NE(random.uniform_in(kMin, kMax), random.uniform_in(kMin, kMax));
  EXPECT_EQ(random.uniform_in(kMax, kMax), kMax);
}

TEST(Random, ChanceIsNeverForZeroAndAlwaysForOne) {
  Random random(3);
  int quarter = 0;
  for (int i = 0; i < 10'000; ++i) {
    EXPECT_FALSE(random.chance(0));
    EXPECT_TRUE(random.chance(1));
    if (random.chance(0.25)) ++quarter;
  }
  EXPECT_NEAR(quarter, 2'500, 150);
}

TEST(Random, ShufflePermutesAndPickReachesAll) {
  Random random(4);
  std::vector<int> items(20);
  std::iota(items.begin(), items.end(), 0);
  std::vector<int> shuffled = items;
  random.shuffle(shuffled);
  EXPECT_NE(shuffled, items);
  EXPECT_TRUE(std::ranges::is_permutation(shuffled, items));

  std::vector<bool> picked(items.size(), false);
  for (int i = 0; i < 1'000; ++i) picked[static_cast<size_t>(random.pick(items))] = true;
  EXPECT_EQ(std::ranges::count(picked, false), 0);
}

}  // namespace
}  // namespace clew
