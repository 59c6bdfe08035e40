// The examples at the top of the headers, as code (tools/check_examples.py compares them).
#include <gtest/gtest.h>

#include "search/ahead.h"
#include "search/campaign.h"
#include "search/lattice.h"
#include "search/recovery.h"
#include "search/sweep.h"
#include "simulate/system.h"
#include "tests/lineage/runs.h"

namespace clew::search {
namespace {

// a sends once: any loss of its two messages breaks the promise.
class SearchExamples : public testing::Test {
 protected:
  lineage::Sample sample_ = lineage::Sample::protocol("broadcast/simple_deliv.ded");
  FaultModel model_{.nodes = {"a", "b", "c"}, .eot = 4, .eff = 2, .crashes = 0};
  simulate::ProgramSystem system_{*sample_.program, model_};
};

// example: src/search/adversary.h
TEST_F(SearchExamples, AnAdversary) {
  using Run = clew::Run;
  const FaultModel& model = model_;
  System& system = system_;
  size_t runs = 0, violated = 0;
  std::unique_ptr<Adversary> adversary = make_exhaustive(model, {});
  for (Proposal next = adversary->propose(); next.tries(); next = adversary->propose()) {
    Run run = *system.run(complete(scenario_of(model), next.choice), adversary->needs());
    judge(system.specs(), run);
    adversary->observe(run);
    ++runs;
    violated += run.outcome().kind == Outcome::Kind::kViolated ? 1 : 0;
  }
  EXPECT_EQ(runs, 64U);
  EXPECT_EQ(violated, 48U);
}

// example: src/search/ahead.h
TEST_F(SearchExamples, CheckingAhead) {
  const FaultModel& model = model_;
  auto check = [&](const FaultModel& bounds) {
    simulate::ProgramSystem system(*sample_.program, bounds);
    const std::unique_ptr<Adversary> adversary = make_exhaustive(bounds, {});
    return Campaign(system, *adversary, bounds, {}).run();
  };
  Ahead ahead(2, check);
  Verdict verdict = ahead.get(model, next_bounds);
  EXPECT_EQ(verdict.kind, Verdict::Kind::kBroken);
  EXPECT_EQ(verdict.model, model);
}

// example: src/search/campaign.h
TEST_F(SearchExamples, ACampaign) {
  const FaultModel& model = model_;
  System& system = system_;
  const std::unique_ptr<Adversary> adversary = make_exhaustive(model, {});
  Campaign campaign(system, *adversary, model, {});
  Verdict verdict = campaign.run();
  EXPECT_EQ(verdict.kind, Verdict::Kind::kBroken);
  ASSERT_EQ(verdict.counterexamples.size(), 1U);
  EXPECT_EQ(to_string(verdict.counterexamples[0].faults), "drop a>b@1");
}

// example: src/search/recovery.h
TEST_F(SearchExamples, ARecovery) {
  const FaultSet faults{Omission{"a", "b", 1}};
  const OutcomeAt outcome = [](const FaultSet&, Tick eot) {
    return eot < 16 ? Outcome::Kind::kViolated : Outcome::Kind::kHolds;
  };
  const Stop stop = [] { return false; };
  Recovery recovery = recover(faults, 14, outcome, stop);
  EXPECT_EQ(recovery.gone, 16);
  EXPECT_EQ(recovery.looked_until, 26);
  recovery = recover(faults, 14, outcome, [] { return true; });
  EXPECT_EQ(recovery.gone, std::nullopt);
  EXPECT_EQ(recovery.looked_until, 14);
}

// example: src/search/lattice.h
TEST_F(SearchExamples, Enumerations) {
  const FaultSet faults{Omission{"a", "b", 1}, Crash{"c", 1}};
  const FaultModel& model = model_;
  std::vector<FaultSet> all;
  Subsets subsets(faults);
  while (std::optional<FaultSet> next = subsets.next()) all.push_back(*next);
  ASSERT_EQ(all.size(), 4U);
  EXPECT_TRUE(all.front().empty());
  EXPECT_EQ(all.back(), faults);

  size_t admitted = 0;
  AdmissibleSets sets(model);
  while (std::optional<FaultSet> next = sets.next()) admitted += model.admits(*next) ? 1 : 0;
  EXPECT_EQ(admitted, 64U);
}

}  // namespace
}  // namespace clew::search
