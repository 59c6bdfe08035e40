#include "inject/regex.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "base/text.h"

namespace clew::inject {

namespace {

constexpr const char* kRegexRemedy =
    "write a regular expression as in JavaScript, without look-ahead and references back";
constexpr size_t kMostPattern = 2'000;  // bytes: also how deep groups nest

// How many parts a pattern has when what repeats is written out. Patterns that are wrong get any
// number.
class Parts {
 public:
  explicit Parts(std::string_view pattern) : pattern_(pattern) {}

  size_t count() {
    size_t sum = 0;
    while (at_ < pattern_.size()) {
      sum = capped(sum + sequence(0) + 1);
      ++at_;  // a `)` without its group
    }
    return sum;
  }

 private:
  static size_t capped(size_t count) { return std::min<size_t>(count, 1'000'000); }
  bool sees(char c) const { return at_ < pattern_.size() && pattern_[at_] == c; }

  size_t sequence(int depth) {
    size_t sum = 0;
    while (at_ < pattern_.size() && pattern_[at_] != ')') {
      const size_t part = atom(depth);
      sum = capped(sum + capped(part * repeats()) + 1);
    }
    return sum;
  }

  size_t atom(int depth) {
    const char c = pattern_[at_++];
    if (c == '\\') ++at_;
    if (c == '[') skip_class();
    if (c != '(') return 1;
    const size_t inner = sequence(depth + 1);
    ++at_;
    return inner + 2;
  }

  void skip_class() {
    if (sees('^')) ++at_;
    while (at_ < pattern_.size() && pattern_[at_] != ']') at_ += sees('\\') ? 2 : 1;
    ++at_;
  }

  // The highest number of a `{...}` that comes next, or 1.
  size_t repeats() {
    size_t most = 1;
    while (sees('{')) {
      size_t number = 0;
      for (; at_ < pattern_.size() && pattern_[at_] != '}'; ++at_) {
        const char c = pattern_[at_];
        number = c >= '0' && c <= '9' ? capped(number * 10 + static_cast<size_t>(c - '0')) : 0;
        most = std::max(most, number);
      }
      ++at_;
    }
    return most;
  }

  std::string_view pattern_;
  size_t at_ = 0;
};

bool looks_ahead(std::string_view pattern) {
  return pattern.find("(?=") != std::string_view::npos ||
         pattern.find("(?!") != std::string_view::npos;
}

}  // namespace

struct Regex::Compiled {
  std::regex whole;
  std::regex part;
};

Result<Regex> Regex::make(const std::string& pattern) {
  if (pattern.size() > kMostPattern) {
    return Error{fmt::format("it has {} bytes: at most {} are read", with_thousands(pattern.size()),
                             with_thousands(kMostPattern)),
                 "make it simpler"};
  }
  if (looks_ahead(pattern)) return Error{"look-ahead is not supported", kRegexRemedy};
  if (Parts(pattern).count() > kMostParts) {
    return Error{
        fmt::format("what repeats in it unrolls to more than {} parts", with_thousands(kMostParts)),
        "use * or + instead of large numbers in braces"};
  }
  constexpr auto kFlags = std::regex::ECMAScript | std::regex_constants::__polynomial;
  try {
    Compiled compiled{std::regex(pattern, kFlags),
                      std::regex("[\\s\\S]*(?:" + pattern + ")[\\s\\S]*", kFlags)};
    Regex regex;
    regex.compiled_ = std::make_shared<const Compiled>(std::move(compiled));
    return regex;
  } catch (const std::regex_error& error) {
    return Error{error.what(), kRegexRemedy};
  }
}

size_t Regex::groups() const { return compiled_->whole.mark_count(); }

bool Regex::matches(std::string_view line, std::vector<std::string>* groups) const {
  if (line.size() > kMostLine) return false;
  std::cmatch match;
  if (!std::regex_match(line.data(), line.data() + line.size(), match, compiled_->whole)) {
    return false;
  }
  if (groups != nullptr) {
    groups->clear();
    for (const std::csub_match& group : match) groups->push_back(group.str());
  }
  return true;
}

bool Regex::occurs_in(std::string_view line) const {
  return line.size() <= kMostLine &&
         std::regex_match(line.data(), line.data() + line.size(), compiled_->part);
}

std::string Regex::replaced(std::string_view line, const std::string& by) const {
  const std::string text(line);
  return text.size() > kMostReplaced ? text : std::regex_replace(text, compiled_->whole, by);
}

}  // namespace clew::inject
