// One check of a program within given bounds: joins System, grounding, adversary and Campaign.
//
// In a sweep, each check begins with a question to a GrowingCheck, which has answered those before
// it: if nothing violates the Spec, that is all. Whatever violates it is found by a check that
// knows nothing of others, so that what is shown depends on the program and the bounds alone.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "check/progress.h"
#include "dedalus/lowered_program.h"
#include "domain/verdict.h"
#include "domain/work.h"
#include "ground/growing_check.h"
#include "search/lattice.h"

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
  // `rules` are what the lineage of programs is told with that cannot be ground.
  Checker(std::shared_ptr<const dedalus::LoweredProgram> program, const CheckSettings& settings,
          Progress& progress, Stop stop, std::shared_ptr<const RuleTable> rules = nullptr);
  ~Checker();
  Checker(const Checker&) = delete;
  Checker& operator=(const Checker&) = delete;

  // From now on checks ask about larger and larger bounds within this range. Before the first one.
  void expect_sweep(ground::GrowingCheck::Range range);

  // With `most`, a question that takes more work than that may be given up; the verdict is unknown.
  Verdict check(const FaultModel& model, const std::optional<Work>& most = std::nullopt);
  // Of all checks so far.
  Work work();
  // Gives back what it keeps for checks to come.
  void forget();

 private:
  struct Chosen;
  struct Worker;

  std::unique_ptr<Worker> take_worker();
  void put_back(std::unique_ptr<Worker> worker);
  bool grows(const FaultModel& model) const;
  // The verdict, unless there may be something to find.
  std::optional<Verdict> settle(const FaultModel& model, Worker& worker,
                                const std::optional<Work>& most);
  void count(const Work& work);
  Verdict search(const FaultModel& model, Worker& worker) const;
  Verdict run_campaign(const FaultModel& model, System& system, search::Adversary& adversary) const;
  Chosen choose(const FaultModel& model) const;
  void observe(const FaultModel& model, const Stop& stop, Chosen& chosen) const;
  void choose_adversary(const FaultModel& model, const Stop& stop, Chosen& chosen) const;

  std::shared_ptr<const dedalus::LoweredProgram> program_;
  const CheckSettings& settings_;
  Progress& progress_;
  Stop stop_;
  std::shared_ptr<const RuleTable> rules_;
  std::optional<ground::GrowingCheck::Range> range_;
  std::atomic<bool> too_large_ = false;  // to leave all faults open
  std::mutex mutex_;
  Work work_;
  std::vector<std::unique_ptr<Worker>> idle_;  // the one used last at the end
};

}  // namespace clew::check
