// The fuzz target's property over the corpus and thousands of damaged copies of it, in every build.
#include <gtest/gtest.h>

#include "tests/fuzz/certificate_property.h"
#include "tests/fuzz/damaged_corpus.h"
#include "tests/twins/effort.h"

namespace clew::verify {
namespace {

constexpr const char* kPieces =
    "-|1 |2 | 0|0\n|99999999999|\n|---\n|(|)|\xc3|"
    "and|or|loop|part |crash |omission |fact 3 |\"a\"|\"b\"|heard(\"b\", 1)|"
    "c 0 goal\n|c 1 0 loop 1\n|d 1 and\n";

DamagedCorpus read_corpus() {
  return DamagedCorpus("tests/fuzz/corpus/certificate", kMostCertificateBytes, kPieces);
}

TEST(CertificateCorpus, HoldsGoodAndBadTexts) {
  int accepted = 0;
  int read = 0;
  const DamagedCorpus corpus = read_corpus();
  for (const std::string& text : corpus.texts()) {
    const FuzzedVerdict verdict = check_certificate_property(text);
    accepted += verdict.true_claim ? 1 : 0;
    read += verdict.read ? 1 : 0;
  }
  EXPECT_GE(accepted, 2);
  EXPECT_GE(read, 1);
}

TEST(CertificateCorpus, DamageNeverCrashesNorProvesWhatIsFalse) {
  int accepted = 0;
  read_corpus().damage(3, static_cast<int>(twins::effort(1500)), [&](const std::string& text) {
    accepted += check_certificate_property(text).true_claim ? 1 : 0;
  });
  EXPECT_GT(accepted, static_cast<int>(twins::effort(20)));
}

}  // namespace
}  // namespace clew::verify
