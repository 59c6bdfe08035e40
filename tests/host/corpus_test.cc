// The fuzzers' corpora and damaged copies of them, in every build.
#include <gtest/gtest.h>

#include "tests/fuzz/damaged_corpus.h"
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

}  // namespace
}  // namespace clew::host
