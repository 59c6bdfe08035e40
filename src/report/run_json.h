// A Run as JSON, for other programs: docs/formats/run.md describes it, run.schema.json defines it.
//
// The order of keys and elements is fixed, so that equal runs give equal texts. Every fact, message
// and firing stands on a line of its own. The text is valid UTF-8 and ends in a newline.
#pragma once

#include <string>

#include "domain/run.h"

namespace clew::report {

std::string run_to_json(const Run& run);

}  // namespace clew::report
