// A Campaign: one whole search for faults that violate the Spec of a System.
//
//   Campaign campaign(system, *adversary, model, {});
//   Verdict verdict = campaign.run();          // broken, robust, unknown or failed
//
// It begins with the run without faults. Then the adversary proposes, the System runs, its Specs
// judge, the adversary observes, until a violation is seen, nothing is left or the budget is used
// up. What violates a Spec is made minimal by asking the adversary for smaller violations.
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
  std::function<void(const Verdict& so_far)> progress{};  // after every run
  std::function<void(const Choice&)> found{};             // for every minimal counterexample
};

class Campaign {
 public:
  Campaign(System& system, Adversary& adversary, FaultModel model, CampaignOptions options);

  Verdict run();

 private:
  enum class Step { kHeld, kViolated, kFailed, kStopped };

  Step execute(const Choice& choice);
  Step run_and_judge(const Choice& choice);
  // What the adversary proposes, unless it is stopped while it thinks.
  Proposal ask(const std::function<Proposal()>& adversary) const;
  void search();
  void stop();
  void settle_nothing_left();
  // Goes on from a violation until none smaller is left. False if that could not be finished.
  bool shrink(Choice& violation, Smaller how);
  void keep(Choice choice);

  System& system_;
  Adversary& adversary_;
  Scenario scenario_;  // with what was chosen last
  CampaignOptions options_;
  Verdict verdict_;
};

}  // namespace clew::search
