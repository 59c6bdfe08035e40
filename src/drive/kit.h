// From the source of nodes to a program that can be explored.
//
// The kit is what Clew's own build leaves beside the executable: headers, libraries, and how the
// compiler is called. Programs are kept in the user's cache folder and made anew once one of the
// files that they were made of has changed.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/stop.h"
#include "check/notes.h"

namespace clew::drive {

struct Kit {
  std::string compiler;
  std::vector<std::string> flags;
  std::vector<std::string> libraries;  // in the order in which they are linked
};

// Beside the executable that runs.
Result<Kit> find_kit();

// Whether the file is a program already, made with cmake/ClewNodes.cmake.
bool is_program(const std::string& path);

// The path of the program. What the compiler says of the user's files goes to `notes`, as it is.
// Throws Stopped.
Result<std::string> build(const Kit& kit, const std::vector<std::string>& sources,
                          const check::Notes& notes, const Stop& stop);

}  // namespace clew::drive
