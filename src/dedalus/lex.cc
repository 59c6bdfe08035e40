#include "dedalus/lex.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/check.h"
#include "base/lines.h"

namespace clew::dedalus {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kLineEnds = "\r\n";

// A row with a code is not Dedalus: it is read as if it were `kind`, and reported.
struct Symbol {
  std::string_view text;
  TokenKind kind;
  const char* code = nullptr;
  const char* help = nullptr;
};

constexpr const char* kOperator = "unknown-operator";
constexpr const char* kArrowStyle = "wrong-arrow";
constexpr const char* kNegation = "negation-style";
constexpr const char* kWriteArrow = "write `head :- body;`";
constexpr const char* kWriteNotin = "write `notin` before the atom";
constexpr const char* kWriteComma = "separate the elements of a body by `,`";
constexpr const char* kWriteTwoRules = "write one rule for each alternative, with the same head";

// Rows with the same first byte stand together; of two that fit, the first one counts.
constexpr auto kSymbols = std::to_array<Symbol>({
    {"(", TokenKind::kOpen},
    {")", TokenKind::kClose},
    {",", TokenKind::kComma},
    {";", TokenKind::kSemicolon},
    {"@", TokenKind::kAt},
    {":-", TokenKind::kArrow},
    {":=", TokenKind::kArrow, kArrowStyle, kWriteArrow},
    {":", TokenKind::kArrow, kArrowStyle, kWriteArrow},
    {"+", TokenKind::kPlus},
    {"-", TokenKind::kMinus},
    {"*", TokenKind::kTimes},
    {"/", TokenKind::kDivide},
    {"<=", TokenKind::kLessEqual},
    {"<>", TokenKind::kNotEqual, kOperator, "write `!=`"},
    {"<", TokenKind::kLess},
    {">=", TokenKind::kGreaterEqual},
    {">", TokenKind::kGreater},
    {"===", TokenKind::kEqual, kOperator, "write `==`"},
    {"==", TokenKind::kEqual},
    {"=<", TokenKind::kLessEqual, kOperator, "write `<=`"},
    {"=>", TokenKind::kGreaterEqual, kOperator, "write `>=`"},
    {"=", TokenKind::kEqual, "single-equals", "write `==` to compare"},
    {"!==", TokenKind::kNotEqual, kOperator, "write `!=`"},
    {"!=", TokenKind::kNotEqual},
    {"!", TokenKind::kNotin, kNegation, kWriteNotin},
    {"~", TokenKind::kNotin, kNegation, kWriteNotin},
    {"\\+", TokenKind::kNotin, kNegation, kWriteNotin},
    {"&&", TokenKind::kComma, kOperator, kWriteComma},
    {"&", TokenKind::kComma, kOperator, kWriteComma},
    {"||", TokenKind::kComma, kOperator, kWriteTwoRules},
    {"|", TokenKind::kComma, kOperator, kWriteTwoRules},
    {"\xC2\xAC", TokenKind::kNotin, kNegation, kWriteNotin},              // ¬
    {"\xE2\x89\xA0", TokenKind::kNotEqual, kOperator, "write `!=`"},      // ≠
    {"\xE2\x89\xA4", TokenKind::kLessEqual, kOperator, "write `<=`"},     // ≤
    {"\xE2\x89\xA5", TokenKind::kGreaterEqual, kOperator, "write `>=`"},  // ≥
    {"\xE2\x86\x90", TokenKind::kArrow, kArrowStyle, kWriteArrow},        // ←
});

// For each byte the first row that begins with it, or the number of rows.
constexpr auto kFirstRow = [] {
  std::array<uint8_t, 256> rows{};
  rows.fill(kSymbols.size());
  for (size_t i = kSymbols.size(); i > 0; --i) {
    rows[static_cast<unsigned char>(kSymbols[i - 1].text[0])] = static_cast<uint8_t>(i - 1);
  }
  return rows;
}();

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '.' ||
         c == '?';
}

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '\x7F'; }

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::string_view trim_end(std::string_view text) {
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// The comment with every line's end trimmed, and with plain line ends.
std::string tidy(std::string_view comment) {
  std::string result;
  while (true) {
    const size_t end = comment.find_first_of(kLineEnds);
    result += trim_end(comment.substr(0, end));
    if (end == comment.npos) return result;
    result += '\n';
    comment.remove_prefix(end + (ends_line(comment, end) ? 1 : 2));
  }
}

// The first code point of `text`, which is valid UTF-8.
uint32_t decode(std::string_view text) {
  auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return lead;
  uint32_t code = lead >= 0xF0 ? lead & 0x07U : lead >= 0xE0 ? lead & 0x0FU : lead & 0x1FU;
  for (size_t i = 1; i < text.size(); ++i) {
    auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xC0U) != 0x80U) break;
    code = (code << 6U) | (byte & 0x3FU);
  }
  return code;
}

