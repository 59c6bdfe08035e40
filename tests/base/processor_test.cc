#include "base/processor.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace clew {
namespace {

// example: src/base/processor.h
TEST(Processor, CountsWhatIsComputed) {
  volatile uint64_t sum = 0;
  const double before = user_seconds();
  const auto search = [&] {
    for (uint64_t i = 0; i < 1'000'000; ++i) sum = sum + i;
  };
  // The clock may be coarse, but work that never ends must show.
  while (user_seconds() <= before) {
    search();
  }
  EXPECT_GT(user_seconds() - before, 0);
}

}  // namespace
}  // namespace clew
