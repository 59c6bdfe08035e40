// One check of a program within given bounds: joins System, grounding, adversary and Campaign.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "check/progress.h"
#include "dedalus/program.h"
#include "domain/verdict.h"
#include "ground/grounder.h"
#include "search/adversary.h"

namespace clew::check {

struct CheckSettings {
  std::string adversary = "auto";
  search::Negation negation = search::Negation::kExact;
  bool all = false;
  bool smallest = false;
  std::optional<size_t> max_faults{};
  uint64_t seed = 1;
};

// A Checker may be used by several threads at a time.
class Checker {
 public:
  // All outlive this. `stop` is asked often; true ends a check.
  Checker(const dedalus::Program& program, const CheckSettings& settings, Progress& progress,
          std::function<bool()> stop)
      : program_(program), settings_(settings), progress_(progress), stop_(std::move(stop)) {}

  Verdict check(const FaultModel& model) const;

 private:
  struct Chosen;

  Chosen choose(const FaultModel& model) const;
  void choose_adversary(const FaultModel& model, const search::Stop& stop, Chosen& chosen) const;

  const dedalus::Program& program_;
  const CheckSettings& settings_;
  Progress& progress_;
  std::function<bool()> stop_;
};

}  // namespace clew::check