struct StrayReason {
  std::string message;
  std::string help;
};

StrayReason why_stray(std::string_view stray) {
  uint32_t code = decode(stray);
  if (code == 0) return {"a NUL byte", "check that this is a text file"};
  if (code == '\'') return {"a single quote", "write strings as \"text\""};
  if (code >= 0x2018 && code <= 0x201F) {
    return {"a typographic quotation mark", "write strings as \"text\", with plain quotes"};
  }
  const bool invisible = code == 0xA0 || (code >= 0x2000 && code <= 0x200F) || code == 0x202F ||
                         code == 0x3000 || code == 0xFEFF;
  if (invisible) {
    return {fmt::format("an unusual blank (U+{:04X})", code), "replace it by an ordinary space"};
  }
  if (code < 0x20 || (code >= 0x7F && code < 0xA0)) {
    return {fmt::format("a control character (U+{:04X})", code), "remove it"};
  }
  if (code < 0x80) {
    return {fmt::format("{} is not part of the language", as_code(stray)), "remove it"};
  }
  return {fmt::format("{} cannot stand outside of a string or comment", as_code(stray)),
          "names consist of the letters a-z and A-Z, digits, `_`, `.` and `?`"};
}

}  // namespace

std::string as_code(std::string_view text) {
  constexpr size_t kLongest = 40;
  if (text.size() <= kLongest) return fmt::format("`{}`", text);
  size_t cut = kLongest;
  while ((static_cast<unsigned char>(text[cut]) & 0xC0U) == 0x80U) --cut;
  return fmt::format("`{}...`", text.substr(0, cut));
}

std::string as_code(const Token& token) {
  if (token.kind == TokenKind::kEnd) return "the end of the file";
  if (token.kind == TokenKind::kString) return "a string";
  return as_code(token.text);
}

Lexer::Lexer(FileId file, std::string_view text, size_t most_comments)
    : file_(file), text_(text), most_comments_(most_comments) {
  CHECK(text.size() < UINT32_MAX);
  if (text_.starts_with(kByteOrderMark)) at_ = line_begin_ = kByteOrderMark.size();
}

Token Lexer::next() {
  Token token;
  while (true) {
    skip_blanks();
    if (read_comment(token)) continue;
    token.column = static_cast<uint32_t>(at_ - line_begin_);
    token.first_on_line = !line_has_token_;
    token.after_line_break = breaks_ > 0 || at_ == text_.size();
    token.blank_before = breaks_ > 1;
    if (at_ == text_.size()) {
      token.span = span(at_, at_);
      return token;
    }
    const bool is_token = read_token(token);
    line_has_text_ = true;
    breaks_ = 0;
    if (is_token) {
      line_has_token_ = true;
      return token;
    }
  }
}

void Lexer::skip_blanks() {
  for (; at_ < text_.size() && is_blank(text_[at_]); ++at_) {
    if (ends_line(text_, at_)) break_line();
  }
}

// Called with `at_` on the last character of the line's end.
void Lexer::break_line() {
  line_begin_ = at_ + 1;
  line_has_text_ = false;
  line_has_token_ = false;
  ++breaks_;
}

bool Lexer::read_comment(Token& token) {
  Comment comment;
  comment.own_line = !line_has_text_;
  comment.blank_before = breaks_ > 1;
  if (rest().starts_with("//")) {
    const size_t begin = at_;
    skip_line();
    comment.text = trim_end(text_.substr(begin, at_ - begin));
    keep(token, std::move(comment));
    return true;
  }
  if (rest().starts_with("/*")) {
    read_block_comment(token, std::move(comment));
    return true;
  }
  if (rest().starts_with('#') || rest().starts_with('%')) {
    note(token, "comment-style", span(at_, at_ + 1),
         fmt::format("`{}` does not begin a comment", text_[at_]), "write comments as `// text`");
    skip_line();
    return true;
  }
  return false;
}

void Lexer::read_block_comment(Token& token, Comment comment) {
  const size_t begin = at_;
  const size_t close = text_.find("*/", at_ + 2);
  if (close == text_.npos) {
    note(token, "unterminated-comment", span(begin, begin + 2), "this comment never ends",
         "close it with `*/`");
  }
  const size_t end = close == text_.npos ? text_.size() : close + 2;
  for (; at_ < end; ++at_) {
    if (ends_line(text_, at_)) break_line();
  }
  comment.text = tidy(text_.substr(begin, end - begin));
  keep(token, std::move(comment));
}

