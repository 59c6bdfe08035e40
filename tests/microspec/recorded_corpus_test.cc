// The fuzz target's property over the corpus and thousands of damaged copies of it, in every build.
#include <gtest/gtest.h>

#include "tests/fuzz/damaged_corpus.h"
#include "tests/fuzz/recorded_property.h"

namespace clew::microspec {
namespace {

constexpr const char* kPieces =
    "{|}|[|]|,|:|\"|\\| |\n|\xc3|\\ud800|\\u0000|"
    "0|3|-1|1e9|100000|9223372036854775808|null|true|1.5|"
    "\"a\"|\"tick\"|\"ticks\"|\"relation\"|\"values\"|\"columns\"|\"facts\"|\"clew\"|\"run\"";

DamagedCorpus read_recorded_corpus() {
  return DamagedCorpus("tests/fuzz/corpus/recorded", kMostRecordedBytes, kPieces);
}

TEST(RecordedCorpus, HoldsGoodAndBadTexts) {
  int read = 0;
  const DamagedCorpus corpus = read_recorded_corpus();
  for (const std::string& text : corpus.texts()) read += check_recorded_property(text) ? 1 : 0;
  EXPECT_GE(read, 4);
  EXPECT_GE(static_cast<int>(corpus.texts().size()) - read, 6);
}

TEST(RecordedCorpus, DamageNeverCrashesAndSomeIsRead) {
  int read = 0;
  read_recorded_corpus().damage(
      2, 1000, [&](const std::string& text) { read += check_recorded_property(text) ? 1 : 0; });
  EXPECT_GT(read, 100);
}

}  // namespace
}  // namespace clew::microspec
