// Keys of TOML nest as deep as they have dots, and toml++ takes such tables apart recursively: here
// it is bounded how many dots there are.
//
//   guard_toml("a.b = \"...\"\n", "target.toml").ok();                // true
//   guard_toml(std::string(1000, '.'), "target.toml");               // Error: target.toml:1:101:
//   ...
//
// It knows of TOML just where strings and comments begin and end.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace clew {

inline constexpr size_t kMostTomlDots = 100;  // of one line, outside of strings

Status guard_toml(std::string_view text, const std::string& path);

}  // namespace clew
