// Any bytes as what a StackCache is sent.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/stack_cache_property.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  clew::inject::check_stack_cache_property({reinterpret_cast<const char*>(data), size});
  return 0;
}
