// What an exploration has found, for other tools: docs/formats/junit.md and docs/formats/sarif.md.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "drive/session.h"

namespace clew::drive {

// One suite with one case for each property. Of those besides the one that broke nothing is known.
std::string junit(const Report& report);

// The violation as a result, at the line that states the property, with the steps as its code flow.
// Absolute paths below `root` become relative to it.
std::string sarif(const Report& report, const std::string& root);

// The file and the line that state a property, if its name stands there.
std::optional<std::pair<std::string, size_t>> place_of(const Report& report,
                                                       const std::string& property);
// A property that is stated, or the failure of a handler, which nobody stated.
std::vector<std::string> properties_of(const Report& report);

}  // namespace clew::drive
