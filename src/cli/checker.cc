#include "cli/checker.h"

#include "search/campaign.h"
#include "simulate/system.h"

namespace clew::cli {

namespace {

// "auto" enumerates what cannot be grounded if there are at most so many single faults.
constexpr size_t kFewFaults = 16;

}  // namespace

// An adversary and what it reads; none if the program could not be ground.
struct Checker::Chosen {
  std::string name;
  std::unique_ptr<ground::Grounder> grounder;
  std::unique_ptr<search::Adversary> adversary;
  std::string why_not;
};

Checker::Chosen Checker::choose(const FaultModel& model) const {
  Chosen chosen{settings_.adversary, nullptr, nullptr, ""};
  if (chosen.name == "exhaustive") {
    chosen.adversary = search::make_exhaustive(model, stop_);
    return chosen;
  }
  if (chosen.name == "random") {
    chosen.adversary = search::make_random(model, settings_.seed, stop_);
    return chosen;
  }
  progress_.stage(model, "grounding");
  chosen.grounder =
      std::make_unique<ground::Grounder>(program_, model, ground::GrounderOptions{.stop = stop_});
  Status ground = chosen.grounder->run();
  if (!ground.ok()) {
    chosen.why_not = ground.error().message;
    if (chosen.name != "auto" || stop_()) return chosen;
    bool few = size(all_faults(model)) <= kFewFaults;
    chosen.name = few ? "exhaustive" : "random";
    chosen.adversary = few ? search::make_exhaustive(model, stop_)
                           : search::make_random(model, settings_.seed, stop_);
    return chosen;
  }
  const formula::Rules& rules = chosen.grounder->rules();
  if (chosen.name == "lineage") {
    bool exact = settings_.negation == search::Negation::kExact;
    chosen.adversary = exact ? search::make_lineage(rules, stop_)
                             : search::make_published(rules, settings_.negation, stop_);
  } else {
    chosen.name = "symbolic";
    chosen.adversary = search::make_symbolic(rules, stop_);
  }
  return chosen;
}

Verdict Checker::check(const FaultModel& model) const {
  Chosen chosen = choose(model);
  Verdict verdict;
  if (chosen.adversary == nullptr) {
    verdict.model = model;
    verdict.why_unknown =
        stop_()
            ? "the budget was used up"
            : chosen.why_not + "; try --adversary exhaustive, which runs one fault set at a time";
  } else {
    progress_.stage(model, chosen.name);
    simulate::ProgramSystem system(program_, model);
    search::CampaignOptions options{
        .all = settings_.all,
        .smallest = settings_.smallest,
        .max_faults = settings_.max_faults,
        .progress = [this](const Verdict& so_far) { progress_.show(so_far); }};
    verdict = search::Campaign(system, *chosen.adversary, model, std::move(options)).run();
  }
  verdict.adversary = chosen.name;
  // That an inexact reading sees nothing smaller does not mean that there is nothing.
  bool exact = chosen.name != "lineage" || settings_.negation == search::Negation::kExact;
  verdict.minimal &= exact;
  return verdict;
}

}  // namespace clew::cli
