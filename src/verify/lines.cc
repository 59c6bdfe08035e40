#include "verify/lines.h"

#include <charconv>

#include "base/columns.h"
#include "base/watched.h"

namespace clew::verify {

namespace {

constexpr size_t kMostShown = 60;

}  // namespace

bool Lines::next() {
  look();
  if (text_.empty()) return false;
  const size_t end = text_.find('\n');
  rest_ = text_.substr(0, end);
  text_ = end == std::string_view::npos ? std::string_view() : text_.substr(end + 1);
  ++number_;
  return true;
}

void Lines::refuse(std::string message) const { throw Refusal{file_, number_, std::move(message)}; }

bool Lines::skip(std::string_view text) {
  if (!rest_.starts_with(text)) return false;
  rest_.remove_prefix(text.size());
  return true;
}

void Lines::expect(std::string_view text) {
  if (skip(text)) return;
  refuse(fmt::format("expected `{}` before `{}`", text, printable(rest_, kMostShown)));
}

std::string_view Lines::word() {
  const std::string_view word = rest_.substr(0, rest_.find(' '));
  rest_.remove_prefix(word.size());
  skip(" ");
  return word;
}

int64_t Lines::integer(int64_t least, int64_t most) {
  const std::string_view text = word();
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (whole && number >= least && number <= most) return number;
  refuse(fmt::format("`{}` is not an integer from {} to {}", printable(text, kMostShown), least,
                     most));
}

int64_t Lines::digits(int64_t most) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
  if (error != std::errc() || number < 1 || number > most) {
    refuse(fmt::format("expected a number from 1 to {} before `{}`", most,
                       printable(rest_, kMostShown)));
  }
  rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
  return number;
}

std::string Lines::quoted() {
  expect("\"");
  std::string text;
  while (true) {
    const size_t end = rest_.find('"');
    if (end == std::string_view::npos) refuse("a string does not end");
    text += rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    // A quote that is part of the string is written twice.
    if (!skip("\"")) return text;
    text += '"';
  }
}

Datum Lines::datum() {
  if (rest_.starts_with('"')) return quoted();
  int64_t number = 0;
  const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
  if (error != std::errc()) {
    refuse(fmt::format("expected a value before `{}`", printable(rest_, kMostShown)));
  }
  rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
  return number;
}

std::vector<Datum> Lines::tuple() {
  std::vector<Datum> values;
  expect("(");
  if (skip(")")) return values;
  do {
    values.push_back(datum());
  } while (skip(", "));
  expect(")");
  return values;
}

std::vector<Lit> Lines::clause(Lit most) {
  std::vector<Lit> lits;
  while (true) {
    if (rest_.empty()) refuse("the clause does not end in 0");
    const auto lit = static_cast<Lit>(integer(-most, most));
    if (lit == 0) return lits;
    lits.push_back(lit);
  }
}

std::vector<Lit> Lines::literals(Lit most) {
  std::vector<Lit> lits;
  while (!rest_.empty()) {
    const auto lit = static_cast<Lit>(integer(-most, most));
    if (lit == 0) refuse("0 is not a literal");
    lits.push_back(lit);
  }
  return lits;
}

}  // namespace clew::verify
