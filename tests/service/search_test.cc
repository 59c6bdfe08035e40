// Failure locking against brute force: on small targets of any shape, what can strike is tried
// once, and nothing else.
#include "service/search.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "service/coverage.h"
#include "tests/service/fake_target.h"

namespace clew::service {
namespace {

using inject::Plan;

// A whole search, run by run.
struct Walk {
  Walk(const FakeTarget& fake, uint32_t most_failures, uint32_t repeats = 1)
      : target(target_of(fake, most_failures)),
        known(target.kinds),
        judging(fake.promises),
        looker(target, known, judging),
        search(known, most_failures),
        coverage(known) {
    const auto looks_of = [&](const Plan& plan, uint32_t times) {
      std::vector<Look> looks;
      for (uint32_t i = 0; i < times; ++i) {
        looks.push_back(*looker.look(plan, fake.run(plan, ++seed)));
      }
      return looks;
    };
    search.begin(looks_of({}, 3));
    while (const std::optional<uint32_t> next = search.next()) {
      const Plan plan = known.plan(search.item(*next).combination);
      tried.push_back(plan);
      search.observe(*next, looks_of(plan, repeats));
      coverage.add(search, *next);
    }
  }

  std::vector<std::string> names(const FakeTarget& fake) const {
    std::vector<std::string> texts;
    for (const Plan& plan : tried) texts.push_back(in_names(plan, fake));
    return texts;
  }

