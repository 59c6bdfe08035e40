// The fuzz target's property over the corpus and thousands of mutations of it, in every build.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "base/random.h"
#include "tests/fuzz/certificate_property.h"

namespace clew::verify {
namespace {

constexpr const char* kCorpus = "tests/fuzz/corpus/certificate";
constexpr int kMutationsPerText = 1500;

std::vector<std::string> read_corpus() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(kCorpus)) {
    paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const std::string& path : paths) {
    Result<std::string> text = read_file(path, kMostCertificateBytes);
    CHECK(text.ok(), "{}", text.error().message);
    texts.push_back(*std::move(text));
  }
  return texts;
}

// Pieces that are likely to lead somewhere when put into a certificate.
const std::vector<std::string> kPieces = {"-",
                                          "1 ",
                                          "2 ",
                                          " 0",
                                          "0\n",
                                          "\n",
                                          "c 0 goal\n",
                                          "c 1 0 loop 1\n",
                                          "and",
                                          "or",
                                          "loop",
                                          "\"a\"",
                                          "\"b\"",
                                          "crash ",
                                          "omission ",
                                          "fact 3 ",
                                          "part ",
                                          "---\n",
                                          "d 1 and\n",
                                          "99999999999",
                                          "heard(\"b\", 1)",
                                          "\xc3",
                                          "(",
                                          ")"};

void damage(std::string& text, Random& random) {
  const size_t at = random.uniform_below(text.size() + 1);
  const size_t length = random.uniform_below(std::min<size_t>(text.size() - at, 12) + 1);
  switch (random.uniform_below(4)) {
    case 0:
      text.erase(at, length);
      break;
    case 1:
      text.insert(at, random.pick(kPieces));
      break;
    case 2:
      text.replace(at, length, random.pick(kPieces));
      break;
    default:
      if (at < text.size()) text[at] = static_cast<char>(random.uniform_below(256));
  }
}

TEST(CertificateCorpus, HoldsGoodAndBadTexts) {
  int accepted = 0;
  int read = 0;
  for (const std::string& text : read_corpus()) {
    const FuzzedVerdict verdict = check_certificate_property(text);
    accepted += verdict.true_claim ? 1 : 0;
    read += verdict.read ? 1 : 0;
  }
  EXPECT_GE(accepted, 2);
  EXPECT_GE(read, 1);
}

TEST(CertificateCorpus, MutationsNeverCrashNorProveWhatIsFalse) {
  Random random(3);
  int accepted = 0;
  for (const std::string& original : read_corpus()) {
    for (int i = 0; i < kMutationsPerText; ++i) {
      std::string text = original;
      for (uint64_t n = random.uniform_below(3) + 1; n > 0; --n) damage(text, random);
      accepted += check_certificate_property(text).true_claim ? 1 : 0;
    }
  }
  EXPECT_GT(accepted, 20);
}

}  // namespace
}  // namespace clew::verify
