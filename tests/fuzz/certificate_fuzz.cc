// Any text read as a certificate.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/fuzz/certificate_property.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  clew::verify::check_certificate_property({reinterpret_cast<const char*>(data), size});
  return 0;
}
