// Which bounds a sweep tries, in order. The world is scripted: what breaks at which bounds, and
// how long runs take to recover.
#include "search/sweep.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace clew::search {
namespace {

using Kind = Verdict::Kind;
using Ends = Outcome::Kind;

const FaultSet kLoss{Omission{"a", "b", 1}};

std::string bounds(const FaultModel& model) {
  return fmt::format("{}/{}/{}", model.eot, model.eff, model.crashes);
}

// Without faults runs promise something from tick `promises` on, keep it from `keeps` on, and send
// messages before `sends`. Checks say what `check` says; each takes two runs.
struct World {
  Tick promises = 1;
  Tick keeps = 1;
  Tick sends = 3;
  std::function<Kind(const FaultModel&)> check = [](const FaultModel&) { return Kind::kRobust; };
  std::function<Ends(Tick eot)> with_faults = [](Tick) { return Ends::kViolated; };
  size_t most_checks = 6;
  size_t most_work = 100;  // checks, until enough is done
  Tick breaks = 100;       // from this tick on the run without faults is violated
  FaultSet found = kLoss;  // what a check finds
  Tick eventually = 0;
  Tick fails_at = 100;

  SweepResult sweep(SweepOptions options) {
    SweepWorld world;
    world.check = [&](const FaultModel& model) {
      tried.push_back(bounds(model));
      Verdict verdict;
      verdict.kind = check(model);
      verdict.model = model;
      verdict.effort.executions = 2;
      if (verdict.kind == Kind::kBroken) verdict.counterexamples = {{found, {}}};
      if (verdict.kind == Kind::kUnknown) verdict.why_unknown = "it is too large";
      return verdict;
    };
    world.outcome = [&](const FaultSet& faults, Tick eot) -> std::optional<Ends> {
      if (eot >= fails_at) return std::nullopt;
      if (!faults.empty()) return with_faults(eot);
      if (eot < promises) return Ends::kVacuous;
      if (eot >= breaks) return Ends::kViolated;
      return eot < keeps ? Ends::kViolated : Ends::kHolds;
    };
    world.sends_messages = [&](Tick eot) { return eot >= sends; };
    world.stop = [&] { return tried.size() >= most_checks; };
    world.enough = [&] { return tried.size() >= most_work; };
    return search::sweep({{"a", "b"}, 1, 0, 0, CrashModel::kSilent, eventually}, world, options);
  }

  std::string list() const { return fmt::format("{}", fmt::join(tried, " ")); }

