// What an exploration has found, for people and for programs.
#pragma once

#include <string>

#include "drive/session.h"

namespace clew::drive {

// Ends in a newline, at most 80 columns wide but for single long messages. The same on every
// machine, but for how far the time went.
std::string to_text(const Report& report);
// docs/formats/explore.md
std::string to_json(const Report& report);

}  // namespace clew::drive
