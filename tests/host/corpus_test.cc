// The fuzzers' corpora and damaged copies of them, in every build.
#include <gtest/gtest.h>

#include "tests/fuzz/damaged_corpus.h"
#include "tests/fuzz/host_frame_property.h"
#include "tests/fuzz/log_property.h"
#include "tests/fuzz/recording_property.h"

namespace clew::host {
namespace {

constexpr uint64_t kMostBytes = 1 << 20;

TEST(LogCorpus, IsRefusedOrGoesOn) {
  const DamagedCorpus corpus("tests/fuzz/corpus/log", kMostBytes, "CLWe|x|\x01|\x02|\x7f");
  size_t opened = 0, tried = 0;
  for (const std::string& text : corpus.texts()) opened += check_log_property(text) ? 1 : 0;
  EXPECT_EQ(opened, corpus.texts().size());
  corpus.damage(1, 300, [&](const std::string& text) {
    ++tried;
    opened += check_log_property(text) ? 1 : 0;
  });
  EXPECT_GT(opened, corpus.texts().size());
  EXPECT_LT(opened, tried);
}

TEST(RecordingCorpus, IsRefusedOrInOrder) {
  const DamagedCorpus corpus("tests/fuzz/corpus/recording", kMostBytes, "CLWr|x|\x01|\x02|\x7f");
  size_t read = 0, tried = 0;
  for (const std::string& text : corpus.texts()) {
    read += check_recording_property(text) ? 1 : 0;
  }
  EXPECT_EQ(read, corpus.texts().size());
  corpus.damage(2, 1000, [&](const std::string& text) {
    ++tried;
    read += check_recording_property(text) ? 1 : 0;
  });
  EXPECT_GT(read, corpus.texts().size());
  EXPECT_LT(read, tried);
}

// Trees of each depth, of bytes at random, and of one Id too many.
TEST(RequestCorpus, IsRefusedOrWithinBounds) {
  const auto chain = [](size_t depth, char node) {
    std::string bytes;
    for (size_t i = 1; i < depth; ++i) bytes += std::string("\0\x01", 2);
    return bytes + std::string{node, '\0'};
  };
  for (size_t depth = 1; depth < node::kDeepest + 20; ++depth) {
    EXPECT_EQ(check_request(chain(depth, 2)), depth <= node::kDeepest) << depth;
    EXPECT_FALSE(check_request(chain(depth, 3))) << depth;
  }
  EXPECT_FALSE(check_request(chain(1'000'000, 2)));
  Random random(7);
  size_t read = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes;
    for (uint64_t size = 2 + random.uniform_below(8); size > 0; --size) {
      bytes += static_cast<char>(random.uniform_below(4));
    }
    read += check_request(bytes) ? 1 : 0;
  }
  EXPECT_GT(read, 100U);
  EXPECT_LT(read, 19'000U);
}

}  // namespace
}  // namespace clew::host
