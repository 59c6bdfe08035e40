#include "search/campaign.h"

#include <utility>

#include "base/check.h"

namespace clew::search {

Campaign::Campaign(System& system, Adversary& adversary, FaultModel model, CampaignOptions options)
    : system_(system), adversary_(adversary), options_(std::move(options)) {
  verdict_.model = std::move(model);
}

Verdict Campaign::run() {
  search();
  verdict_.clauses = adversary_.clauses();
  if (verdict_.kind != Verdict::Kind::kFailed && !verdict_.counterexamples.empty()) {
    verdict_.kind = Verdict::Kind::kBroken;
  }
  return std::move(verdict_);
}

Campaign::Step Campaign::execute(const FaultSet& faults) {
  CHECK(verdict_.model.admits(faults), "{}", to_string(faults));
  std::optional<Outcome::Kind> outcome = system_.run(faults);
  ++verdict_.executions;
  if (!outcome) {
    verdict_.kind = Verdict::Kind::kFailed;
    verdict_.failing = faults;
    return Step::kFailed;
  }
  if (verdict_.executions == 1) verdict_.vacuous = *outcome == Outcome::Kind::kVacuous;
  bool violated = *outcome == Outcome::Kind::kViolated;
  if (violated || verdict_.tried.size() < Verdict::kMostTried) {
    verdict_.tried.push_back({faults, *outcome});
  } else {
    ++verdict_.tried_left_out;
  }
  adversary_.observe(faults, *outcome);
  if (options_.progress) {
    verdict_.clauses = adversary_.clauses();
    verdict_.settled = adversary_.settled();
    options_.progress(verdict_);
  }
  if (violated && verdict_.executions_found == 0) verdict_.executions_found = verdict_.executions;
  return violated ? Step::kViolated : Step::kHeld;
}

void Campaign::search() {
  switch (execute({})) {
    case Step::kFailed:
      return;
    case Step::kViolated:
      // Whatever else violates includes this.
      verdict_.all_found = true;
      return keep({});
    case Step::kHeld:
      break;
  }
  while (true) {
    Proposal next = adversary_.propose({.below = {}, .at_most = options_.max_faults});
    if (next.kind == Proposal::Kind::kStopped) {
      verdict_.why_unknown = "the budget was used up";
      return;
    }
    if (next.kind == Proposal::Kind::kNothing) {
      verdict_.all_found = adversary_.is_sure();
      verdict_.kind = adversary_.is_sure() ? Verdict::Kind::kRobust : Verdict::Kind::kUnknown;
      verdict_.why_unknown = adversary_.is_sure() ? "" : "the adversary is not complete";
      return;
    }
    Step step = execute(next.faults);
    if (step == Step::kFailed) return;
    if (step == Step::kHeld) continue;
    if (options_.shrink) {
      bool done = true;
      if (options_.smallest) {
        done = descend(next.faults, [](const FaultSet& faults) {
          return Scope{.below = {}, .at_most = faults.size() - 1};
        });
      }
      done &= descend(next.faults,
                      [](const FaultSet& faults) { return Scope{.below = faults, .at_most = {}}; });
      verdict_.minimal &= done;
    }
    if (verdict_.kind == Verdict::Kind::kFailed) return;
    adversary_.exclude(next.faults);
    keep(std::move(next.faults));
    if (!options_.all) return;
  }
}

bool Campaign::descend(FaultSet& faults, const std::function<Scope(const FaultSet&)>& scope_of) {
  while (!faults.empty()) {
    Proposal next = adversary_.propose(scope_of(faults));
    if (next.kind == Proposal::Kind::kStopped) return false;
    if (next.kind == Proposal::Kind::kNothing) return true;
    Step step = execute(next.faults);
    if (step == Step::kFailed) return false;
    if (step == Step::kViolated) faults = std::move(next.faults);
  }
  return true;
}

void Campaign::keep(FaultSet faults) {
  if (options_.found) options_.found(faults);
  verdict_.counterexamples.push_back(std::move(faults));
}

}  // namespace clew::search
