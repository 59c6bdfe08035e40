// The fuzz target's property over the corpus and thousands of damaged copies of it, in every build.
#include <gtest/gtest.h>

#include "tests/fuzz/damaged_corpus.h"
#include "tests/fuzz/scenario_property.h"

namespace clew {
namespace {

constexpr const char* kPieces =
    "{|}|[|]|,|:|\"|\\| |\n|\xc3|\\ud800|\\u0000|"
    "0|3|-1|1e9|100000|4294967297|null|true|"
    "\"a\"|\"b\"|\"tick\"|\"eot\"|\"silent\"|\"stop\"";

DamagedCorpus read_corpus() {
  return DamagedCorpus("tests/fuzz/corpus/scenario", kMostScenarioBytes, kPieces);
}

TEST(ScenarioCorpus, HoldsGoodAndBadTexts) {
  int decoded = 0;
  const DamagedCorpus corpus = read_corpus();
  for (const std::string& text : corpus.texts()) decoded += check_scenario_property(text);
  EXPECT_GE(decoded, 4);
  EXPECT_GE(static_cast<int>(corpus.texts().size()) - decoded, 4);
}

TEST(ScenarioCorpus, DamageNeverCrashesAndSomeDecodes) {
  int decoded = 0;
  read_corpus().damage(2, 2000,
                       [&](const std::string& text) { decoded += check_scenario_property(text); });
  EXPECT_GT(decoded, 100);
}

}  // namespace
}  // namespace clew
