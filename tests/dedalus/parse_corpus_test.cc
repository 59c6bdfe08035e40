// The fuzz target's property over the corpus and thousands of mutations of it, in every build.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "base/random.h"
#include "tests/fuzz/parse_property.h"

namespace clew::dedalus {
namespace {

constexpr const char* kCorpus = "tests/fuzz/corpus/parse";
constexpr int kMutationsPerText = 500;

std::vector<std::string> read_corpus() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(kCorpus)) {
    paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const std::string& path : paths) {
    Result<std::string> text = read_file(path, kMostFileBytes);
    CHECK(text.ok(), "{}", text.error().message);
    texts.push_back(*std::move(text));
  }
  return texts;
}

// Pieces that are likely to lead somewhere when put into a program.
const std::vector<std::string> kPieces = {"(",
                                          ")",
                                          ",",
                                          ";",
                                          "@",
                                          ":-",
                                          "<",
                                          ">",
                                          "==",
                                          "=",
                                          "!",
                                          "+",
                                          "-",
                                          "*",
                                          "/",
                                          "\"",
                                          "'",
                                          "//",
                                          "/*",
                                          "*/",
                                          "notin",
                                          "_",
                                          "X",
                                          "p(X)",
                                          "1",
                                          "@next",
                                          "@async",
                                          "@1",
                                          "count<X>",
                                          "include ",
                                          "\n",
                                          "\n\n",
                                          "\r\n",
                                          " ",
                                          "\t",
                                          ".",
                                          "// c\n",
                                          "#",
                                          "/* c */",
                                          "-1",
                                          "not ",
                                          "<-",
                                          "\xC3\xA9",
                                          "\xEF\xBB\xBF",
                                          "p(X) :- q(X);",
                                          "q()@1;",
                                          "0",
                                          "(X + 1)"};

void mutate(std::string& text, const std::vector<std::string>& corpus, Random& random) {
  const size_t at = random.uniform_below(text.size() + 1);
  const size_t length = random.uniform_below(std::min<size_t>(text.size() - at, 12) + 1);
  switch (random.uniform_below(5)) {
    case 0:
      text.erase(at, length);
      break;
    case 1:
      text.insert(at, random.pick(kPieces));
      break;
    case 2:
      text.replace(at, length, random.pick(kPieces));
      break;
    case 3: {
      const std::string& other = random.pick(corpus);
      const size_t from = random.uniform_below(other.size() + 1);
      text.insert(at, other, from, random.uniform_below(40));
      break;
    }
    default:
      if (at < text.size()) text[at] = static_cast<char>(random.uniform_below(128));
  }
}

TEST(ParseCorpus, HoldsGoodAndBadTexts) {
  int good = 0;
  const std::vector<std::string> corpus = read_corpus();
  for (const std::string& text : corpus) good += check_parse_property(text);
  EXPECT_GE(good, 10);
  EXPECT_GE(static_cast<int>(corpus.size()) - good, 5);
}

TEST(ParseCorpus, MutationsNeverCrashAndSomeAreGood) {
  Random random(3);
  int good = 0;
  const std::vector<std::string> corpus = read_corpus();
  for (const std::string& original : corpus) {
    for (int i = 0; i < kMutationsPerText; ++i) {
      std::string text = original;
      for (uint64_t n = random.uniform_below(4) + 1; n > 0; --n) mutate(text, corpus, random);
      good += check_parse_property(text);
    }
  }
  EXPECT_GT(good, 500);
}

}  // namespace
}  // namespace clew::dedalus
