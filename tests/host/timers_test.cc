#include "host/timers.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace clew::host {
namespace {

using std::chrono::milliseconds;

// The slow twin: a list that is searched.
struct SlowTimers {
  struct One {
    std::string name;
    Clock::time_point when;
  };
  void set(const std::string& name, Clock::time_point when) {
    cancel(name);
    all.push_back({name, when});
  }
  void cancel(const std::string& name) {
    std::erase_if(all, [&](const One& one) { return one.name == name; });
  }
  std::optional<std::string> due(Clock::time_point now) {
    const One* best = nullptr;
    for (const One& one : all) {
      const bool earlier =
          best == nullptr || std::tie(one.when, one.name) < std::tie(best->when, best->name);
      if (one.when <= now && earlier) best = &one;
    }
    if (best == nullptr) return std::nullopt;
    std::string name = best->name;
    cancel(name);
    return name;
  }
  std::vector<One> all;
};

TEST(Timers, AsTheSlowOnes) {
  Random random(5);
  for (int round = 0; round < 50; ++round) {
    Timers timers;
    SlowTimers slow;
    Clock::time_point now{};
    for (int i = 0; i < 200; ++i) {
      const std::string name(1, static_cast<char>('a' + random.uniform_below(8)));
      if (random.chance(0.5)) {
        const auto when = now + milliseconds(random.uniform_below(30));
        timers.set(name, when);
        slow.set(name, when);
      } else if (random.chance(0.3)) {
        timers.cancel(name);
        slow.cancel(name);
      } else {
        now += milliseconds(random.uniform_below(10));
        const auto one = timers.due(now);
        EXPECT_EQ(one, slow.due(now));
      }
      EXPECT_EQ(timers.size(), slow.all.size());
      EXPECT_EQ(timers.next().has_value(), !slow.all.empty());
    }
  }
}

}  // namespace
}  // namespace clew::host
