// The fuzz target's property over the corpus and thousands of mutations of it, in every build.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "base/random.h"
#include "tests/fuzz/scenario_property.h"

namespace clew {
namespace {

constexpr const char* kCorpus = "tests/fuzz/corpus/scenario";
constexpr int kMutationsPerText = 2000;

std::vector<std::string> read_corpus() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(kCorpus)) {
    paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const std::string& path : paths) {
    Result<std::string> text = read_file(path, kMostScenarioBytes);
    CHECK(text.ok(), "{}", text.error().message);
    texts.push_back(*std::move(text));
  }
  return texts;
}

// Pieces that are likely to lead somewhere when put into a scenario.
const std::vector<std::string> kPieces = {
    "{",        "}",          "[",       "]",       ",",      ":",     "\"",
    "\\",       "0",          "-1",      "1e9",     "null",   "true",  "\"tick\"",
    "\"eot\"",  "\"a\"",      "\xc3",    "\\ud800", "100000", "\"b\"", "\"silent\"",
    "\"stop\"", "4294967297", "\\u0000", " ",       "\n",     "3"};

void mutate(std::string& text, Random& random) {
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

TEST(ScenarioCorpus, HoldsGoodAndBadTexts) {
  int decoded = 0;
  const std::vector<std::string> corpus = read_corpus();
  for (const std::string& text : corpus) decoded += check_scenario_property(text);
  EXPECT_GE(decoded, 4);
  EXPECT_GE(static_cast<int>(corpus.size()) - decoded, 4);
}

TEST(ScenarioCorpus, MutationsNeverCrashAndSomeDecode) {
  Random random(2);
  int decoded = 0;
  for (const std::string& original : read_corpus()) {
    for (int i = 0; i < kMutationsPerText; ++i) {
      std::string text = original;
      for (uint64_t n = random.uniform_below(3) + 1; n > 0; --n) mutate(text, random);
      decoded += check_scenario_property(text);
    }
  }
  EXPECT_GT(decoded, 100);
}

}  // namespace
}  // namespace clew
