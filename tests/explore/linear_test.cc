// Linearizability of a run that is over, held against what history.h says answer by answer.
#include "explore/linear.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "node/value.h"

namespace clew::explore {
namespace {

// A register of small numbers: requests put a number, or get it with -1.
Sequential small_register() {
  return {"a register", node::encode(int64_t{0}), [](std::string& state, std::string_view request) {
            const int64_t asked = *node::decode<int64_t>(request);
            if (asked >= 0) state = request;
            return state;
          }};
}

struct Event {
  node::RequestId id;
  bool is_answer = false;
  int64_t value = 0;
};

// Some clients at once, of which some never get an answer, and some a wrong one.
std::vector<Event> random_run(Random& random) {
  std::vector<Event> events;
  int64_t truth = 0;
  std::vector<std::pair<node::RequestId, int64_t>> waiting;
  const uint64_t count = 4 + random.uniform_below(10);
  for (uint64_t i = 0; i < count; ++i) {
    if (waiting.size() < 4 && random.chance(0.6)) {
      const auto value = static_cast<int64_t>(random.uniform_below(4)) - 1;
      const node::RequestId id{static_cast<uint32_t>(i), 0};
      waiting.emplace_back(id, value);
      events.push_back({id, false, value});
    } else if (!waiting.empty()) {
      const size_t which = random.uniform_below(waiting.size());
      const auto [id, value] = waiting[which];
      if (random.chance(0.2)) {
        waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(which));
        continue;  // nobody hears of it again
      }
      if (value >= 0) truth = value;
      const auto wrong = static_cast<int64_t>(random.uniform_below(3));
      events.push_back({id, true, value >= 0 ? value : random.chance(0.3) ? wrong : truth});
      waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(which));
    }
  }
  return events;
}

TEST(Linear, SaysWhatHistoriesSay) {
  size_t broken = 0;
  Random random(1);
  for (int round = 0; round < 5000; ++round) {
    const std::vector<Event> events = random_run(random);
    Histories histories(small_register());
    HistoryId history = Histories::kNothing;
    Seen seen;
    std::optional<size_t> first_broken;
    for (size_t i = 0; i < events.size(); ++i) {
      const std::string bytes = node::encode(events[i].value);
      if (events[i].is_answer) {
        history = histories.answered(history, events[i].id, bytes);
        seen.answered(events[i].id, bytes);
      } else {
        history = histories.asked(history, events[i].id, bytes);
        seen.asked(events[i].id, bytes);
      }
      if (histories.broken(history) && !first_broken) first_broken = i;
    }
    const LinearVerdict verdict = judge_linear(small_register(), seen);
    ASSERT_EQ(verdict.kind == LinearVerdict::Kind::kBroken, first_broken.has_value()) << round;
    if (first_broken) {
      EXPECT_EQ(verdict.event, *first_broken) << round;
      ++broken;
    }
  }
  EXPECT_GT(broken, 200U);
}

// example: src/explore/linear.h
TEST(Linear, Example) {
  const Sequential object = small_register();
  const node::RequestId id{1, 0};
  const std::string request = node::encode(int64_t{5}), reply = request;
  Seen seen;
  seen.asked(id, request);
  seen.answered(id, reply);
  LinearVerdict verdict = judge_linear(object, seen);
  EXPECT_EQ(verdict.kind, LinearVerdict::Kind::kLinear);
}

TEST(Linear, OfALongRunWithManyThatAreNeverAnswered) {
  Seen seen;
  Random random(2);
  int64_t truth = 0;
  for (uint32_t i = 0; i < 20'000; ++i) {
    const bool puts = random.chance(0.5);
    const int64_t value = puts ? int64_t{i} + 1 : -1;
    seen.asked({i, 0}, node::encode(value));
    if (puts && i % 50 == 0) {
      if (random.chance(0.5)) truth = value;
      continue;
    }
    if (puts) truth = value;
    seen.answered({i, 0}, node::encode(truth));
  }
  EXPECT_EQ(judge_linear(small_register(), seen).kind, LinearVerdict::Kind::kLinear);
}

}  // namespace
}  // namespace clew::explore
