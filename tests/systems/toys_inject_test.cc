// Every single failure in the toys: each bug is found, where it is, and nothing in the mended ones.
// A search of a few lines: no clew inject, but what it is made of.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "inject/facts.h"
#include "inject/local_runner.h"
#include "inject/target_checks.h"
#include "tests/inject/in_world.h"

namespace clew::inject {
namespace {

using Names = std::set<std::string>;

// A target, with all that has to be done once.
class Toy {
 public:
  explicit Toy(const std::string& name) {
    Result<Target> target = read_target(std::string(CLEW_TOYS) + "/" + name);
    CHECK(target.ok(), "{}", target.error().message);
    target_ = *std::move(target);
    SourceSet sources;
    Diagnostics diagnostics;
    auto spec =
        microspec::load_microspec(target_.spec, *relations_of(target_), sources, diagnostics);
    CHECK(spec, "{}", diagnostics.render(sources));
    spec_ = std::move(spec);
    judge_.emplace(*spec_);
    auto runner = LocalRunner::make(target_, {.jobs = 2});
    CHECK(runner.ok(), "{}", runner.error().message);
    runner_ = *std::move(runner);
  }

  const Target& target() const { return target_; }

  // In the order of the plans.
  std::vector<Observed> run(const std::vector<Plan>& plans) {
    std::vector<Observed> seen(plans.size());
    size_t started = 0;
    for (size_t done = 0; done < plans.size(); ++done) {
      for (; started < plans.size() && started < done + runner_->jobs(); ++started) {
        runner_->start(started, plans[started]);
      }
      Finished finished = runner_->next();
      seen[finished.ticket] = std::move(finished.observed);
    }
    return seen;
  }

  // The promises that are violated.
  Names violated(const Observed& seen, const Plan& plan = {}) {
    Result<clew::Run> run = to_run(target_, *spec_, seen, plan);
    EXPECT_TRUE(run.ok()) << run.error().message;
    const Status judged = judge_->judge(*run, Detail::kVerdict);
    EXPECT_TRUE(judged.ok()) << judged.error().message;
    Names names;
    for (const Outcome& outcome : run->outcomes) {
      if (outcome.kind == Outcome::Kind::kViolated) names.insert(outcome.spec);
    }
    return names;
  }