  inject::Target target;
  Known known;
  FakeJudging judging;
  Looker looker;
  Search search;
  Coverage coverage;
  uint64_t seed = 0;
  std::vector<Plan> tried;
};

TEST(Search, TriesSingleFailuresThenWhatComesAfterThem) {
  FakeTarget fake;
  fake.steps = {{.point = "a", .error_path = {{.point = "x"}}}, {.point = "b", .stays_down = true}};
  const std::vector<std::string> expected = {
      "EIO@a",
      "crash-before@a",
      "crash-after@a",
      "EIO@b",
      "crash-before@b",
      "crash-after@b",
      "EIO@a, EIO@x",  // the error path of a
      "EIO@a, crash-before@x",
      "EIO@a, crash-after@x",
      "EIO@a, EIO@b",
      "EIO@a, crash-before@b",
      "EIO@a, crash-after@b",
      "EIO@b, crash-before@a",
      "crash-before@a, crash-before@b",
      "crash-after@b, crash-before@a",
      "EIO@b, crash-after@a",
      "crash-after@a, crash-before@b",
      "crash-after@a, crash-after@b",
  };
  EXPECT_EQ(Walk(fake, 2).names(fake), expected);
}

// What has failed once can fail again after a restart, and only then.
TEST(Search, APointFailsAgainInALaterLife) {
  FakeTarget fake;
  fake.restarts = true;
  fake.steps = {{.point = "a", .recovery = {{.point = "a"}}}};
  const std::vector<std::string> expected = {
      "EIO@a",
      "crash-before@a",
      "crash-after@a",
      "EIO@a~2, crash-before@a",
      "crash-before@a, crash-before@a~2",
      "crash-after@a~2, crash-before@a",
      "EIO@a~2, crash-after@a",
      "crash-after@a, crash-before@a~2",
      "crash-after@a, crash-after@a~2",
  };
  EXPECT_EQ(Walk(fake, 2).names(fake), expected);
}

TEST(Search, TriesExactlyWhatCanStrikeOnce) {
  Random random(5);
  size_t pairs = 0;
  for (int round = 0; round < 100; ++round) {
    FakeTarget fake = random_target(random, 5, false);
    if (round < 20) fake.restarts = false;  // brute force over three lives takes too long
    for (uint32_t most = 1; most <= (round < 20 ? 3U : 2U); ++most) {
      const Walk walk(fake, most);
      const std::set<Plan> tried(walk.tried.begin(), walk.tried.end());
      ASSERT_EQ(tried.size(), walk.tried.size()) << "something was tried twice";
      std::set<Plan> strikes = all_that_strike(fake, all_failures(fake, walk.target, most), most);
      strikes.erase(Plan{});
      ASSERT_EQ(tried, strikes);
      pairs += tried.size();
    }
  }
  EXPECT_GT(pairs, 3'000U);
}

TEST(Search, FewFailuresComeFirst) {
  Random random(6);
  for (int round = 0; round < 50; ++round) {
    const Walk walk(random_target(random, 4, false), 3);
    EXPECT_TRUE(std::ranges::is_sorted(walk.tried, {}, &Plan::size));
  }
}

// A target that does not always do the same: nothing comes twice, and everything ends.
TEST(Search, TriesNothingTwiceOfAFickleTarget) {
  Random random(7);
  for (int round = 0; round < 200; ++round) {
    const Walk walk(random_target(random, 5, true), 2, 2);
    const std::set<Plan> tried(walk.tried.begin(), walk.tried.end());
    EXPECT_EQ(tried.size(), walk.tried.size());
    EXPECT_EQ(walk.search.waiting(), 0U);
  }
}

TEST(Search, APowerCutIsFollowedByTheOtherStatesOfTheDisk) {
  FakeTarget fake;
  fake.steps = {{.point = "a"}, {.point = "b"}};
  fake.states = {"none", "prefix-1", "all"};
  Walk walk(fake, 1);
  const std::vector<std::string> expected = {
      "EIO@a",
      "crash-before@a",
      "crash-after@a",
      "power-before(none)@a",
      "power-after(none)@a",
      "EIO@b",
      "crash-before@b",
      "crash-after@b",
      "power-before(none)@b",
      "power-after(none)@b",
      "power-before(all)@a",
      "power-before(prefix-1)@a",
      "power-after(all)@a",
      "power-after(prefix-1)@a",
      "power-before(all)@b",
      "power-before(prefix-1)@b",
      "power-after(all)@b",
      "power-after(prefix-1)@b",
  };
  EXPECT_EQ(walk.names(fake), expected);
  for (size_t i = 1; i < walk.search.size(); ++i) {
    EXPECT_EQ(walk.search.item(static_cast<uint32_t>(i)).parent, 0U);
  }
}

// In pairs, too: each choice of the first cut with each of the second.
TEST(Search, PairsOfPowerCutsHaveAllPairsOfStates) {
  FakeTarget fake;
  fake.steps = {{.point = "a"}, {.point = "b"}};
  fake.states = {"none", "all"};
  size_t cuts = 0;
  for (const Plan& plan : Walk(fake, 2).tried) {
    cuts += plan.size() == 2 && std::ranges::all_of(plan, &inject::Failure::is_power);
  }
  EXPECT_EQ(cuts, 16U);  // before or after a, and b; none or all, twice
}

TEST(Search, WhatIncludesAViolationComesLast) {
  FakeTarget fake;
  fake.steps = {{.point = "a"}, {.point = "b"}, {.point = "c"}};
  fake.bugs = {{.failures = {"EIO@a"}}};
  const std::vector<std::string> names = Walk(fake, 2).names(fake);
  const auto includes_bug = [](const std::string& text) {
    return text.size() > 5 && (text + ",").find("EIO@a,") != std::string::npos;
  };
  const auto first = std::ranges::find_if(names, includes_bug);
  ASSERT_NE(first, names.end());
  EXPECT_TRUE(std::all_of(first, names.end(), includes_bug));
  EXPECT_EQ(names.end() - first, 6);
}

TEST(Search, WhatIsBroughtForwardComesFirst) {
  FakeTarget fake;
  fake.steps = {{.point = "a"}, {.point = "b"}};
  const inject::Target target = target_of(fake, 2);
  Known known(target.kinds);
  FakeJudging judging(1);
  Looker looker(target, known, judging);
  Search search(known, 2);
  search.begin({*looker.look({}, fake.run({}, 1))});
  const Combination pair = known.combination(fake_plan({"EIO@a", "EIO@b"}));
  const std::optional<uint32_t> first = search.towards(pair);
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(search.item(*first).combination, known.combination(fake_plan({"EIO@b"})));
  search.bring_forward(*search.find(known.combination(fake_plan({"EIO@a"}))));
  search.only_forward(true);
  const std::optional<uint32_t> next = search.next();
  ASSERT_TRUE(next.has_value());
  EXPECT_EQ(known.plan(search.item(*next).combination), fake_plan({"EIO@a"}));
  EXPECT_FALSE(search.next().has_value());
  search.observe(*next, {*looker.look(fake_plan({"EIO@a"}), fake.run(fake_plan({"EIO@a"}), 1))});
  EXPECT_EQ(search.item(*search.towards(pair)).combination.size(), 1U);  // EIO@b may be first
  search.only_forward(false);
  std::set<Combination> rest;
  while (const std::optional<uint32_t> item = search.next()) {
    rest.insert(search.item(*item).combination);
  }
  EXPECT_TRUE(rest.contains(pair));
  EXPECT_FALSE(rest.contains(known.combination(fake_plan({"EIO@a"}))));
}

}  // namespace
}  // namespace clew::service
