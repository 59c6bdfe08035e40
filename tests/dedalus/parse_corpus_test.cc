// The fuzz target's property over the corpus and thousands of damaged copies of it, in every build.
#include <gtest/gtest.h>

#include "tests/fuzz/damaged_corpus.h"
#include "tests/fuzz/parse_property.h"

namespace clew::dedalus {
namespace {

constexpr const char* kPieces =
    "(|)|,|;|@|:-|\"|_|.|<|>|==|=|!|+|-|*|/|<-|"
    "'|#|//|/*|*/|// c\n|/* c */|\n|\n\n|\r\n| |\t|"
    "notin|not |include |@next|@async|@1|X|0|1|-1|(X + 1)|count<X>|p(X)|"
    "p(X) :- q(X);|q()@1;|\xC3\xA9|\xEF\xBB\xBF";

DamagedCorpus read_corpus() {
  return DamagedCorpus("tests/fuzz/corpus/parse", kMostFileBytes, kPieces);
}

TEST(ParseCorpus, HoldsGoodAndBadTexts) {
  int good = 0;
  const DamagedCorpus corpus = read_corpus();
  for (const std::string& text : corpus.texts()) good += check_parse_property(text);
  EXPECT_GE(good, 10);
  EXPECT_GE(static_cast<int>(corpus.texts().size()) - good, 5);
}

TEST(ParseCorpus, DamageNeverCrashesAndSomeIsGood) {
  int good = 0;
  read_corpus().damage(3, 500,
                       [&](const std::string& text) { good += check_parse_property(text); });
  EXPECT_GT(good, 500);
}

}  // namespace
}  // namespace clew::dedalus