 private:
  Target target_;
  std::optional<microspec::MicroSpec> spec_;
  std::optional<microspec::Judge> judge_;
  std::unique_ptr<LocalRunner> runner_;
};

// By the filters of the toys, which are about objects alone.
bool may_fail(const Target& target, const Point& point) {
  return point.node != "workload" && std::ranges::none_of(target.never, [&](const Filter& filter) {
           return glob_matches(filter.object, point.object.name);
         });
}

// All that can go wrong first, with the kinds of the target.
std::vector<Plan> single_failures(const Target& target, const Observed& seen) {
  std::set<Failure> failures;
  for (const Point& point : seen.points) {
    if (!may_fail(target, point)) continue;
    const std::vector<Failure> here = failures_at(point, 1, target.kinds);
    failures.insert(here.begin(), here.end());
    if (here.empty() || !target.kinds.power) continue;
    for (const Effect effect : {Effect::kPowerBefore, Effect::kPowerAfter}) {
      failures.insert(Failure{.point = point.id(), .effect = effect, .keeps = "none"});
    }
  }
  std::vector<Plan> plans;
  for (const Failure& failure : failures) plans.push_back({failure});
  return plans;
}

// The same power cuts, with other crash states.
std::vector<Plan> other_states(const Target& target, const std::vector<Plan>& plans,
                               const std::vector<Observed>& seen) {
  std::vector<Plan> others;
  for (size_t i = 0; i < plans.size(); ++i) {
    if (seen[i].crash_states.empty()) continue;
    for (const std::string& keeps : seen[i].crash_states.back()) {
      if (!target.kinds.torn_renames && tears_a_rename(keeps)) continue;
      others.push_back(plans[i]);
      others.back().front().keeps = keeps;
    }
  }
  return others;
}

// By promise: the calls, and what they are about, at which a failure violates it.
using Found = std::map<std::string, Names>;

void judge(Toy& toy, const Observed& first, const std::vector<Plan>& plans,
           const std::vector<Observed>& seen, Found& found) {
  for (size_t i = 0; i < plans.size(); ++i) {
    const std::string plan = to_string(plans[i]);
    EXPECT_NE(seen[i].ending, Observed::Ending::kFailed) << plan << ": " << seen[i].trouble;
    EXPECT_NE(seen[i].ending, Observed::Ending::kCannotStart) << plan << ": " << seen[i].trouble;
    EXPECT_EQ(seen[i].reached.size(), 1U) << plan << " was not reached";
    const auto point = std::ranges::find(first.points, plans[i][0].point, &Point::id);
    ASSERT_NE(point, first.points.end());
    for (const std::string& name : toy.violated(seen[i], plans[i])) {
      found[name].insert(point->call + " " + point->object.name);
    }
  }
}

// `wanted`: those plans that are tried at all.
Found search(const std::string& name,
             const std::function<bool(const Point&, Effect)>& wanted = {}) {
  Toy toy(name);
  const std::vector<Observed> first = toy.run({{}});
  EXPECT_EQ(first[0].ending, Observed::Ending::kDone) << first[0].trouble;
  EXPECT_EQ(first[0].warnings, std::vector<Warning>{});
  EXPECT_EQ(toy.violated(first[0]), Names{});
  std::vector<Plan> plans = single_failures(toy.target(), first[0]);
  std::erase_if(plans, [&](const Plan& plan) {
    const auto point = std::ranges::find(first[0].points, plan[0].point, &Point::id);
    return wanted && !wanted(*point, plan[0].effect);
  });
  EXPECT_GT(plans.size(), 20U);
  const std::vector<Observed> seen = toy.run(plans);
  Found found;
  judge(toy, first[0], plans, seen, found);
  const std::vector<Plan> others = other_states(toy.target(), plans, seen);
  judge(toy, first[0], others, toy.run(others), found);
  return found;
}

class ToysInject : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_worlds()) GTEST_SKIP() << "no namespaces here";
  }
};

// Between emptying the log and renaming the empty one over it. Where the folder is synced, the
// power takes the rename back.
const Names kWindow = {"close log", "fsync .", "fsync log", "ftruncate log", "renameat log2"};

TEST_F(ToysInject, TheMasterLosesAName) {
  EXPECT_EQ(search("master.toml"), (Found{{"noLostFiles", kWindow}}));
  EXPECT_EQ(search("steps.toml"), (Found{{"noLostFiles", kWindow}}));
}

TEST_F(ToysInject, TheMendedMasterDoesNot) {
  EXPECT_EQ(search("master_mended.toml"), Found{});
  EXPECT_EQ(search("steps_mended.toml"), Found{});
}

// What kills the second node, or cuts it off: for the rest there is no time.
bool loses_a_node(const Point& point, Effect effect) {
  return point.node == "d2" && (effect == Effect::kCrashBefore || effect == Effect::kCut);
}

TEST_F(ToysInject, TheMasterReturnsANodeThatIsGone) {
  const Found found = search("pipeline.toml", loses_a_node);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found.begin()->first, "bad_failover");
  EXPECT_EQ(found.at("bad_failover"), found.at("unavailability"));
  for (const char* point :
       {"recvfrom d1", "write d2/f1", "fsync d2/f2", "sendto d3:7003", "sendto d1"}) {
    EXPECT_TRUE(found.at("unavailability").contains(point)) << point;
  }
}

TEST_F(ToysInject, TheMendedMasterReturnsOthers) {
  EXPECT_EQ(search("pipeline_mended.toml", loses_a_node), Found{});
}

}  // namespace
}  // namespace clew::inject
