// Places in the code of a program where a system call is made in a way that can be replaced.
//
// Recognized by their bytes, as the C library of GNU has them; all others stay as they are. What is
// replaced is one whole instruction before the `syscall`, which itself stays where it is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace clew::inject {

struct GateSite {
  size_t at = 0;           // what is replaced: an instruction of `size` bytes
  size_t size = 0;         // 5: by a jump; 2: by a short one to `pad`, where the jump is
  size_t pad = 0;          // bytes that are never executed, at least 5
  std::string replaced{};  // what has to be done instead, but for the number of the call
  size_t call_at = 0;      // the `syscall`
  uint32_t call = 0;
  friend bool operator==(const GateSite&, const GateSite&) = default;
};

// Calls whose arguments say all that is to be known of them, but for their descriptor.
bool may_pass(long call);

std::vector<GateSite> gate_sites(std::string_view code);

}  // namespace clew::inject
