#include "base/freeing.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "base/sanitized.h"

namespace clew {
namespace {

size_t taken() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

struct alignas(64) Wide {
  char bytes[64];
};

constexpr size_t kPieces = 1'000;
constexpr size_t kLarge = 1'000'000;

// Of each kind that delete tells apart: small and large, arrays, aligned as nothing else is.
void take_and_free() {
  std::vector<std::unique_ptr<Wide>> pieces;
  for (size_t i = 0; i < kPieces; ++i) pieces.push_back(std::make_unique<Wide>());
  const auto large = std::make_unique<char[]>(kLarge);
  large[0] = 1;
}

// example: src/base/freeing.h
TEST(Freeing, LeavesMemoryWhereItIsUntilToldOtherwise) {
  take_and_free();
  const size_t before = taken();
  take_and_free();
  EXPECT_LT(taken(), before + kLarge / 2) << "delete frees";
  stop_freeing();
  EXPECT_EQ(is_freeing(), CLEW_SANITIZED != 0);
  take_and_free();
  if (!is_freeing()) {
    EXPECT_GT(taken(), before + kLarge + kPieces * sizeof(Wide));
  }
  resume_freeing();
  EXPECT_TRUE(is_freeing());
  const size_t later = taken();
  take_and_free();
  EXPECT_LT(taken(), later + kLarge / 2);
}

}  // namespace
}  // namespace clew
