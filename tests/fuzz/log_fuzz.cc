// Any bytes as files of a node's log.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/fuzz/log_property.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  clew::host::check_log_property({reinterpret_cast<const char*>(data), size});
  return 0;
}
