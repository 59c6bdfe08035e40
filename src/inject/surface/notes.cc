#include "inject/surface/notes.h"

#include <elf.h>
#include <fmt/format.h>

#include "inject/surface/bytes.h"

namespace clew::inject {

namespace {

constexpr uint32_t kGoBuildId = 4;

uint64_t rounded(uint64_t size) { return (size + 3) & ~uint64_t{3}; }

}  // namespace

std::string find_build_id(std::string_view notes) {
  ByteReader reader(notes);
  while (!reader.at_end()) {
    const uint32_t name_size = reader.u32();
    const uint32_t size = reader.u32();
    const uint32_t type = reader.u32();
    const std::string_view name = reader.text(rounded(name_size)).substr(0, name_size);
    const std::string_view text = reader.text(rounded(size)).substr(0, size);
    const bool gnu = type == NT_GNU_BUILD_ID && name == std::string_view("GNU\0", 4);
    const bool go = type == kGoBuildId && name == std::string_view("Go\0\0", 4);
    if (reader.failed() || !(gnu || go) || text.size() < 8) continue;
    std::string id;
    for (const char byte : text.substr(0, 64)) {
      id += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    }
    return id;
  }
  return {};
}

}  // namespace clew::inject
