#include "node/parse.h"

#include <cctype>
#include <charconv>

namespace clew::node {

namespace {

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

}  // namespace

void TextReader::skip_blanks() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) {
    ++at_;
  }
}

bool TextReader::sees(char c) {
  skip_blanks();
  return at_ < text_.size() && text_[at_] == c;
}

bool TextReader::take(char c) {
  if (!sees(c)) return false;
  ++at_;
  return true;
}

void TextReader::expect(char c) {
  if (!take(c)) fail(std::string("a ") + c);
}

void TextReader::end() {
  skip_blanks();
  if (at_ < text_.size()) fail("the end");
}

std::string TextReader::word() {
  skip_blanks();
  const size_t begin = at_;
  while (at_ < text_.size() && in_word(text_[at_])) ++at_;
  return std::string(text_.substr(begin, at_ - begin));
}

std::string TextReader::string() {
  if (!take('"')) fail("a string in quotes", "a shell takes quotes away: put '...' around it all");
  std::string value;
  while (at_ < text_.size()) {
    const char c = text_[at_++];
    if (c == '"' && (at_ == text_.size() || text_[at_] != '"')) return value;
    if (c == '"') ++at_;
    value += c;
  }
  fail("a \" at the end of the string", "within a string, write \"\" for a \"");
}

void TextReader::enter() {
  if (depth_ == 0) fail("an end", "brackets nest too deep");
  --depth_;
}

int64_t TextReader::number() {
  skip_blanks();
  int64_t value = 0;
  const char* begin = text_.data() + at_;
  const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
  if (error == std::errc::result_out_of_range) fail("a number of 64 bits");
  if (error != std::errc()) fail("a number");
  at_ += static_cast<size_t>(end - begin);
  return value;
}

Id TextReader::id() {
  skip_blanks();
  const size_t before = at_;
  // Names may have anything in them: the longest that fits is it.
  std::string best;
  for (size_t i = 0; i < names_.size(); ++i) {
    const std::string name = names_.name(Id{static_cast<uint8_t>(i)});
    if (text_.substr(at_).starts_with(name) && name.size() > best.size()) best = name;
  }
  const bool ends = at_ + best.size() == text_.size() || !in_word(text_[at_ + best.size()]);
  if (best.empty() || !ends) {
    std::string all;
    for (size_t i = 0; i < names_.size(); ++i) {
      all += (i == 0 ? "" : ", ") + names_.name(Id{static_cast<uint8_t>(i)});
    }
    at_ = before;
    fail("the name of a node", "there are " + all);
  }
  at_ += best.size();
  return *names_.find(best);
}

void TextReader::fail(const std::string& expected, const std::string& remedy) {
  skip_blanks();
  const size_t begin = at_;
  const std::string what = word();
  const std::string found = begin == text_.size()
                                ? "the end"
                                : "`" + (what.empty() ? text_[begin] + std::string() : what) + "`";
  throw NotText(
      "column " + std::to_string(begin + 1) + ": " + found + " where " + expected + " is expected",
      remedy);
}

}  // namespace clew::node
