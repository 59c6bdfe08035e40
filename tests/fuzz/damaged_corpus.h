// A fuzzer's corpus and thousands of damaged copies of it: in every build, the same ones each time.
//
//   const DamagedCorpus corpus("tests/fuzz/corpus/parse", kMostFileBytes, "(|)|notin");
//   corpus.texts();                                                // as they are
//   corpus.damage(3, 500, [&](const std::string& text) { ... });   // seed 3, 500 copies of each
//
// The pieces, with bars between them, are likely to lead somewhere when put into a text.
#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/files.h"
#include "base/random.h"

namespace clew {

class DamagedCorpus {
 public:
  DamagedCorpus(const std::string& folder, uint64_t most_bytes, const std::string& pieces) {
    std::istringstream stream(pieces);
    for (std::string piece; std::getline(stream, piece, '|');) pieces_.push_back(piece);
    std::vector<std::string> paths;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      paths.push_back(entry.path().string());
    }
    std::ranges::sort(paths);
    for (const std::string& path : paths) {
      Result<std::string> text = read_file(path, most_bytes);
      CHECK(text.ok(), "{}", text.error().message);
      texts_.push_back(*std::move(text));
    }
  }

  const std::vector<std::string>& texts() const { return texts_; }

  void damage(uint64_t seed, int copies,
              const std::function<void(const std::string&)>& look) const {
    Random random(seed);
    for (const std::string& original : texts_) {
      for (int i = 0; i < copies; ++i) {
        std::string text = original;
        for (uint64_t n = random.uniform_below(3) + 1; n > 0; --n) damage(text, random);
        look(text);
      }
    }
  }

 private:
  void damage(std::string& text, Random& random) const {
    const size_t at = random.uniform_below(text.size() + 1);
    const size_t length = random.uniform_below(std::min<size_t>(text.size() - at, 12) + 1);
    switch (random.uniform_below(5)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, random.pick(pieces_));
        break;
      case 2:
        text.replace(at, length, random.pick(pieces_));
        break;
      case 3: {
        const std::string& other = random.pick(texts_);
        const size_t from = random.uniform_below(other.size() + 1);
        text.insert(at, other, from, random.uniform_below(40));
        break;
      }
      default:
        if (at < text.size()) text[at] = static_cast<char>(random.uniform_below(256));
    }
  }

  std::vector<std::string> pieces_;
  std::vector<std::string> texts_;
};

}  // namespace clew
