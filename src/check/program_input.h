// Reading the program that a subcommand is about.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/source.h"
#include "check/notes.h"
#include "dedalus/program.h"
#include "domain/scenario.h"

namespace clew::check {

struct ProgramInput {
  SourceSet sources;
  dedalus::Program program;
  std::vector<ProgramFile> files;  // the inputs, then what they include
  size_t inputs = 0;
};

// Loads and checks; tells errors and warnings. Nothing if there were errors.
std::optional<ProgramInput> read_program(const std::vector<std::string>& paths,
                                         const Notes& notes = {});

// The program consists of files with these fingerprints, in this order.
bool same_files(const std::vector<ProgramFile>& files, const ProgramInput& input);

// What depends on the nodes: tells warnings and errors. Fails if there are errors.
Status check_nodes(const ProgramInput& input, const std::vector<NodeName>& nodes,
                   const Notes& notes);

// What the program declares, as far as it is about these nodes.
Limits declared_limits(const dedalus::Program& program, const std::vector<NodeName>& nodes);

// Warns of faults that the limits of the scenario rule out.
void warn_beyond_limits(const Scenario& scenario, const Notes& notes);

}  // namespace clew::check
