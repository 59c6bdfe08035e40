// Any text read as the history of a campaign.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/fuzz/history_property.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  clew::service::check_history_property({reinterpret_cast<const char*>(data), size});
  return 0;
}
