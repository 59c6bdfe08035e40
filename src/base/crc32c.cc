#include "base/crc32c.h"

#include <array>
#include <cstring>

namespace clew {

namespace {

constexpr uint32_t kPolynomial = 0x82f63b78;  // with its bits reversed

constexpr std::array<uint32_t, 256> kTable = [] {
  std::array<uint32_t, 256> table{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = rest >> 1U ^ ((rest & 1U) != 0 ? kPolynomial : 0);
    table[byte] = rest;
  }
  return table;
}();

uint32_t byte_by_byte(std::string_view bytes, uint32_t rest) {
  for (const char byte : bytes) {
    rest = rest >> 8U ^ kTable[(rest ^ static_cast<unsigned char>(byte)) & 0xffU];
  }
  return rest;
}

#ifdef __x86_64__
__attribute__((target("sse4.2"))) uint32_t by_processor(std::string_view bytes, uint32_t rest) {
  uint64_t wide = rest;
  while (bytes.size() >= sizeof(uint64_t)) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof word);
    wide = __builtin_ia32_crc32di(wide, word);
    bytes.remove_prefix(sizeof word);
  }
  rest = static_cast<uint32_t>(wide);
  for (const char byte : bytes) {
    rest = __builtin_ia32_crc32qi(rest, static_cast<unsigned char>(byte));
  }
  return rest;
}
#endif

}  // namespace

uint32_t crc32c(std::string_view bytes, uint32_t before) {
#ifdef __x86_64__
  static const bool kProcessorCan = __builtin_cpu_supports("sse4.2") != 0;
  if (kProcessorCan) return ~by_processor(bytes, ~before);
#endif
  return ~byte_by_byte(bytes, ~before);
}

}  // namespace clew
