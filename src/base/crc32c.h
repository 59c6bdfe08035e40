// CRC-32C (Castagnoli): the checksum of what is kept in files and sent between processes.
//
//   crc32c("123456789") == 0xe3069283
//   crc32c("6789", crc32c("12345"))        // the same
//
// It finds what was damaged by chance, not what somebody has forged.
#pragma once

#include <cstdint>
#include <string_view>

namespace clew {

// Of `before`, whose checksum is given, followed by `bytes`.
uint32_t crc32c(std::string_view bytes, uint32_t before = 0);

}  // namespace clew
