// Any bytes as the code of a program, and as the ring of a lane.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/gate_property.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes{reinterpret_cast<const char*>(data), size};
  clew::inject::check_gate_sites_property(bytes);
  clew::inject::check_gate_ring_property(bytes);
  return 0;
}
