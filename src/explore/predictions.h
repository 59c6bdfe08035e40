// What steps were observed to do, held against what was predicted of them.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "explore/footprints.h"

namespace clew::explore {

// Of all steps that were taken: {"steps": 12, "observed": [[class, handler, input, set, field],
// ...], "unpredicted": [[..., state, input], ...], "unknown": [class, ...]}. What an envelope of
// several messages did counts for each of them. Of what was not predicted, the first step that did
// it is told.
nlohmann::json compared(Steps& steps, const Footprints& footprints);

}  // namespace clew::explore