void Lexer::keep(Token& token, Comment comment) {
  line_has_text_ = true;
  breaks_ = 0;
  if (++comments_ <= most_comments_) {
    token.comments.push_back(std::move(comment));
  } else {
    note(token, "program-too-large", span(at_, at_), "there are too many comments",
         "split the program");
  }
}

void Lexer::skip_line() { at_ = std::min(text_.find_first_of(kLineEnds, at_), text_.size()); }

bool Lexer::read_token(Token& token) {
  const size_t begin = at_;
  bool is_token = true;
  if (is_name_char(text_[at_])) {
    read_name(token);
  } else if (!read_string(token) && !read_symbol(token)) {
    skip_stray(token);
    is_token = false;
  }
  token.span = span(begin, at_);
  return is_token;
}

void Lexer::read_name(Token& token) {
  const size_t begin = at_;
  while (at_ < text_.size() && is_name_char(text_[at_])) ++at_;
  std::string_view text = text_.substr(begin, at_ - begin);
  const size_t digits = static_cast<size_t>(std::ranges::count_if(text, is_digit));
  const size_t dots = static_cast<size_t>(std::ranges::count(text, '.'));
  token.kind = TokenKind::kName;
  if (text == "notin") token.kind = TokenKind::kNotin;
  if (dots == text.size()) token.kind = TokenKind::kPeriod;
  if (digits > 0 && digits + dots == text.size()) {
    token.kind = TokenKind::kInteger;
    if (dots == 1 && text.ends_with('.')) {
      // `p("a")@1.` is an integer and a period.
      text.remove_suffix(1);
      --at_;
    } else if (dots > 0) {
      note(token, "not-an-integer", span(begin, at_),
           fmt::format("{} is not an integer", as_code(text)),
           "numbers are integers of 64 bits; put anything else into a \"string\"");
    }
  }
  token.text = text;
}

// A string in single quotes counts if it ends on its line.
bool Lexer::read_string(Token& token) {
  const char quote = text_[at_];
  if (quote != '"' && quote != '\'') return false;
  const size_t begin = at_;
  size_t end = begin + 1;
  const auto goes_on = [quote](char c) { return c != quote && c != '\n' && c != '\r'; };
  while (end < text_.size() && goes_on(text_[end])) ++end;
  const bool closed = end < text_.size() && text_[end] == quote;
  if (!closed && quote == '\'') return false;
  token.kind = TokenKind::kString;
  token.text = text_.substr(begin + 1, end - begin - 1);
  if (!closed) {
    token.text = trim_end(token.text);
    at_ = begin + 1 + token.text.size();
    note(token, "unterminated-string", span(begin, at_), "this string has no end on its line",
         "close it with `\"`");
    return true;
  }
  at_ = end + 1;
  if (quote == '\'') {
    note(token, "single-quotes", span(begin, at_), "strings stand in double quotes",
         token.text.size() <= 40 ? fmt::format("write \"{}\"", token.text) : "write `\"` for `'`");
  }
  auto control =
      std::ranges::find_if(token.text, [](char c) { return is_control(c) && c != '\t'; });
  if (control != token.text.end()) {
    const size_t place = begin + 1 + static_cast<size_t>(control - token.text.begin());
    note(token, "control-character", span(place, place + 1),
         fmt::format("a control character (U+{:04X}) in a string", decode({&*control, 1})),
         "remove it");
  }
  return true;
}

bool Lexer::read_symbol(Token& token) {
  size_t row = kFirstRow[static_cast<unsigned char>(text_[at_])];
  for (; row < kSymbols.size() && kSymbols[row].text[0] == text_[at_]; ++row) {
    const Symbol& symbol = kSymbols[row];
    if (!rest().starts_with(symbol.text)) continue;
    token.kind = symbol.kind;
    token.text = symbol.text;
    if (symbol.code != nullptr) {
      note(token, symbol.code, span(at_, at_ + symbol.text.size()),
           fmt::format("`{}` is not part of the language", symbol.text), symbol.help);
    }
    at_ += symbol.text.size();
    return true;
  }
  return false;
}

void Lexer::skip_stray(Token& token) {
  const size_t begin = at_++;
  if (!is_ascii(text_[begin])) {
    while (at_ < text_.size() && !is_ascii(text_[at_])) ++at_;
  }
  const std::string_view stray = text_.substr(begin, at_ - begin);
  if (token.problem) return;
  const StrayReason why = why_stray(stray);
  note(token, "stray-character", span(begin, at_), why.message, why.help);
}

Span Lexer::span(size_t begin, size_t end) const {
  return {file_, static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
}

void Lexer::note(Token& token, const char* code, Span where, std::string message,
                 std::string help) {
  if (token.problem) return;
  token.problem = std::make_unique<Diagnostic>(
      Diagnostic{Severity::kError, code, where, std::move(message), {}, std::move(help)});
}

}  // namespace clew::dedalus
