// The flags of clew analyze, which two programs know: clew itself, so that its help and its
// complaints are those of all commands, and clew-analyze, which does the work (analyze_main.cc).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/command.h"

namespace clew::cli {

struct AnalyzeFlags {
  static constexpr int32_t kNotGiven = -1;

  std::vector<std::string> files;
  bool json = false;
  bool observe = false;
  std::string predicted;
  int32_t requests = kNotGiven, faults = kNotGiven;
  uint64_t states = 20'000;
  std::string memory = check::kDefaultMemory;
  std::string budget = Allowance::kAllTime;
};

void add_analyze_flags(CommandLine& line, std::function<int(const AnalyzeFlags&)> work);

}  // namespace clew::cli
