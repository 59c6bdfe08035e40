// One check of a program within given bounds: joins System, grounding, adversary and Campaign.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cli/budget.h"
#include "cli/program_input.h"
#include "cli/progress.h"
#include "domain/verdict.h"
#include "ground/grounder.h"
#include "search/campaign.h"
#include "simulate/system.h"

namespace clew::cli {

struct CheckSettings {
  std::string adversary = "auto";
  search::Negation negation = search::Negation::kExact;
  bool all = false;
  bool smallest = false;
  std::optional<size_t> max_faults{};
  uint64_t seed = 1;
};

class Checker {
 public:
  // All outlive this.
  Checker(const dedalus::Program& program, const CheckSettings& settings, const Budget& budget,
          Progress& progress)
      : program_(program), settings_(settings), budget_(budget), progress_(progress) {}

  Verdict check(const FaultModel& model);

  // Of the last check:
  const std::string& adversary() const { return adversary_; }  // which one "auto" took
  const ground::Grounder* grounder() const { return grounder_.get(); }
  const std::optional<simulate::RuntimeError>& error() const { return error_; }

 private:
  std::unique_ptr<search::Adversary> make_adversary(const FaultModel& model);
  bool ground(const FaultModel& model);
  std::function<bool()> stop();

  const dedalus::Program& program_;
  const CheckSettings& settings_;
  const Budget& budget_;
  Progress& progress_;
  std::string adversary_;
  std::string why_not_ground_;
  std::unique_ptr<ground::Grounder> grounder_;
  std::optional<simulate::RuntimeError> error_;
};

}  // namespace clew::cli
