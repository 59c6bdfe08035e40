// The stages of a check as text, for those who want to see what the solver sees.
#pragma once

#include <string>

#include "ground/grounder.h"

namespace clew::check {

// `--show=ground`: one atom a line, with its bodies.
//
//   log("b", "data")@2 <- log@async & !lost ; ...
std::string print_ground(const ground::Grounder& grounder);
// `--show=cnf`: the Formula in DIMACS, with comments that say what the variables are.
std::string print_cnf(const ground::Grounder& grounder);

}  // namespace clew::check
