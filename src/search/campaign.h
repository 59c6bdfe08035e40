// A Campaign: one whole search for faults that violate the Spec of a System.
//
//   Campaign campaign(system, *adversary, model, {});
//   Verdict verdict = campaign.run();
//
// It begins with the run without faults. Then the adversary proposes, the System runs, the
// adversary observes, until a violation is seen, nothing is left or the budget is used up. What
// violates the Spec is made minimal by asking the adversary for violations below it.
#pragma once

#include <functional>
#include <optional>

#include "domain/system.h"
#include "domain/verdict.h"
#include "search/adversary.h"

namespace clew::search {

struct CampaignOptions {
  bool all = false;       // every minimal counterexample, not only one
  bool smallest = false;  // one with as few faults as possible
  bool shrink = true;     // make counterexamples minimal
  std::optional<size_t> max_faults{};
  std::function<void(const Verdict& so_far)> progress{};  // after every run
  std::function<void(const FaultSet&)> found{};           // for every minimal counterexample
};

class Campaign {
 public:
  Campaign(System& system, Adversary& adversary, FaultModel model, CampaignOptions options);

  Verdict run();

 private:
  enum class Step { kHeld, kViolated, kFailed };

  Step execute(const FaultSet& faults);
  void search();
  // Goes on from a violation until none smaller is left within scopes made by `scope_of`. False if
  // that could not be finished.
  bool descend(FaultSet& faults, const std::function<Scope(const FaultSet&)>& scope_of);
  void keep(FaultSet faults);

  System& system_;
  Adversary& adversary_;
  CampaignOptions options_;
  Verdict verdict_;
};

}  // namespace clew::search
