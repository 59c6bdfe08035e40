#include "host/delta.h"

#include <gtest/gtest.h>

#include <map>

#include "base/random.h"
#include "node/value.h"

namespace clew::host {
namespace {

size_t cost(const Delta& delta) { return node::encode(delta).size(); }

TEST(Delta, LeadsBack) {
  Random random(1);
  for (int round = 0; round < 20'000; ++round) {
    std::string before, after;
    const uint64_t letters = random.uniform_below(4) + 1;
    for (std::string* text : {&before, &after}) {
      const uint64_t size = random.uniform_below(120);
      for (uint64_t i = 0; i < size; ++i) {
        *text += static_cast<char>('a' + random.uniform_below(letters));
      }
    }
    // Half of them have much in common.
    if (random.chance(0.5)) {
      after = before.substr(0, 60) + after.substr(0, 9) + before.substr(before.size() / 3);
    }
    Delta delta = delta_of(before, after);
    std::optional<std::string> again = applied(delta, before);
    ASSERT_EQ(again, after);
    const std::optional<std::string> of_less = applied(delta, before.substr(0, before.size() / 2));
    ASSERT_LE(of_less.value_or("").size(), before.size() + after.size());
  }
}

TEST(Delta, OfASmallChangeIsSmall) {
  std::vector<int64_t> list;
  std::map<int64_t, std::string> map;
  for (int64_t i = 0; i < 20'000; ++i) {
    list.push_back(i * 7919);
    map[i * 10] = "value " + std::to_string(i);
  }
  const std::string list_before = node::encode(list), map_before = node::encode(map);
  list.push_back(5);
  EXPECT_LT(cost(delta_of(list_before, node::encode(list))), 20U);
  for (int64_t i = 0; i < 32; ++i) map[i * 6001 + 3] = "a new one";
  map.erase(70);
  map[90] = "another";
  EXPECT_LT(cost(delta_of(map_before, node::encode(map))), 1000U);
}

}  // namespace
}  // namespace clew::host
