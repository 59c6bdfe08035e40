// clew inject --init: writes a first target file, and first rules, from two runs of a command.
#pragma once

#include <string>
#include <vector>

namespace clew::cli {

// An ExitCode. `out` ends in .toml; the rules go beside it. What is there already is never
// overwritten.
int write_first_target(const std::vector<std::string>& words, const std::string& out);

}  // namespace clew::cli
