// What toml++ is never given, since it would use up the stack or reach what it takes to be
// unreachable: keys nested without end, and text beyond ASCII outside of strings and comments.
//
//   guard_toml("spec = \"für.ded\"\n", "target.toml").ok();   // true
//   guard_toml("für = 1\n", "target.toml");                   // Error: target.toml:1:2: ...
//
// It knows of TOML just where strings and comments begin and end.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace clew::inject {

inline constexpr size_t kMostTomlDots = 100;  // of one line, outside of strings

Status guard_toml(std::string_view text, const std::string& path);

}  // namespace clew::inject
