// Any text read as a scenario.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/fuzz/scenario_property.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  clew::check_scenario_property({reinterpret_cast<const char*>(data), size});
  return 0;
}