  std::vector<std::string> tried;
};

TEST(Sweep, GrowsUntilTheBudgetIsUsedUp) {
  World world;
  SweepResult result = world.sweep({.crashes = 1});
  EXPECT_EQ(world.list(), "3/0/1 3/2/1 4/3/1 5/4/1 6/5/1 7/6/1");
  EXPECT_EQ(result.verdict.kind, Kind::kRobust);
  EXPECT_EQ(bounds(result.verdict.model), "7/6/1");
  EXPECT_EQ(result.steps.size(), 6U);
  EXPECT_EQ(result.executions, 3U + 6U * 2U);
}

TEST(Sweep, EndsWhenEnoughIsDone) {
  World world;
  world.most_work = 3;
  SweepResult result = world.sweep({.crashes = 1});
  EXPECT_EQ(world.list(), "3/0/1 3/2/1 4/3/1");
  EXPECT_TRUE(result.enough);
  EXPECT_EQ(bounds(result.verdict.model), "4/3/1");

  // A question that was given up for the same reason.
  World given_up;
  given_up.most_work = 2;
  given_up.check = [&](const FaultModel&) {
    return given_up.tried.size() > 1 ? Kind::kUnknown : Kind::kRobust;
  };
  result = given_up.sweep({.crashes = 1});
  EXPECT_TRUE(result.enough);
  EXPECT_EQ(bounds(result.verdict.model), "3/0/1");

  // Not before something is robust, and not while it is unclear how few crashes break it.
  World broken;
  broken.most_work = 1;
  broken.check = [](const FaultModel& model) {
    return model.crashes == 2 ? Kind::kBroken : Kind::kRobust;
  };
  result = broken.sweep({.crashes = 2});
  EXPECT_EQ(broken.list(), "3/0/2 3/0/0 3/0/1");
  EXPECT_FALSE(result.enough);
  EXPECT_EQ(result.verdict.kind, Kind::kBroken);
}

// A violation without faults that shows late: the smallest EOT of all that have it.
TEST(Sweep, AViolationThatNeedsNoFaultIsToldFromWhereItBegins) {
  World world;
  world.breaks = 6;
  world.check = [](const FaultModel& model) {
    return model.eot >= 8 ? Kind::kBroken : Kind::kRobust;
  };
  world.most_checks = 20;
  world.found = {};
  SweepResult result = world.sweep({.crashes = 1});
  EXPECT_EQ(result.verdict.kind, Kind::kBroken);
  EXPECT_EQ(bounds(result.verdict.model), "6/0/0");
  EXPECT_EQ(result.violated_until, 20);
}

TEST(Sweep, StartsWhenAPromiseIsKeptAndMessagesAreSent) {
  struct Case {
    Tick promises;
    Tick keeps;
    Tick sends;
    std::string tried;
  };
  const Case table[] = {
      {1, 1, 2, "2/0/1 2/1/1"},
      {5, 5, 2, "5/0/1 5/2/1"},
      {2, 6, 3, "6/0/1 6/2/1"},
      {1, 1, 7, "7/0/1 7/2/1"},
      {20, 20, 2, "20/0/1 20/2/1"},
      // Without messages there is still something to crash.
      {1, 1, 99, "20/0/1 20/2/1"},
  };
  for (const Case& one : table) {
    World world;
    world.promises = one.promises;
    world.keeps = one.keeps;
    world.sends = one.sends;
    world.most_checks = 2;
    world.sweep({.crashes = 1});
    EXPECT_EQ(world.list(), one.tried);
  }
}

TEST(Sweep, FindsNoRunThatKeepsItsPromise) {
  World vacuous;
  vacuous.promises = 21;
  SweepResult result = vacuous.sweep({.crashes = 1});
  EXPECT_EQ(vacuous.list(), "");
  EXPECT_EQ(result.verdict.kind, Kind::kUnknown);
  EXPECT_TRUE(result.verdict.vacuous);
  EXPECT_EQ(result.verdict.why_unknown, "`pre` is empty in the run without faults");

  World violated;
  violated.promises = 3;
  violated.keeps = 33;
  result = violated.sweep({.crashes = 1});
  EXPECT_EQ(violated.list(), "");
  EXPECT_EQ(result.verdict.kind, Kind::kBroken);
  EXPECT_EQ(result.verdict.counterexamples, std::vector<Choice>{{}});
  // The smallest EOT from which on it is violated, as far as it was looked.
  EXPECT_EQ(bounds(result.verdict.model), "3/0/0");
  EXPECT_EQ(result.violated_until, 32);

  // It only takes long.
  World slow;
  slow.keeps = 32;
  slow.most_checks = 1;
  slow.sweep({.crashes = 1});
  EXPECT_EQ(slow.list(), "32/0/1");
}

TEST(Sweep, ARunWithoutFaultsThatFailsIsTheEnd) {
  World world;
  world.sends = 9;
  world.fails_at = 4;
  SweepResult result = world.sweep({.crashes = 1});
  EXPECT_EQ(result.verdict.kind, Kind::kFailed);
  EXPECT_EQ(result.verdict.model.eot, 4);
  EXPECT_EQ(world.list(), "");
}

// What breaks is tried again with fewer crashes, until it breaks with as few as possible.
TEST(Sweep, FindsTheFewestCrashes) {
  struct Case {
    int needed;
    std::string tried;
  };
  const Case table[] = {
      {2, "3/0/2 3/2/2 3/2/0 3/2/1"}, {1, "3/0/2 3/2/2 3/2/0 3/2/1"}, {0, "3/0/2 3/2/2 3/2/0"}};
  for (const Case& one : table) {
    World world;
    world.check = [&](const FaultModel& model) {
      return model.eff == 2 && model.crashes >= one.needed ? Kind::kBroken : Kind::kRobust;
    };
    SweepResult result = world.sweep({.crashes = 2});
    EXPECT_EQ(world.list(), one.tried);
    EXPECT_EQ(result.verdict.kind, Kind::kBroken);
    EXPECT_EQ(bounds(result.verdict.model), fmt::format("3/2/{}", one.needed));
    EXPECT_EQ(result.verdict.counterexamples, (std::vector<Choice>{{kLoss, {}}}));
  }
}

// A violation at EOT 3 to 6 that is gone from tick 7 on: the protocol needs that long.
TEST(Sweep, GivesTheProtocolTimeToRecover) {
  World world;
  world.check = [](const FaultModel& model) {
    return model.eff >= 2 && model.eot < 7 ? Kind::kBroken : Kind::kRobust;
  };
  world.with_faults = [](Tick eot) { return eot < 7 ? Ends::kViolated : Ends::kHolds; };
  world.most_checks = 5;
  SweepResult result = world.sweep({.crashes = 0});
  EXPECT_EQ(world.list(), "3/0/0 3/2/0 7/2/0 7/3/0 7/4/0");
  EXPECT_EQ(result.verdict.kind, Kind::kRobust);
  EXPECT_EQ(bounds(result.verdict.model), "7/4/0");
  EXPECT_EQ(result.steps[1].kind, Kind::kBroken);
}

TEST(Sweep, AViolationThatComesBackLasts) {
  struct Case {
    std::function<Ends(Tick)> with_faults;
    std::string tried;
  };
  const Case table[] = {
      // Until the end of its patience, 12 ticks later.
      {[](Tick eot) { return eot == 15 ? Ends::kViolated : Ends::kHolds; }, "3/0/0"},
      {[](Tick eot) { return eot < 15 ? Ends::kViolated : Ends::kHolds; }, "3/0/0 15/0/0"},
      {[](Tick eot) { return eot < 16 ? Ends::kViolated : Ends::kHolds; }, "3/0/0"},
      // Gone, back, and gone for good.
      {[](Tick eot) { return eot % 4 == 2 && eot < 9 ? Ends::kViolated : Ends::kHolds; },
       "3/0/0 7/0/0"},
      {[](Tick eot) { return eot < 5 ? Ends::kViolated : Ends::kVacuous; }, "3/0/0 5/0/0"},
  };
  for (const Case& one : table) {
    World world;
    world.check = [](const FaultModel&) { return Kind::kBroken; };
    world.with_faults = one.with_faults;
    world.most_checks = 2;
    SweepResult result = world.sweep({.crashes = 0});
    EXPECT_EQ(world.list(), one.tried);
    bool lasts = world.tried.size() == 1;
    EXPECT_EQ(result.verdict.kind, lasts ? Kind::kBroken : Kind::kUnknown);
    EXPECT_EQ(result.verdict.counterexamples.size(), lasts ? 1U : 0U);
  }
}

// What is asked for after the last fault is left at the end of every run.
TEST(Sweep, LeavesTimeAfterTheLastFault) {
  World world;
  world.eventually = 3;
  SweepResult result = world.sweep({.crashes = 1});
  EXPECT_EQ(world.list(), "4/0/1 4/2/1 5/3/1 6/4/1 7/5/1 8/6/1");
  EXPECT_EQ(describe_bounds(result.verdict.model), "EOT 8, EFF 6, 1 crash, eventually 3");
  World fixed;
  fixed.eventually = 3;
  fixed.sweep({.crashes = 1, .eot = 6, .eff = {}});
  EXPECT_EQ(fixed.list(), "6/0/1 6/2/1 6/3/1 6/4/1");
  World eff;
  eff.eventually = 3;
  eff.most_checks = 2;
  eff.sweep({.crashes = 1, .eot = {}, .eff = 4});
  EXPECT_EQ(eff.list(), "6/4/1 7/4/1");
  World late;
  late.eventually = 30;
  late.keeps = 50;
  late.most_checks = 1;
  late.sweep({.crashes = 1});
  EXPECT_EQ(late.list(), "50/0/1");
}

// Then a violation counts even if it goes away, unless no fault has brought it about.
TEST(Sweep, AViolationCountsOnceTheTimeIsUp) {
  World world;
  world.eventually = 3;
  world.check = [](const FaultModel& model) {
    return model.eff >= 2 && model.eot < 7 ? Kind::kBroken : Kind::kRobust;
  };
  world.with_faults = [](Tick eot) { return eot < 7 ? Ends::kViolated : Ends::kHolds; };
  SweepResult result = world.sweep({.crashes = 0});
  EXPECT_EQ(world.list(), "4/0/0 4/2/0");
  EXPECT_EQ(result.verdict.kind, Kind::kBroken);
}

TEST(Sweep, AFixedEotLetsOnlyEffGrow) {
  World world;
  SweepResult result = world.sweep({.crashes = 1, .eot = 5, .eff = {}});
  EXPECT_EQ(world.list(), "5/0/1 5/2/1 5/3/1 5/4/1");
  EXPECT_EQ(result.verdict.kind, Kind::kRobust);
  EXPECT_EQ(bounds(result.verdict.model), "5/4/1");
}

TEST(Sweep, AViolationAtAFixedEotCountsEvenIfItRecovers) {
  World world;
  world.check = [](const FaultModel&) { return Kind::kBroken; };
  world.with_faults = [](Tick) { return Ends::kHolds; };
  SweepResult result = world.sweep({.crashes = 0, .eot = 5, .eff = {}});
  EXPECT_EQ(world.list(), "5/0/0");
  EXPECT_EQ(result.verdict.kind, Kind::kBroken);
}

TEST(Sweep, AFixedEffLetsOnlyEotGrow) {
  World world;
  world.most_checks = 3;
  SweepResult result = world.sweep({.crashes = 1, .eot = {}, .eff = 2});
  EXPECT_EQ(world.list(), "3/2/1 4/2/1 5/2/1");
  EXPECT_EQ(bounds(result.verdict.model), "5/2/1");
  // EFF is never beyond EOT.
  World late;
  late.most_checks = 2;
  late.sweep({.crashes = 1, .eot = {}, .eff = 6});
  EXPECT_EQ(late.list(), "6/6/1 7/6/1");
}

TEST(Sweep, BothFixedMeansOneCheck) {
  World world;
  SweepResult result = world.sweep({.crashes = 1, .eot = 5, .eff = 3});
  EXPECT_EQ(world.list(), "5/3/1");
  EXPECT_EQ(result.verdict.kind, Kind::kRobust);
}

TEST(Sweep, ACheckThatCannotTellEndsIt) {
  World at_once;
  at_once.check = [](const FaultModel&) { return Kind::kUnknown; };
  SweepResult result = at_once.sweep({.crashes = 1});
  EXPECT_EQ(at_once.list(), "3/0/1");
  EXPECT_EQ(result.verdict.kind, Kind::kUnknown);
  EXPECT_EQ(result.verdict.why_unknown, "it is too large");

  // What was sure before is the answer.
  World later;
  later.check = [](const FaultModel& model) {
    return model.eot == 4 ? Kind::kUnknown : Kind::kRobust;
  };
  result = later.sweep({.crashes = 1});
  EXPECT_EQ(later.list(), "3/0/1 3/2/1 4/3/1");
  EXPECT_EQ(result.verdict.kind, Kind::kRobust);
  EXPECT_EQ(bounds(result.verdict.model), "3/2/1");
}

TEST(Sweep, ABudgetThatEndsBeforeTheFirstCheck) {
  World world;
  world.most_checks = 0;
  SweepResult result = world.sweep({.crashes = 1});
  EXPECT_EQ(world.list(), "");
  EXPECT_EQ(result.verdict.kind, Kind::kUnknown);
  EXPECT_EQ(result.verdict.why_unknown, "the budget was used up");
}

TEST(Sweep, ACheckThatFailsEndsIt) {
  World world;
  world.check = [](const FaultModel& model) {
    return model.eff == 2 ? Kind::kFailed : Kind::kRobust;
  };
  SweepResult result = world.sweep({.crashes = 1});
  EXPECT_EQ(world.list(), "3/0/1 3/2/1");
  EXPECT_EQ(result.verdict.kind, Kind::kFailed);
}

TEST(Sweep, TheBoundsThatComeNext) {
  struct Case {
    Tick eot;
    Tick eff;
    std::string next;
  };
  const Case table[] = {{1, 0, "2/1/1"}, {2, 0, "2/1/1"}, {3, 0, "3/2/1"}, {6, 0, "6/2/1"},
                        {6, 2, "6/3/1"}, {6, 4, "6/5/1"}, {6, 5, "7/6/1"}, {6, 6, "7/7/1"}};
  for (const Case& one : table) {
    FaultModel model{{"a", "b"}, one.eot, one.eff, 1, CrashModel::kSilent};
    EXPECT_EQ(bounds(next_bounds(model)), one.next) << bounds(model);
  }
}

}  // namespace
}  // namespace clew::search
