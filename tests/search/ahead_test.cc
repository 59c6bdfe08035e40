// Sweeps with several threads, which keep groundings and solvers, end as one does that starts over
// at all bounds. The thread sanitizer runs this.
#include "search/ahead.h"

#include <gtest/gtest.h>

#include <mutex>
#include <set>

#include "check/checker.h"
#include "ground/grounder.h"
#include "search/campaign.h"
#include "search/lattice.h"
#include "search/sweep.h"
#include "simulate/system.h"

namespace clew::search {
namespace {

Verdict check(const dedalus::Program& program, const FaultModel& model) {
  ground::Grounder grounder(program, model, {});
  EXPECT_TRUE(grounder.run().ok());
  std::unique_ptr<Adversary> adversary = make_symbolic(grounder.rules(), {});
  simulate::ProgramSystem system(program, model);
  return Campaign(system, *adversary, model, {}).run();
}

FaultModel first_bounds(const dedalus::Program& program) {
  return {dedalus::mentioned_nodes(program), 1, 0, 1, CrashModel::kSilent};
}

SweepResult sweep_with(size_t jobs, const dedalus::Program& program, Tick most,
                       const Ahead::Check& check_one) {
  FaultModel model = first_bounds(program);
  simulate::ProgramSystem system(program, model);
  Ahead ahead(jobs, check_one);
  size_t checks = 0;
  SweepWorld world;
  world.check = [&](const FaultModel& bounds) {
    ++checks;
    return ahead.get(bounds, next_bounds);
  };
  world.outcome = [&](const FaultSet& faults, Tick eot) {
    Scenario scenario = complete(scenario_of(model), {faults, {}});
    scenario.program.eot = eot;
    return outcome_of(system, scenario);
  };
  world.sends_messages = [](Tick eot) { return eot > 1; };
  world.stop = [&] { return checks >= static_cast<size_t>(most); };
  return sweep(model, world, {});
}

SweepResult sweep_and_keep(size_t jobs, const dedalus::Program& program, Tick most) {
  const FaultModel model = first_bounds(program);
  const check::Budget budget(std::chrono::hours(1));
  check::Progress progress(budget, {});
  const check::CheckSettings settings;
  check::Checker checker(
      std::make_shared<const dedalus::LoweredProgram>(program, model.nodes, false), settings,
      progress, [] { return false; });
  checker.expect_sweep({1, model.crashes});
  return sweep_with(jobs, program, most,
                    [&](const FaultModel& bounds) { return checker.check(bounds); });
}

TEST(Ahead, BeginsWithWhatComesNext) {
  std::mutex mutex;
  std::multiset<Tick> checked;
  const auto check_one = [&](const FaultModel& bounds) {
    const std::lock_guard lock(mutex);
    checked.insert(bounds.eot);
    Verdict verdict;
    verdict.model = bounds;
    return verdict;
  };
  const auto later = [](FaultModel bounds) {
    ++bounds.eot;
    return bounds;
  };
  {
    Ahead ahead(3, check_one);
    FaultModel model{{"a"}, 1, 0, 0, CrashModel::kSilent};
    EXPECT_EQ(ahead.get(model, later).model, model);
    model.eot = 2;
    EXPECT_EQ(ahead.get(model, later).model, model);
  }
  EXPECT_EQ(checked, (std::multiset<Tick>{1, 2, 3, 4}));  // once each
}

class AheadTest : public testing::TestWithParam<const char*> {};

TEST_P(AheadTest, ThreadsChangeNothing) {
  SourceSet sources;
  Diagnostics diagnostics;
  auto program = dedalus::load_program({GetParam()}, sources, diagnostics);
  ASSERT_TRUE(program) << diagnostics.render(sources);
  SweepResult alone = sweep_with(1, *program, 12,
                                 [&](const FaultModel& bounds) { return check(*program, bounds); });
  for (size_t jobs : {1U, 2U, 4U}) {
    SweepResult together = sweep_and_keep(jobs, *program, 12);
    EXPECT_EQ(together.verdict.kind, alone.verdict.kind);
    EXPECT_EQ(together.verdict.model, alone.verdict.model);
    EXPECT_EQ(together.verdict.counterexamples, alone.verdict.counterexamples);
    ASSERT_EQ(together.steps.size(), alone.steps.size());
    for (size_t i = 0; i < alone.steps.size(); ++i) {
      EXPECT_EQ(together.steps[i].model, alone.steps[i].model);
      EXPECT_EQ(together.steps[i].kind, alone.steps[i].kind);
      EXPECT_EQ(together.steps[i].effort.executions, alone.steps[i].effort.executions);
      EXPECT_EQ(together.steps[i].counterexamples, alone.steps[i].counterexamples);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Protocols, AheadTest,
                         testing::Values("protocols/broadcast/ack_deliv.ded",
                                         "protocols/commit/three_phase.ded",
                                         "protocols/queues/kafka.ded"));

}  // namespace
}  // namespace clew::search
