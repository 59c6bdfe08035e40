// Any text read as a program.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/fuzz/parse_property.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  clew::dedalus::check_parse_property({reinterpret_cast<const char*>(data), size});
  return 0;
}
