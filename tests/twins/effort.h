// How much a test with random inputs takes on: less where a sanitizer makes everything many times
// slower.
#pragma once

#include <cstdint>

#include "base/sanitized.h"

namespace clew::twins {

inline constexpr bool kSlowBuild = CLEW_SANITIZED != 0;

constexpr uint64_t effort(uint64_t cases) { return kSlowBuild ? cases / 5 : cases; }

}  // namespace clew::twins
