// The fuzz target's property over the corpus and thousands of damaged copies of it, in every build.
#include <gtest/gtest.h>

#include "tests/fuzz/damaged_corpus.h"
#include "tests/fuzz/target_property.h"

namespace clew::inject {
namespace {

constexpr const char* kTargetPieces =
    "{|}|[|]|[[node]]|,|.|=|\"|'''|\n|#|\xc3|\\u0000|\\|$1|("
    "|0|3|-1|1e9|inf|true|1979-05-27|\"a\"|\"sh\"|"
    "spec = \"\"|name|command|ready|from|line|is|kinds|[tells]|[limits]|[workload]";

DamagedCorpus read_target_corpus() {
  return DamagedCorpus("tests/fuzz/corpus/target", 1 << 20, kTargetPieces);
}

TEST(TargetCorpus, HoldsGoodAndBadTexts) {
  int targets = 0;
  int told = 0;
  const DamagedCorpus corpus = read_target_corpus();
  for (const std::string& text : corpus.texts()) {
    targets += check_target_property(text) ? 1 : 0;
    told += check_told_property(text) ? 1 : 0;
  }
  EXPECT_GE(targets, 3);
  EXPECT_GE(told, 2);
  EXPECT_GE(static_cast<int>(corpus.texts().size()) - targets - told, 4);
}

TEST(TargetCorpus, DamageNeverCrashesAndSomeIsRead) {
  int targets = 0;
  int told = 0;
  read_target_corpus().damage(4, 2000, [&](const std::string& text) {
    targets += check_target_property(text) ? 1 : 0;
    told += check_told_property(text) ? 1 : 0;
  });
  EXPECT_GT(targets, 50);
  EXPECT_GT(told, 30);
}

}  // namespace
}  // namespace clew::inject
