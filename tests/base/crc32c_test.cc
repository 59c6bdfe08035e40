#include "base/crc32c.h"

#include <gtest/gtest.h>

#include <string>

#include "base/random.h"

namespace clew {
namespace {

// Bit by bit, as it is defined.
uint32_t slow_crc32c(std::string_view bytes) {
  uint32_t rest = 0xffffffff;
  for (const char byte : bytes) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      const uint32_t in = static_cast<unsigned char>(byte) >> bit & 1U;
      rest = (rest & 1U) == in ? rest >> 1U : rest >> 1U ^ 0x82f63b78U;
    }
  }
  return ~rest;
}

TEST(Crc32c, OfWhatStandsInTheHeader) {
  EXPECT_TRUE(crc32c("123456789") == 0xe3069283);
  EXPECT_EQ(crc32c("6789", crc32c("12345")), 0xe3069283);
  EXPECT_EQ(crc32c(""), 0U);
}

TEST(Crc32c, IsWhatItIsBitByBit) {
  Random random(1);
  for (size_t size = 0; size < 200; ++size) {
    std::string bytes;
    for (size_t i = 0; i < size; ++i) bytes += static_cast<char>(random.uniform_below(256));
    EXPECT_EQ(crc32c(bytes), slow_crc32c(bytes));
    const size_t half = random.uniform_below(size + 1);
    const std::string_view all = bytes;
    EXPECT_EQ(crc32c(all.substr(half), crc32c(all.substr(0, half))), slow_crc32c(bytes));
  }
}

}  // namespace
}  // namespace clew
