// A run as a diagram: nodes are columns, and every move is a row. What is delivered is an arrow in
// the row in which it arrives.
//
//   step  a              b              c
//      1  o client 1: Add               |
//      2  |--- Add ----->o              |              sent at 1
//      3  |              X crashes      |
#pragma once

#include <string>

#include "explore/tale.h"

namespace clew::drive {

// At most 80 columns wide, unless there are very many nodes. Ends in a newline.
std::string diagram(const explore::Tale& tale);
// `steps 5 to 8`: requires that there is a loop.
std::string steps_of_loop(const explore::Tale& tale);

}  // namespace clew::drive
