#include "check/checker.h"

#include "search/campaign.h"
#include "simulate/system.h"

namespace clew::check {

namespace {

// "auto" enumerates what cannot be grounded if there are at most so many single faults.
constexpr size_t kFewFaults = 16;

}  // namespace

// An adversary and what it reads; none if the program could not be ground.
struct Checker::Chosen {
  std::string name;
  std::unique_ptr<ground::Grounder> grounder;
  std::unique_ptr<search::Adversary> adversary;
  std::unique_ptr<search::Adversary*> watched;  // the same, once it is made
  std::string why_not;
};

void Checker::choose_adversary(const FaultModel& model, const search::Stop& stop,
                               Chosen& chosen) const {
  if (chosen.name == "auto" || chosen.name == "symbolic" || chosen.name == "lineage") {
    progress_.stage(model, "grounding");
    chosen.grounder =
        std::make_unique<ground::Grounder>(program_, model, ground::GrounderOptions{.stop = stop});
    Status ground = chosen.grounder->run();
    if (!ground.ok()) {
      chosen.why_not = ground.error().message;
      if (chosen.name != "auto" || stop()) return;
      chosen.name = all_faults(model).size() <= kFewFaults ? "exhaustive" : "random";
    } else if (chosen.name == "auto") {
      chosen.name = "symbolic";
    }
  }
  if (chosen.name == "exhaustive") {
    chosen.adversary = search::make_exhaustive(model, stop);
  } else if (chosen.name == "random") {
    chosen.adversary = search::make_random(model, settings_.seed, stop);
  } else if (chosen.name == "symbolic") {
    chosen.adversary = search::make_symbolic(chosen.grounder->rules(), stop);
  } else if (settings_.negation == search::Negation::kExact) {
    chosen.adversary = search::make_lineage(chosen.grounder->rules(), stop);
  } else {
    chosen.adversary = search::make_published(chosen.grounder->rules(), settings_.negation, stop);
  }
}

Checker::Chosen Checker::choose(const FaultModel& model) const {
  Chosen chosen{settings_.adversary, nullptr, nullptr, std::make_unique<search::Adversary*>(), ""};
  search::Stop stop = [this, &model, watched = chosen.watched.get()] {
    if (*watched != nullptr) progress_.settle(model, (*watched)->settled());
    return stop_();
  };
  choose_adversary(model, stop, chosen);
  *chosen.watched = chosen.adversary.get();
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

}  // namespace clew::check
