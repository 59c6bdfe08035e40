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

// The program consists of files with these fingerprints, in this order.
bool same_files(const std::vector<ProgramFile>& files, const ProgramInput& input);

// What depends on the nodes: shows warnings and errors on stderr. Fails if there are errors.
Status check_nodes(const ProgramInput& input, const std::vector<NodeName>& nodes);

// What the program declares, as far as it is about these nodes.
Limits declared_limits(const dedalus::Program& program, const std::vector<NodeName>& nodes);

// Warns of faults that the limits of the scenario rule out, on stderr.
void warn_beyond_limits(const Scenario& scenario);

// Shows the diagnostics, if any, on stderr.
void show(Diagnostics& diagnostics, const SourceSet& sources);

}  // namespace clew::check
