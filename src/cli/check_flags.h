// The flags of clew check.
#pragma once

#include <string>
#include <vector>

#include "check/memory.h"
#include "check/output_paths.h"
#include "check/program_input.h"
#include "check/session.h"
#include "cli/command.h"
#include "domain/fault_model.h"

namespace clew::cli {

constexpr const char* kDefaultSave = "counterexample.json";
constexpr const char* kNoBudget = "(120s)";  // none was given

struct CheckFlags {
  std::vector<std::string> files;
  std::vector<std::string> nodes;
  std::vector<std::string> promises;  // none: all
  std::vector<std::string> allow_vacuous;
  Tick eot = -1;  // -1: not given
  Tick eff = -1;
  int crashes = 1;
  Tick eventually = 0;  // 0: not given
  std::string crash_model = "silent";
  std::vector<std::string> reliable;
  std::vector<std::string> no_crash;
  std::string adversary = "auto";
  std::string negation = "exact";
  std::string budget = kNoBudget;
  bool deep = false;
  std::string memory = check::kDefaultMemory;
  bool all = false;
  bool smallest = false;
  int64_t max_faults = -1;
  uint64_t seed = 1;
  int jobs = 2;
  bool json = false;
  std::string save = kDefaultSave;
  std::string certificate;
  check::Outputs outputs;
  std::string show;  // a stage to print instead; empty: none

  void add_to(Command& command);
  bool has_budget() const { return budget != kNoBudget; }
  // EOT and EFF are given: no sweep.
  bool fixed() const { return eot >= 0 && eff >= 0; }
};

// The largest model that the flags describe, valid; with the smallest EOT and EFF 0 where they are
// not given.
Result<FaultModel> to_model(const CheckFlags& flags, const check::ProgramInput& input);
check::Wanted to_wanted(const CheckFlags& flags, const FaultModel& model);
std::vector<check::OutputPath> output_paths(const CheckFlags& flags);

}  // namespace clew::cli
