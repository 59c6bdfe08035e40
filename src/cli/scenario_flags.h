// The flags that decide a Scenario, the same for every subcommand that runs a program.
#pragma once

#include <string>
#include <vector>

#include "check/program_input.h"
#include "cli/command.h"
#include "domain/scenario.h"

namespace clew::cli {

struct ScenarioFlags {
  std::vector<std::string> files;
  std::vector<std::string> nodes;
  Tick eot = 0;  // 0: not given
  std::vector<std::string> drops;
  std::vector<std::string> crashes;
  std::string crash_model = "silent";
  Allowance allowance;

  void add_to(Command& command,
              const std::string& files_help = "Dedalus programs; together they form one");
};

// The scenario that the flags describe for this program, valid. Warns about what depends on the
// nodes.
Result<Scenario> to_scenario(const ScenarioFlags& flags, const check::ProgramInput& input);

}  // namespace clew::cli
