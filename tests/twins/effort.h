// How much a test with random inputs takes on: less where a sanitizer makes everything many times
// slower.
#pragma once

#include <cstdint>

namespace clew::twins {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSlowBuild = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool kSlowBuild = true;
#else
inline constexpr bool kSlowBuild = false;
#endif
#else
inline constexpr bool kSlowBuild = false;
#endif

constexpr uint64_t effort(uint64_t cases) { return kSlowBuild ? cases / 5 : cases; }

}  // namespace clew::twins
