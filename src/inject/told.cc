#include "inject/told.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <utility>

#include "base/columns.h"
#include "base/text.h"

namespace clew::inject {

namespace {

constexpr const char* kToldRemedy =
    "write it like acked(\"w1\", 7): strings in quotes, integers without";

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '?';
}

std::optional<int64_t> integer_in(std::string_view text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// What a value is before anybody says what it stands for.
struct WrittenValue {
  bool quoted = false;
  std::string text;
};

struct Written {
  std::string relation;
  std::vector<WrittenValue> values;
};

// The first mistake sticks, and nothing is read after it.
class ToldReader {
 public:
  explicit ToldReader(std::string_view text) : text_(text) {}

  Result<Written> read();

 private:
  void fail(std::string message) {
    if (!error_) error_ = Error{std::move(message), kToldRemedy};
    at_ = text_.size();
  }
  char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_blanks() {
    while (next() == ' ' || next() == '\t') ++at_;
  }
  std::string word();
  std::string string();
  void escape(std::string& into);
  void values(Written& written);
  void expect(char c);

  std::string_view text_;
  size_t at_ = 0;
  std::optional<Error> error_{};
};

std::string ToldReader::word() {
  const size_t begin = at_;
  while (is_name_character(next()) || next() == '-' || next() == '$') ++at_;
  return std::string(text_.substr(begin, at_ - begin));
}

void ToldReader::expect(char c) {
  skip_blanks();
  if (at_ < text_.size() && next() == c) {
    ++at_;
  } else if (!error_) {
    const std::string found =
        at_ < text_.size() ? fmt::format("`{}`", printable(text_.substr(at_), 20)) : "the end";
    fail(fmt::format("`{}` is expected at byte {}, not {}", c, at_ + 1, found));
  }
}

void ToldReader::escape(std::string& into) {
  const char c = next();
  ++at_;
  switch (c) {
    case '"':
    case '\\':
      into += c;
      return;
    case 'n':
      into += '\n';
      return;
    case 'r':
      into += '\r';
      return;
    case 't':
      into += '\t';
      return;
    default:
      break;
  }
  unsigned code = 0;
  const std::string_view digits = text_.substr(std::min(at_, text_.size()), 2);
  const auto [end, wrong] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
  if (c != 'x' || digits.size() != 2 || wrong != std::errc() || end != digits.end()) {
    return fail("a \\ in a string is followed by one of \\ \" n r t x00");
  }
  into += static_cast<char>(code);
  at_ += 2;
}

std::string ToldReader::string() {
  std::string value;
  ++at_;
  while (at_ < text_.size() && next() != '"') {
    if (text_[at_++] == '\\') {
      escape(value);
    } else {
      value += text_[at_ - 1];
    }
  }
  if (at_ >= text_.size()) fail("a string does not end");
  ++at_;
  return value;
}

void ToldReader::values(Written& written) {
  expect('(');
  skip_blanks();
  if (next() == ')') return;
  while (!error_) {
    skip_blanks();
    const bool quoted = next() == '"';
    std::string value = quoted ? string() : word();
    if (!quoted && value.empty()) fail(fmt::format("a value is missing at byte {}", at_ + 1));
    written.values.push_back({quoted, std::move(value)});
    if (written.values.size() > kMostToldColumns) {
      fail(fmt::format("it has more than {} values", kMostToldColumns));
    }
    skip_blanks();
    if (next() == ')') return;
    expect(',');
  }
}

Result<Written> ToldReader::read() {
  if (text_.size() > kMostTold) {
    return Error{fmt::format("a fact of {} bytes is too long: at most {} are read",
                             with_thousands(text_.size()), with_thousands(kMostTold)),
                 "tell less at once"};
  }
  Written written;
  skip_blanks();
  while (is_name_character(next())) written.relation += text_[at_++];
  if (written.relation.empty()) fail("it does not begin with the name of a relation");
  if (!error_) values(written);
  if (!error_) expect(')');
  skip_blanks();
  if (!error_ && at_ < text_.size()) fail("there is more after the `)`");
  if (error_) return *error_;
  return written;
}

Error not_an_integer(std::string_view text) {
  return {fmt::format("`{}` is no integer of 64 bits", printable(text, 40)), kToldRemedy};
}

std::string in_quotes(std::string_view text) {
  std::string told = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      told += {'\\', c};
    } else if (byte < 0x20 || byte == 0x7f) {
      told += fmt::format("\\x{:02x}", byte);
    } else {
      told += c;
    }
  }
  return told + '"';
}

}  // namespace

Result<Fact> read_told(std::string_view text) {
  const Result<Written> written = ToldReader(text).read();
  if (!written.ok()) return written.error();
  Fact fact{written->relation, {}};
  for (const WrittenValue& value : written->values) {
    if (value.quoted) {
      fact.values.emplace_back(value.text);
    } else if (const std::optional<int64_t> number = integer_in(value.text)) {
      fact.values.emplace_back(*number);
    } else {
      return not_an_integer(value.text);
    }
  }
  return fact;
}

std::string to_told(const Fact& fact) {
  std::string told = fact.relation + "(";
  for (const Datum& value : fact.values) {
    if (&value != fact.values.data()) told += ", ";
    const auto* text = std::get_if<std::string>(&value);
    told += text != nullptr ? in_quotes(*text) : fmt::format("{}", std::get<int64_t>(value));
  }
  return told + ")";
}

Result<std::vector<FactTemplate::Piece>> FactTemplate::split(std::string_view text, size_t groups) {
  std::vector<Piece> pieces(1);
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '$') {
      pieces.back().text += text[i];
      continue;
    }
    const char c = ++i < text.size() ? text[i] : '\0';
    if (c == '$') {
      pieces.back().text += '$';
      continue;
    }
    if (c < '0' || c > '9') {
      return Error{"a $ is followed by the number of a group, or by another $",
                   "write $1 for what the first group of `line` matched, $$ for a dollar"};
    }
    pieces.back().group = c - '0';
    if (static_cast<size_t>(c - '0') > groups) {
      return Error{fmt::format("${} is asked for, but `line` has {}", c,
                               groups == 0 ? "no groups" : count_noun(groups, "group")),
                   "put what it stands for into parentheses in `line`"};
    }
    pieces.emplace_back();
  }
  return pieces;
}

Result<FactTemplate> FactTemplate::make(std::string_view text, size_t groups) {
  const Result<Written> written = ToldReader(text).read();
  if (!written.ok()) return written.error();
  FactTemplate made;
  made.relation_ = written->relation;
  for (const WrittenValue& value : written->values) {
    const bool fixed = value.text.find('$') == std::string::npos;
    if (!value.quoted && fixed && !integer_in(value.text)) return not_an_integer(value.text);
    Result<std::vector<Piece>> pieces = split(value.text, groups);
    if (!pieces.ok()) return pieces.error();
    made.values_.push_back({value.quoted, *std::move(pieces)});
  }
  return made;
}

Result<Fact> FactTemplate::fill(const std::vector<std::string>& groups) const {
  Fact fact{relation_, {}};
  for (const Value& value : values_) {
    std::string text;
    for (const Piece& piece : value.pieces) {
      text += piece.text;
      if (piece.group >= 0) text += groups.at(static_cast<size_t>(piece.group));
    }
    if (value.quoted) {
      fact.values.emplace_back(std::move(text));
    } else if (const std::optional<int64_t> number = integer_in(text)) {
      fact.values.emplace_back(*number);
    } else {
      Error error = not_an_integer(text);
      error.remedy = "put quotes around it in `is`, or let `line` match digits alone";
      return error;
    }
  }
  return fact;
}

}  // namespace clew::inject
