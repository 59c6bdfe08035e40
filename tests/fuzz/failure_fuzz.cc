// Any text read as a failure.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/fuzz/failure_property.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  clew::inject::check_failure_property({reinterpret_cast<const char*>(data), size});
  return 0;
}
