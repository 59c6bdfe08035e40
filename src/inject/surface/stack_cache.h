// What a StackCache knows of a module.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "inject/surface/frame_rule.h"
#include "inject/surface/stacks.h"

namespace clew::inject {

constexpr size_t kMostFrames = 32;  // of a stack

// A place in a module: how to get to its caller, and what it is called, innermost first.
struct StackPlace {
  FrameRule rule{};
  std::vector<std::string> names{};
  friend bool operator==(const StackPlace&, const StackPlace&) = default;
};

struct StackCache::Module {
  std::unordered_map<uint64_t, StackPlace> places{};  // by offset in the file
  std::vector<uint64_t> news{};                       // offsets
};

// Adds what is new; where there is something already, that stays. Pointers to places stay valid.
const StackPlace& remember(StackCache::Module& module, uint64_t offset, const StackPlace& place);

}  // namespace clew::inject
