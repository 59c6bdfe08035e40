// Work that is interrupted wherever it looks (base/watched.h), for tests:
//
//   EXPECT_EQ(interrupt_everywhere([&] { return report::itf(run, ""); }), report::itf(run, ""));
#pragma once

#include <gtest/gtest.h>

#include <optional>

#include "base/watched.h"

namespace clew {

// Ends the work at its first look, then at its second, and so on, until it comes to its end; what
// it gives then is given back. Every time before it must throw Stopped. A test fails where the work
// looks less often than `least` times.
template <class Work>
auto interrupt_everywhere(const Work& work, size_t least = 2) {
  for (size_t looks = 0;; ++looks) {
    size_t asked = 0;
    const Watched watched(
        [&] {
          ++asked;
          return asked > looks;
        },
        1);
    auto done = unless_stopped(work);
    if (!done) {
      EXPECT_GT(asked, looks) << "it ended by itself";
      continue;
    }
    EXPECT_GE(looks, least) << "it looks too rarely";
    return std::move(*done);
  }
}

}  // namespace clew
