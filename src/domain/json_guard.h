// Reads JSON that somebody else may have written. A first look at syntax, nesting and repeated keys
// builds nothing, so that hostile files cost no memory.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "base/result.h"

namespace clew {

// Fails, without a remedy, if the text is not JSON, nested too deep, or has a key twice in one
// object.
Result<nlohmann::json> guarded_json(std::string_view text);

}  // namespace clew
