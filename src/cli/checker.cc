#include "cli/checker.h"

#include <cmath>

namespace clew::cli {

namespace {

// "auto" enumerates what cannot be grounded if there are at most so many single faults.
constexpr size_t kFewFaults = 16;

}  // namespace

std::function<bool()> Checker::stop() {
  return [this] {
    progress_.tick();
    return budget_.used_up();
  };
}

bool Checker::ground(const FaultModel& model) {
  progress_.stage(model, "grounding");
  grounder_ = std::make_unique<ground::Grounder>(
      program_, model, ground::GrounderOptions{.stop = stop()});
  Status status = grounder_->run();
  if (status.ok()) return true;
  why_not_ground_ = status.error().message;
  grounder_.reset();
  return false;
}

std::unique_ptr<search::Adversary> Checker::make_adversary(const FaultModel& model) {
  adversary_ = settings_.adversary;
  grounder_.reset();
  bool wants_rules = adversary_ == "auto" || adversary_ == "symbolic" || adversary_ == "lineage";
  bool has_rules = wants_rules && ground(model);
  if (adversary_ == "auto") {
    FaultSet all = all_faults(model);
    adversary_ = has_rules ? "symbolic" : size(all) <= kFewFaults ? "exhaustive" : "random";
  }
  progress_.stage(model, adversary_);
  if (adversary_ == "exhaustive") return search::make_exhaustive(model, stop());
  if (adversary_ == "random") return search::make_random(model, settings_.seed, stop());
  if (!has_rules) return nullptr;
  if (adversary_ == "lineage") {
    return search::make_lineage(grounder_->rules(), settings_.negation, stop());
  }
  return search::make_symbolic(grounder_->rules(), stop());
}

Verdict Checker::check(const FaultModel& model) {
  std::unique_ptr<search::Adversary> adversary = make_adversary(model);
  if (adversary == nullptr) {
    Verdict verdict;
    verdict.model = model;
    verdict.why_unknown = budget_.used_up() ? "the budget was used up" : why_not_ground_;
    return verdict;
  }
  simulate::ProgramSystem system(program_, model);
  search::CampaignOptions options{.all = settings_.all,
                                  .smallest = settings_.smallest,
                                  .max_faults = settings_.max_faults,
                                  .progress = [this](const Verdict& v) { progress_.show(v); }};
  Verdict verdict = search::Campaign(system, *adversary, model, std::move(options)).run();
  error_ = system.error();
  return verdict;
}

}  // namespace clew::cli
