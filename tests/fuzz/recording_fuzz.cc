// Any bytes read as a recording of a hosted node.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/fuzz/recording_property.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  clew::host::check_recording_property({reinterpret_cast<const char*>(data), size});
  return 0;
}
