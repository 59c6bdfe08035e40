// Any bytes as the file of a module whose places are named.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/module_property.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  clew::inject::check_module_property({reinterpret_cast<const char*>(data), size});
  return 0;
}
