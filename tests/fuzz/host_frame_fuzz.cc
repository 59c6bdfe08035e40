// Any bytes as what comes to a host from peers and clients.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/host_frame_property.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  clew::host::check_frame_property({reinterpret_cast<const char*>(data), size});
  return 0;
}
