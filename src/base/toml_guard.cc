#include "base/toml_guard.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace clew {

namespace {

class TomlGuard {
 public:
  TomlGuard(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  Status look();

 private:
  bool sees(std::string_view what) const { return text_.substr(at_).starts_with(what); }
  Status outside(char c);
  void comment() { at_ = std::min(text_.find('\n', at_), text_.size()); }
  void string();
  void long_string(std::string_view quotes);
  Error wrong(const std::string& message, std::string remedy) const;

  std::string_view text_;
  const std::string& path_;
  size_t at_ = 0;
  size_t dots_ = 0;  // of this line
};

Error TomlGuard::wrong(const std::string& message, std::string remedy) const {
  const std::string_view before = text_.substr(0, at_);
  const size_t begin = before.rfind('\n') + 1;  // of the line; npos + 1 is 0
  const auto line = std::ranges::count(before, '\n') + 1;
  const size_t column = count_code_points(with_valid_utf8(before.substr(begin))) + 1;
  return {fmt::format("{}:{}:{}: {}", path_, line, column, message), std::move(remedy)};
}

// Up to the quote that ends it, or to the end of the line, where it has none.
void TomlGuard::string() {
  const char quote = text_[at_++];
  while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
    at_ += quote == '"' && text_[at_] == '\\' ? 2 : 1;
  }
  if (at_ < text_.size() && text_[at_] == quote) ++at_;
}

// The last quotes of it may be its own: `"""a"""""` is `a""`.
void TomlGuard::long_string(std::string_view quotes) {
  at_ += quotes.size();
  while (at_ < text_.size() && !sees(quotes)) {
    at_ += quotes[0] == '"' && text_[at_] == '\\' ? 2 : 1;
  }
  at_ += quotes.size();
  for (int own = 0; own < 2 && at_ < text_.size() && text_[at_] == quotes[0]; ++own) ++at_;
}

Status TomlGuard::outside(char c) {
  if (c == '\n') dots_ = 0;
  if (c == '.' && ++dots_ > kMostTomlDots) {
    return wrong(fmt::format("a line with more than {} dots outside of strings", kMostTomlDots),
                 "nest less, or break the line");
  }
  ++at_;
  return Nothing{};
}

Status TomlGuard::look() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '#') {
      comment();
    } else if (sees("\"\"\"") || sees("'''")) {
      long_string(text_.substr(at_, 3));
    } else if (c == '"' || c == '\'') {
      string();
    } else if (Status fine = outside(c); !fine.ok()) {
      return fine;
    }
    at_ = std::min(at_, text_.size());
  }
  return Nothing{};
}

}  // namespace

Status guard_toml(std::string_view text, const std::string& path) {
  return TomlGuard(text, path).look();
}

}  // namespace clew
