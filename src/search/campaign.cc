#include "search/campaign.h"

#include <utility>

#include "base/check.h"
#include "base/processor.h"

namespace clew::search {

Campaign::Campaign(System& system, Adversary& adversary, FaultModel model, CampaignOptions options)
    : system_(system),
      adversary_(adversary),
      scenario_(scenario_of(model)),
      options_(std::move(options)) {
  verdict_.model = std::move(model);
}

Verdict Campaign::run() {
  search();
  verdict_.effort.clauses = adversary_.clauses();
  if (verdict_.effort.executions_found == 0) verdict_.effort.search_seconds = user_seconds();
  if (verdict_.kind != Verdict::Kind::kFailed && !verdict_.counterexamples.empty()) {
    verdict_.kind = Verdict::Kind::kBroken;
  }
  return std::move(verdict_);
}

Campaign::Step Campaign::execute(const Choice& choice) {
  return unless_stopped([&] { return run_and_judge(choice); }).value_or(Step::kStopped);
}

Proposal Campaign::ask(const std::function<Proposal()>& adversary) const {
  return unless_stopped(adversary).value_or(Proposal{Proposal::Kind::kStopped});
}

Campaign::Step Campaign::run_and_judge(const Choice& choice) {
  Verdict::Effort& effort = verdict_.effort;
  CHECK(verdict_.model.admits(choice.faults), "{}", to_string(choice.faults));
  scenario_.faults = choice.faults;
  scenario_.schedule = choice.schedule;
  Result<Run> run = system_.run(scenario_, adversary_.needs());
  ++effort.executions;
  if (!run.ok()) {
    verdict_.kind = Verdict::Kind::kFailed;
    verdict_.failing = choice;
    return Step::kFailed;
  }
  judge(system_.specs(), *run);
  const Outcome::Kind outcome = run->outcome().kind;
  if (effort.executions == 1) verdict_.vacuous = outcome == Outcome::Kind::kVacuous;
  const bool violated = outcome == Outcome::Kind::kViolated;
  if (violated || verdict_.tried.size() < Verdict::kMostTried) {
    verdict_.tried.push_back({choice, outcome});
  } else {
    ++verdict_.tried_left_out;
  }
  const bool observed = unless_stopped([&] { return adversary_.observe(*run), true; }).has_value();
  if (!observed && !violated) return Step::kStopped;
  if (options_.progress) {
    effort.clauses = adversary_.clauses();
    effort.settled = adversary_.settled();
    options_.progress(verdict_);
  }
  if (violated && effort.executions_found == 0) {
    effort.executions_found = effort.executions;
    effort.search_seconds = user_seconds();
  }
  return violated ? Step::kViolated : Step::kHeld;
}

void Campaign::search() {
  switch (execute({})) {
    case Step::kFailed:
      return;
    case Step::kStopped:
      return stop();
    case Step::kViolated:
      // Whatever else violates includes this.
      verdict_.all_found = true;
      return keep({});
    case Step::kHeld:
      break;
  }
  while (true) {
    Proposal next = ask([this] { return adversary_.propose(); });
    if (next.kind == Proposal::Kind::kStopped) return stop();
    if (next.kind == Proposal::Kind::kNothing) return settle_nothing_left();
    const Step step = execute(next.choice);
    if (step == Step::kFailed) return;
    if (step == Step::kStopped) return stop();
    if (step == Step::kHeld) continue;
    if (options_.shrink) {
      bool done = true;
      if (options_.smallest) done = shrink(next.choice, Smaller::kFewer);
      done &= shrink(next.choice, Smaller::kPart);
      verdict_.minimal &= done;
    }
    if (verdict_.kind == Verdict::Kind::kFailed) return;
    adversary_.exclude(next.choice);
    keep(std::move(next.choice));
    if (!options_.all) return;
  }
}

void Campaign::stop() { verdict_.why_unknown = "the budget was used up"; }

void Campaign::settle_nothing_left() {
  verdict_.why_unknown = adversary_.why_unsure();
  verdict_.all_found = verdict_.why_unknown.empty();
  verdict_.kind = verdict_.all_found ? Verdict::Kind::kRobust : Verdict::Kind::kUnknown;
}

bool Campaign::shrink(Choice& violation, Smaller how) {
  while (violation != Choice{}) {
    const Proposal next = ask([&] { return adversary_.propose_smaller(violation, how); });
    if (next.kind == Proposal::Kind::kStopped) return false;
    if (next.kind == Proposal::Kind::kNothing) return true;
    const Step step = execute(next.choice);
    if (step == Step::kFailed || step == Step::kStopped) return false;
    if (step == Step::kViolated) violation = next.choice;
  }
  return true;
}

void Campaign::keep(Choice choice) {
  if (options_.found) options_.found(choice);
  verdict_.counterexamples.push_back(std::move(choice));
}

}  // namespace clew::search
