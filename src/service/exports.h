// What a campaign has found, for other tools: docs/formats/junit.md and docs/formats/sarif.md.
#pragma once

#include <string>

#include "service/report.h"

namespace clew::service {

// One suite with one case for each promise.
std::string junit(const Report& report);

// Each cause as a result, at the place of the first failure in the source if that is known, else in
// the target file, with what happened as its code flow. Absolute paths below `root` become relative
// to it.
std::string sarif(const Report& report, const std::string& root);

}  // namespace clew::service
