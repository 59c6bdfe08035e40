// Text to tokens, one at a time.
//
//   Lexer lexer(file, sources.text(file), most_comments);
//   for (Token token = lexer.next(); token.kind != TokenKind::kEnd; token = lexer.next()) ...
//
// The lexer never fails. Text that is not Dedalus but has an obvious meaning becomes the token it
// stands for (`=` becomes `==`, 'a' becomes "a"), other text is skipped; either way the next token
// carries the problem, and the parser decides whether to report it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"
#include "dedalus/ast.h"

namespace clew::dedalus {

enum class TokenKind {
  kName,
  kInteger,
  kString,
  kNotin,
  kOpen,
  kClose,
  kComma,
  kSemicolon,
  kPeriod,  // dots only: no name, but other languages end their clauses so
  kAt,
  kArrow,  // :-
  kPlus,
  kMinus,
  kTimes,
  kDivide,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kEqual,
  kNotEqual,
  kEnd,
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  Span span;
  std::string_view text;                // as written, but without the quotes of a string
  uint32_t column = 0;                  // bytes since the beginning of its line
  bool first_on_line = false;           // no other token stands before it on its line
  bool after_line_break = false;        // a line break lies right before it, after the last comment
  bool blank_before = false;            // an empty line does
  std::vector<Comment> comments;        // since the token before
  std::unique_ptr<Diagnostic> problem;  // the first one since the token before
};

// Source text as a message quotes it; a long one is cut.
std::string as_code(std::string_view text);
std::string as_code(const Token& token);

class Lexer {
 public:
  // Keeps a view of `text`. Beyond `most_comments` comments are no longer kept, which is a problem
  // of the token after them.
  Lexer(FileId file, std::string_view text, size_t most_comments);

  // After the last token, kEnd forever.
  Token next();

  // How many comments there were so far.
  size_t comments() const { return comments_; }

 private:
  // These leave `at_` behind what they read. The ones that return bool say whether that was a
  // token; if not, its problem has been noted.
  void skip_blanks();
  bool read_comment(Token& token);
  void read_block_comment(Token& token, Comment comment);
  void keep(Token& token, Comment comment);
  bool read_token(Token& token);
  void read_name(Token& token);
  bool read_string(Token& token);
  bool read_symbol(Token& token);
  void skip_stray(Token& token);
  void skip_line();

  void break_line();
  std::string_view rest() const { return text_.substr(at_); }
  Span span(size_t begin, size_t end) const;
  static void note(Token& token, const char* code, Span where, std::string message,
                   std::string help);

  FileId file_;
  std::string_view text_;
  size_t at_ = 0;
  size_t line_begin_ = 0;
  size_t most_comments_;
  size_t comments_ = 0;
  size_t breaks_ = 0;            // line breaks since the last token or comment
  bool line_has_text_ = false;   // a token or comment stands before `at_` on its line
  bool line_has_token_ = false;  // a token does
};

}  // namespace clew::dedalus
