// Reading the program that a subcommand is about.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/source.h"
#include "dedalus/program.h"
#include "domain/scenario.h"

namespace clew::check {

struct ProgramInput {
  SourceSet sources;
  dedalus::Program program;
  std::vector<ProgramFile> files;  // the inputs, then what they include
  size_t inputs = 0;
};

// Loads and checks; errors and warnings go to stderr. Nothing if there were errors.
std::optional<ProgramInput> read_program(const std::vector<std::string>& paths);

// Shows the diagnostics, if any, on stderr.
void show(Diagnostics& diagnostics, const SourceSet& sources);

}  // namespace clew::check
