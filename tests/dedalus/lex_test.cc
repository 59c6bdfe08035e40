#include "dedalus/lex.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace clew::dedalus {
namespace {

const char* kind_name(TokenKind kind) {
  switch (kind) {
    case TokenKind::kName:
      return "name";
    case TokenKind::kInteger:
      return "integer";
    case TokenKind::kString:
      return "string";
    case TokenKind::kNotin:
      return "notin";
    case TokenKind::kPeriod:
      return "period";
    case TokenKind::kArrow:
      return "arrow";
    case TokenKind::kComma:
      return "comma";
    case TokenKind::kEqual:
      return "equal";
    case TokenKind::kNotEqual:
      return "not-equal";
    case TokenKind::kLessEqual:
      return "less-equal";
    case TokenKind::kGreaterEqual:
      return "greater-equal";
    case TokenKind::kEnd:
      return "end";
    default:
      return "symbol";
  }
}

// "kind:text kind:text ...", a problem as {code} before its token.
std::string tokens(std::string_view text) {
  Lexer lexer(0, text, 1000);
  std::string result;
  while (true) {
    Token token = lexer.next();
    if (token.problem) result += fmt::format("{{{}}}", token.problem->code);
    if (token.kind == TokenKind::kEnd) return result;
    const char* kind = kind_name(token.kind);
    result += std::string_view(kind) == "symbol" ? fmt::format("{} ", token.text)
                                                 : fmt::format("{}:{} ", kind, token.text);
  }
}

TEST(Lex, Tokens) {
  struct Row {
    std::string source;
    const char* tokens;
  };
  using std::string_literals::operator""s;
  const Row rows[] = {
      {"", ""},
      {" \t\r\n\v\f", ""},
      {"p(X, _y.z?1)@next;", "name:p ( name:X comma:, name:_y.z?1 ) @ name:next ; "},
      {"a:-b", "name:a arrow::- name:b "},
      {"<<=>>= ==!= +-*/", "< less-equal:<= > greater-equal:>= equal:== not-equal:!= + - * / "},
      {"12 007 1a 2pc ?", "integer:12 integer:007 name:1a name:2pc name:? "},
      {"1.5 .5 1.2.3",
       "{not-an-integer}integer:1.5 {not-an-integer}integer:.5 "
       "{not-an-integer}integer:1.2.3 "},
      {". .. 1. x. .x", "period:. period:.. integer:1 period:. name:x. name:.x "},
      {"-5 X-5", "- integer:5 name:X - integer:5 "},
      {"notin notin_x not", "notin:notin name:notin_x name:not "},
      {R"("" "a b" "a\" "//")", R"(string: string:a b string:a\ string:// )"},
      {"\"a\tb\" \"h\xC3\xA9\"", "string:a\tb string:h\xC3\xA9 "},
      {"\"a\n\"b", "{unterminated-string}string:a {unterminated-string}string:b "},
      {"\"a  \r\nb", "{unterminated-string}string:a name:b "},
      {"\"a\rb", "{unterminated-string}string:a name:b "},
      {"a // c\rb # d\rc", "name:a name:b {comment-style}name:c "},
      {"\"a\x01\" \"\x02\"", "{control-character}string:a\x01 {control-character}string:\x02 "},
      {"'a' 'b", "{single-quotes}string:a {stray-character}name:b "},
      {"a // b \"c\nd", "name:a name:d "},
      {"a /* b // \n */ c /**/ d /*/ e */ f", "name:a name:c name:d name:f "},
      {"a /* b", "name:a {unterminated-comment}"},
      {"# a b\nc % d", "{comment-style}name:c {comment-style}"},
      {"= <> =< => === !==",
       "{single-equals}equal:= {unknown-operator}not-equal:<> {unknown-operator}less-equal:=< "
       "{unknown-operator}greater-equal:=> {unknown-operator}equal:=== "
       "{unknown-operator}not-equal:!== "},
      {"! ~ \\+ \xC2\xAC",
       "{negation-style}notin:! {negation-style}notin:~ {negation-style}notin:\\+ "
       "{negation-style}notin:\xC2\xAC "},
      {": :=", "{wrong-arrow}arrow:: {wrong-arrow}arrow::= "},
      {"&& & || |",
       "{unknown-operator}comma:&& {unknown-operator}comma:& "
       "{unknown-operator}comma:|| {unknown-operator}comma:| "},
      {"\xE2\x89\xA0 \xE2\x89\xA4 \xE2\x89\xA5 \xE2\x86\x90",
       "{unknown-operator}not-equal:\xE2\x89\xA0 {unknown-operator}less-equal:\xE2\x89\xA4 "
       "{unknown-operator}greater-equal:\xE2\x89\xA5 {wrong-arrow}arrow:\xE2\x86\x90 "},
      {"a [ b { c", "name:a {stray-character}name:b {stray-character}name:c "},
      {"a\0b"s, "name:a {stray-character}name:b "},
      {"\\", "{stray-character}"},
      {"\xEF\xBB\xBFp", "name:p "},
      {"p\xEF\xBB\xBFq", "name:p {stray-character}name:q "},
  };
  for (const Row& row : rows) EXPECT_EQ(tokens(row.source), row.tokens) << row.source;
}

TEST(Lex, StrayCharactersAreNamed) {
  struct Row {
    std::string source;
    const char* message;
  };
  const Row rows[] = {
      {std::string(1, '\0'), "a NUL byte"},
      {"\x1B", "a control character (U+001B)"},
      {"{", "`{` is not part of the language"},
      {"\xC3\xA9t\xC3\xA9", "`\xC3\xA9` cannot stand outside of a string or comment"},
      {"\xC2\xA0", "an unusual blank (U+00A0)"},
      {"\xE2\x80\x9C", "a typographic quotation mark"},
      {"\xF0\x9F\x98\x80", "`\xF0\x9F\x98\x80` cannot stand outside of a string or comment"},
      {"'", "a single quote"},
  };
  for (const Row& row : rows) {
    Token token = Lexer(0, row.source, 0).next();
    ASSERT_NE(token.problem, nullptr) << row.source;
    EXPECT_EQ(token.problem->message, row.message);
    EXPECT_FALSE(token.problem->help.empty());
  }
}

TEST(Lex, TokensKnowTheirLine) {
  Lexer lexer(0, "a b\n  c /* x\n */ d\n\n e", 10);
  struct Row {
    const char* text;
    uint32_t column;
    bool first_on_line;
    bool after_line_break;
    bool blank_before;
  };
  const Row rows[] = {{"a", 0, true, false, false}, {"b", 2, false, false, false},
                      {"c", 2, true, true, false},  {"d", 4, true, false, false},
                      {"e", 1, true, true, true},   {"", 2, false, true, false}};
  for (const Row& row : rows) {
    Token token = lexer.next();
    EXPECT_EQ(token.text, row.text);
    EXPECT_EQ(token.column, row.column) << row.text;
    EXPECT_EQ(token.first_on_line, row.first_on_line) << row.text;
    EXPECT_EQ(token.after_line_break, row.after_line_break) << row.text;
    EXPECT_EQ(token.blank_before, row.blank_before) << row.text;
  }
}

TEST(Lex, CommentsComeWithTheTokenAfterThem) {
  Lexer lexer(0, "// one  \r\n\n/* two \r\n   lines */ a // b\n// c", 10);
  Token a = lexer.next();
  ASSERT_EQ(a.comments.size(), 2U);
  EXPECT_EQ(a.comments[0].text, "// one");
  EXPECT_TRUE(a.comments[0].own_line);
  EXPECT_FALSE(a.comments[0].blank_before);
  EXPECT_EQ(a.comments[1].text, "/* two\n   lines */");
  EXPECT_TRUE(a.comments[1].own_line);
  EXPECT_TRUE(a.comments[1].blank_before);
  Token end = lexer.next();
  EXPECT_EQ(end.kind, TokenKind::kEnd);
  ASSERT_EQ(end.comments.size(), 2U);
  EXPECT_EQ(end.comments[0].text, "// b");
  EXPECT_FALSE(end.comments[0].own_line);
  EXPECT_TRUE(end.comments[1].own_line);
  EXPECT_EQ(lexer.comments(), 4U);
  EXPECT_EQ(lexer.next().kind, TokenKind::kEnd);
}

TEST(Lex, KeepsABoundedNumberOfComments) {
  Lexer lexer(0, "/**//**//**/ a", 2);
  Token token = lexer.next();
  EXPECT_EQ(token.comments.size(), 2U);
  ASSERT_NE(token.problem, nullptr);
  EXPECT_EQ(token.problem->code, "program-too-large");
}

}  // namespace
}  // namespace clew::dedalus
