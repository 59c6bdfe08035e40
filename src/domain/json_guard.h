// The first look at JSON that somebody else may have written: syntax, nesting, repeated keys. It
// builds nothing, so that hostile files cost no memory.
#pragma once

#include <string_view>

#include "base/result.h"

namespace clew {

// Fails, without a remedy, if the text is not JSON, nested too deep, or has a key twice in one
// object.
Status guard_json(std::string_view text);

}  // namespace clew
