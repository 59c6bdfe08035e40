#include "explore/history.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "explore/stateful.h"
#include "tests/twins/effort.h"

namespace clew::explore {
namespace {

using node::RequestId;

// A request is the number to write, or 0 to read; the reply is the number that was there.
struct Access {
  int8_t write = 0;
  CLEW_FIELDS(Access, write)
};
using Seen = int8_t;

Seen take_register(Seen& held, const Access& access) {
  const Seen before = held;
  if (access.write != 0) held = access.write;
  return before;
}

Sequential a_register() {
  return {"register", node::encode(Seen{0}), [](std::string& state, std::string_view request) {
            Seen held = *node::decode<Seen>(state);
            const Seen seen = take_register(held, *node::decode<Access>(request));
            state = node::encode(held);
            return node::encode(seen);
          }};
}

// example: src/explore/history.h
TEST(HistoryTest, AnAnswerThatIsExplained) {
  const Sequential object = a_register();
  const RequestId id{0, 0};
  const std::string request = node::encode(Access{1}), reply = node::encode(Seen{0});
  Histories histories(object);
  HistoryId history = histories.asked(Histories::kNothing, id, request);
  history = histories.answered(history, id, reply);
  if (histories.broken(history)) {
    FAIL();
  }
  EXPECT_EQ(histories.answered(history, id, reply), history) << "nobody waits for it";
  history = histories.asked(history, {0, 1}, node::encode(Access{0}));
  EXPECT_FALSE(histories.broken(histories.answered(history, {0, 1}, node::encode(Seen{1}))));
  history = histories.answered(history, {0, 1}, node::encode(Seen{0}));
  EXPECT_TRUE(histories.broken(history)) << "the write was over before the read began";
  history = histories.asked(history, {0, 2}, node::encode(Access{0}));
  EXPECT_TRUE(histories.broken(histories.answered(history, {0, 2}, node::encode(Seen{1}))));
}

TEST(HistoryTest, WhatGoesOnAlikeIsOneHistory) {
  Histories histories(a_register());
  const auto done = [&](HistoryId history, RequestId id, int8_t write, Seen seen) {
    history = histories.asked(history, id, node::encode(Access{write}));
    return histories.answered(history, id, node::encode(seen));
  };
  const HistoryId wrote = done(Histories::kNothing, {0, 0}, 1, 0);
  const HistoryId wrote_and_read = done(wrote, {1, 0}, 0, 1);
  EXPECT_EQ(wrote, wrote_and_read);
  EXPECT_NE(wrote, done(wrote, {0, 1}, 2, 1));
}

struct Happening {
  bool answer = false;
  size_t request = 0;
  Seen reply = 0;
};

// Whether an order of the requests, all that were answered and some that were not, explains it:
// by trying all orders.
bool explained(const std::vector<Access>& requests, const std::vector<Happening>& happenings) {
  const size_t count = requests.size();
  std::vector<size_t> begin(count, SIZE_MAX), end(count, SIZE_MAX), order;
  std::vector<Seen> reply(count);
  for (size_t i = 0; i < happenings.size(); ++i) {
    const Happening& one = happenings[i];
    (one.answer ? end : begin)[one.request] = i;
    if (one.answer) reply[one.request] = one.reply;
    if (!one.answer) order.push_back(one.request);
  }
  std::ranges::sort(order);
  do {
    for (size_t taken = 0; taken <= order.size(); ++taken) {
      // The first `taken` of the order happen; the others must be unanswered.
      bool fits = std::all_of(order.begin() + static_cast<std::ptrdiff_t>(taken), order.end(),
                              [&](size_t r) { return end[r] == SIZE_MAX; });
      Seen held = 0;
      for (size_t i = 0; i < taken && fits; ++i) {
        const Seen seen = take_register(held, requests[order[i]]);
        fits = end[order[i]] == SIZE_MAX || seen == reply[order[i]];
        for (size_t later = i + 1; later < taken && fits; ++later) {
          fits = begin[order[i]] < end[order[later]];
        }
      }
      if (fits) return true;
    }
  } while (std::ranges::next_permutation(order).found);
  return false;
}

TEST(HistoryTest, RandomHistoriesAsByTryingAllOrders) {
  size_t broken = 0;
  const uint64_t cases = twins::effort(5'000);
  for (uint64_t seed = 1; seed <= cases; ++seed) {
    Random random(seed);
    std::vector<Access> requests;
    std::vector<Happening> happenings;
    std::vector<size_t> waiting;
    Histories histories(a_register());
    HistoryId history = Histories::kNothing;
    while (happenings.size() < 9) {
      const bool asks = waiting.empty() || (requests.size() < 5 && random.uniform_below(2) == 0);
      if (asks && requests.size() == 5) break;
      if (asks) {
        const auto number = static_cast<uint32_t>(requests.size());
        requests.push_back({static_cast<int8_t>(random.uniform_below(2))});
        waiting.push_back(number);
        happenings.push_back({false, number, 0});
        history = histories.asked(history, {number, 0}, node::encode(requests.back()));
      } else {
        const size_t at = random.uniform_below(waiting.size());
        const size_t number = waiting[at];
        waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(at));
        const auto reply = static_cast<Seen>(random.uniform_below(2));
        happenings.push_back({true, number, reply});
        history =
            histories.answered(history, {static_cast<uint32_t>(number), 0}, node::encode(reply));
      }
      ASSERT_EQ(histories.broken(history), !explained(requests, happenings)) << "seed " << seed;
    }
    broken += histories.broken(history) ? 1 : 0;
  }
  EXPECT_GT(broken * 10, cases);
  EXPECT_LT(broken * 10, cases * 9);
}

struct Copy {
  Seen value = 0;
  CLEW_FIELDS(Copy, value)
};

// Writes at once and tells the others later; reads what it has.
struct Replica : node::Node<Replica, Copy, Access, Seen> {
  explicit Replica(std::vector<Id> all) : others(std::move(all)) {}
  void receive(Env&, Id, const Copy& copy) { held = copy.value; }
  void request(Env& env, RequestId id, const Access& access) {
    Seen now = held;
    env.reply(id, take_register(now, access));
    held = now;
    if (access.write == 0) return;
    for (const Id other : others) env.send(other, Copy{now});
  }
  const std::vector<Id> others;
  node::Field<Seen> held{this, "held"};
};

Exploration with_replicas(size_t count) {
  Cluster cluster(count == 1 ? std::vector<std::string>{"a"} : std::vector<std::string>{"a", "b"});
  cluster.node<Replica>("a", count == 1 ? std::vector<Id>() : std::vector<Id>{Id{1}});
  if (count > 1) cluster.node<Replica>("b", std::vector<Id>{Id{0}});
  const std::string other = count == 1 ? "a" : "b";
  cluster.client({cluster.ask("a", Access{1}), cluster.ask(other, Access{0})});
  cluster.client({cluster.ask(other, Access{0}), cluster.ask("a", Access{2})});
  cluster.linearizable<Access>("one register", Seen{0}, take_register);
  return Stateful(cluster, {.symmetry = false}).run();
}

TEST(HistoryTest, OneReplicaIsARegister) {
  const Exploration found = with_replicas(1);
  EXPECT_TRUE(found.complete);
  EXPECT_FALSE(found.violation);
}

TEST(HistoryTest, TwoReplicasAreNone) {
  const Exploration found = with_replicas(2);
  ASSERT_TRUE(found.violation);
  EXPECT_EQ(found.violation->property, "one register");
  // a takes the write and answers; b is asked before it has heard of it.
  EXPECT_EQ(found.violation->path.size(), 2U);
}

}  // namespace
}  // namespace clew::explore
