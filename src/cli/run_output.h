// Running one scenario and showing it: what `run` and `replay` have in common.
#pragma once

#include <string>
#include <vector>

#include "check/program_input.h"
#include "cli/command.h"
#include "domain/scenario.h"

namespace clew::cli {

struct OutputFlags {
  std::vector<std::string> relations;  // empty: all
  bool json = false;
  std::string show;      // a stage to print instead; empty: none
  bool explain = false;  // say why a run is violated, too

  void add_to(CLI::App& command);
};

// Runs the scenario (valid for the program) and prints what the flags ask for. Returns the exit
// code.
int run_and_show(const check::ProgramInput& input, const Scenario& scenario,
                 const OutputFlags& flags);

}  // namespace clew::cli
