// The fuzz target's property over the corpus and thousands of damaged copies of it, in every build.
#include <gtest/gtest.h>

#include "tests/fuzz/damaged_corpus.h"
#include "tests/fuzz/failure_property.h"

namespace clew::inject {
namespace {

constexpr uint64_t kMostBytes = 1000;
constexpr const char* kPieces =
    "@|#|!|(|)|-|errno |EIO|EAGAIN|torn|cut|power-after|(none)|all-but-3|4c1be0d2|0|1|4294967295| ";

DamagedCorpus read_corpus() {
  return DamagedCorpus("tests/fuzz/corpus/failure", kMostBytes, kPieces);
}

TEST(FailureCorpus, HoldsGoodAndBadTexts) {
  int good = 0;
  const DamagedCorpus corpus = read_corpus();
  for (const std::string& text : corpus.texts()) good += check_failure_property(text);
  EXPECT_GE(good, 6);
  EXPECT_GE(static_cast<int>(corpus.texts().size()) - good, 6);
}

TEST(FailureCorpus, DamageNeverCrashesAndSomeIsRead) {
  int good = 0;
  read_corpus().damage(4, 2000,
                       [&](const std::string& text) { good += check_failure_property(text); });
  EXPECT_GT(good, 100);
}

}  // namespace
}  // namespace clew::inject
