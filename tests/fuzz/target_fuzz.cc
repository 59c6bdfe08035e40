// Any text read as a target file, and as a fact that is told.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/fuzz/target_property.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  clew::check_target_property(text);
  clew::check_told_property(text);
  return 0;
}
