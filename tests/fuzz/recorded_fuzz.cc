// Any text read as recorded facts.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/fuzz/recorded_property.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  clew::check_recorded_property({reinterpret_cast<const char*>(data), size});
  return 0;
}
