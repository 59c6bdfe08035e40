// Attacks on the rule by which combinations count as covered: targets that misbehave in their error
// paths. What counts as covered is run, and must never strike.
#include "service/coverage.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "service/session.h"
#include "tests/service/fake_target.h"

namespace clew::service {
namespace {

using inject::Plan;

// A search with two runs of each combination, each with a seed of its own.
struct Covering {
  Covering(const FakeTarget& fake, uint32_t most_failures, uint64_t first_seed = 0)
      : target(target_of(fake, most_failures)),
        known(target.kinds),
        judging(1),
        looker(target, known, judging),
        search(known, most_failures),
        coverage(known),
        seed(first_seed) {
    search.begin(looks_of(fake, {}, 3));
    while (const std::optional<uint32_t> next = search.next()) {
      const Combination combination = search.item(*next).combination;
      search.observe(*next, looks_of(fake, combination, 2));
      coverage.add(search, *next);
      if (search.item(*next).state == Search::State::kTried) tried.insert(combination);
    }
  }

  std::vector<Look> looks_of(const FakeTarget& fake, const Combination& combination, int times) {
    std::vector<Look> looks;
    const Plan plan = known.plan(combination);
    for (; times > 0; --times) looks.push_back(*looker.look(plan, fake.run(plan, ++seed)));
    return looks;
  }

  // That are covered, and not seen to strike after all.
  std::vector<Plan> claims() const {
    std::vector<Plan> plans;
    for (const Combination& one : coverage.all()) {
      if (!search.find(one)) plans.push_back(known.plan(one));
    }
    std::ranges::sort(plans);
    return plans;
  }

  inject::Target target;
  Known known;
  FakeJudging judging;
  Looker looker;
  Search search;
  Coverage coverage;
  CombinationSet tried;
  uint64_t seed;
};

std::vector<std::string> claims_of(const FakeTarget& fake) {
  std::vector<std::string> names;
  for (const Plan& plan : Covering(fake, 2).claims()) names.push_back(in_names(plan, fake));
  std::ranges::sort(names);
  return names;
}

bool strikes(const FakeTarget& fake, const Plan& plan, uint64_t seed) {
  return fake.run(plan, seed).reached.size() == plan.size();
}

TEST(Coverage, WhatAnErrorPathLeavesOutIsCovered) {
  FakeTarget fake;
  fake.steps = {{.point = "a", .gives_up = true}, {.point = "b"}};
  const std::vector<std::string> expected = {"EIO@a, EIO@b", "EIO@a, crash-after@b",
                                             "EIO@a, crash-before@b"};
  EXPECT_EQ(claims_of(fake), expected);
}

// The error path comes to b by itself: then the pair strikes, and is tried.
TEST(Coverage, WhatAnErrorPathComesToIsNot) {
  FakeTarget fake;
  fake.steps = {{.point = "a", .error_path = {{.point = "b"}}, .gives_up = true}, {.point = "b"}};
  EXPECT_TRUE(claims_of(fake).empty());
}

// Of a site that some runs without failures do not show, nothing is claimed.
TEST(Coverage, WhatComesByNowAndThenIsNot) {
  FakeTarget fake;
  fake.steps = {{.point = "a", .gives_up = true}, {.point = "b", .fickle = 0.5}, {.point = "c"}};
  size_t always = 0;
  for (uint64_t seed = 0; seed < 4'000; seed += 100) {
    const Covering covering(fake, 2, seed);
    const std::vector<Search::Item::Shown>& shown = covering.search.item(0).shown;
    const auto all = [](const Search::Item::Shown& run) { return run.sites.size() == 3; };
    const bool in_all = std::ranges::all_of(shown, all);
    always += in_all;
    size_t about_b = 0;
    for (const Plan& plan : covering.claims()) {
      about_b += in_names(plan, fake).find("@b") != std::string::npos;
    }
    EXPECT_EQ(about_b > 0, in_all) << seed;
  }
  EXPECT_GT(always, 0U);
  EXPECT_LT(always, 20U);
}

// Nor where runs of the same error path show different sites.
TEST(Coverage, AnErrorPathThatIsNotAlwaysTheSameClaimsNothing) {
  FakeTarget fake;
  fake.steps = {{.point = "a", .error_path = {{.point = "x", .fickle = 0.5}}, .gives_up = true},
                {.point = "b"}};
  size_t alike = 0;
  for (uint64_t seed = 0; seed < 4'000; seed += 100) {
    Covering covering(fake, 2, seed);
    const std::optional<uint32_t> error =
        covering.search.find(covering.known.combination(fake_plan({"EIO@a"})));
    ASSERT_TRUE(error.has_value());
    const std::vector<Search::Item::Shown>& shown = covering.search.item(*error).shown;
    const bool same = shown[0].sites == shown[1].sites;
    alike += same;
    EXPECT_EQ(same, !sites_never_reached(covering.known, covering.search, *error).empty());
  }
  EXPECT_GT(alike, 5U);
  EXPECT_LT(alike, 35U);
}

TEST(Coverage, OneRunIsNotEnough) {
  FakeTarget fake;
  fake.steps = {{.point = "a", .gives_up = true}, {.point = "b"}};
  Covering covering(fake, 2);
  Search once(covering.known, 2);
  once.begin(covering.looks_of(fake, {}, 3));
  const uint32_t item = *once.next();
  once.observe(item, covering.looks_of(fake, once.item(item).combination, 1));
  EXPECT_TRUE(sites_never_reached(covering.known, once, item).empty());
}

// Of targets that always do the same, every combination of sites that the run without failures
// shows is tried or covered, and nothing that is covered strikes.
TEST(Coverage, NothingThatIsCoveredStrikes) {
  Random random(11);
  size_t claimed = 0;
  for (int round = 0; round < 200; ++round) {
    const FakeTarget fake = random_target(random, 5, false);
    Covering covering(fake, round < 150 ? 2 : 3);
    for (const Plan& plan : covering.claims()) {
      ASSERT_FALSE(strikes(fake, plan, 1)) << in_names(plan, fake);
      ++claimed;
    }
    const std::vector<uint32_t> sites = covering.search.item(0).shown.front().sites;
    for (size_t i = 0; i < sites.size(); ++i) {
      for (size_t j = i + 1; j < sites.size(); ++j) {
        for (const uint32_t f : covering.known.failures_at(sites[i])) {
          for (const uint32_t g : covering.known.failures_at(sites[j])) {
            const Combination pair = with({f}, g);
            ASSERT_NE(covering.tried.contains(pair), covering.coverage.all().contains(pair));
          }
        }
      }
    }
  }
  EXPECT_GT(claimed, 1'000U);
}

// Of targets that do not, what was shown to strike is never claimed; and of what is claimed hardly
// anything ever strikes, however often it is tried.
TEST(Coverage, FickleTargetsMayStrikeOnlyWhereNoRunHasShownIt) {
  Random random(12);
  size_t claimed = 0, wrong = 0;
  for (int round = 0; round < 200; ++round) {
    const FakeTarget fake = random_target(random, 5, true);
    const Covering covering(fake, 2);
    for (const Plan& plan : covering.claims()) {
      ASSERT_FALSE(covering.tried.contains(Known(covering.known).combination(plan)));
      bool strikes_once = false;
      for (uint64_t seed = 1000; seed < 1020; ++seed) strikes_once |= strikes(fake, plan, seed);
      wrong += strikes_once;
      ++claimed;
    }
  }
  EXPECT_GT(claimed, 500U);
  EXPECT_LT(wrong * 20, claimed);
}

}  // namespace
}  // namespace clew::service
