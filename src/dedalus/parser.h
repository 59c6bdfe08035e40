// The recursive-descent parser behind parse(): clauses in parse.cc, limits in
// parse_limits.cc, atoms and terms in parse_terms.cc.
//
//   clause    = "include" string ";" | atom ";" | atom ":-" body ";" | promise ";" | limits ";"
//   limits    = "reliable" link { "," link } | "nocrash" string { "," string }
//   link      = string [ ">" string ]
//   promise   = ( "promise" | "always" ) name ":" body "implies" body | "never" name ":" body
//   body      = literal { "," literal }
//   literal   = atom | "notin" atom | condition
//   condition = sum ( "<" | "<=" | ">" | ">=" | "==" | "!=" ) sum | "(" condition ")"
//   atom      = name "(" [ argument { "," argument } ] ")" [ "@" ( "next" | "async" | integer ) ]
//   argument  = sum | aggregate, in heads only
//   aggregate = ( "count" | "sum" | "min" | "max" ) "<" name ">"
//   sum       = product { ( "+" | "-" ) product }
//   product   = primary { ( "*" | "/" ) primary }
//   primary   = name | "_" | string | [ "-" ] integer | "(" sum ")"
//
// A function that reads a part of the grammar returns false once the clause cannot be read on; the
// mistake has then been reported, and the clause loop skips to the next clause. Mistakes whose
// meaning is plain are reported without giving up. Only the first mistake of a clause is shown.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"
#include "dedalus/ast.h"
#include "dedalus/lex.h"

namespace clew::dedalus {

class Parser {
 public:
  Parser(FileId file, const SourceSet& sources, Diagnostics& diagnostics, size_t most_elements);

  // Reads the whole file; once.
  File run();

 private:
  // A term with its height as a tree; leaves have height 1.
  struct Tree {
    Term term;
    int height = 1;
  };

  // Clauses.
  void read_next(File& file);
  void report_comment_style();
  bool read_clause(Clause& clause);
  bool read_include(Clause& clause);
  bool refuse_declaration();
  bool read_after_head(Clause& clause);
  bool read_arrow_lookalike();
  bool read_promise(Clause& clause);
  bool read_promise_colon(const Clause& clause);
  bool read_body(std::vector<Literal>& body);
  bool read_literal(Literal& literal, bool first);
  bool at_spelled_not();
  bool read_negative(Literal& literal);
  bool read_condition(Literal& literal);
  bool end_clause(const char* expected);
  void skip_clause();
  bool at_new_clause();
  // Comments between the token taken last and the end of its line.
  void take_trailing(std::vector<Comment>& trailing);

  // Limits.
  bool read_limits(Clause& clause);
  bool read_limit(Limit& limit);
  bool at_node() { return at(TokenKind::kString) && !peek().text.empty(); }
  bool refuse_limit(Limit::Kind kind);

  // Atoms and terms.
  bool read_atom(Atom& atom, bool head);
  bool read_arguments(Atom& atom, bool head);
  bool read_time(TimeSuffix& time);
  bool read_argument(Term& term, bool head);
  bool read_aggregate(Term& term, bool head);
  bool read_comparison(Tree& tree);
  bool read_sum(Tree& tree);
  bool read_product(Tree& tree);
  bool read_primary(Tree& tree);
  bool read_parenthesized(Tree& tree);
  bool read_variable(Term& term);
  bool read_integer(Term& term);
  bool combine(Tree& left, Op op, Tree right);
  // Name, `<`, name, `>`, or the like; the tail is what follows the first name.
  bool at_aggregate();
  bool at_aggregate_tail();

  // Each reports what is wrong with the next token, and returns false.
  bool refuse_clause_start();
  bool refuse_literal_start(bool first);
  bool refuse_clause_end(const char* expected);
  bool refuse_time();
  bool refuse_argument_end(Span open);
  bool refuse_term();
  bool refuse_chained(const Term& comparison);

  // Tokens. Consuming one reports its problem and keeps its comments.
  const Token& peek(size_t ahead = 0);
  bool at(TokenKind kind) { return peek().kind == kind; }
  Token take();
  bool accept(TokenKind kind);

  // Mistakes. Both return false; fail_here prefers the problem that the next token carries.
  bool fail(const char* code, Span span, std::string message, std::string help,
            std::optional<Note> note = std::nullopt);
  bool fail_here(const char* code, std::string message, std::string help,
                 std::optional<Note> note = std::nullopt);
  void report(Diagnostic diagnostic);
  bool count_element();

  const SourceSet& sources_;
  Diagnostics& diagnostics_;
  Lexer lexer_;
  std::deque<Token> ahead_;

  std::vector<Comment>* comments_ = nullptr;  // where take() puts them, if anywhere
  Span last_;                                 // the token taken last
  TokenKind last_kind_ = TokenKind::kSemicolon;
  std::string_view last_text_;

  size_t taken_ = 0;  // tokens of this clause
  uint32_t clause_column_ = 0;
  int depth_ = 0;        // parentheses around the current term
  bool failed_ = false;  // a mistake of this clause has been reported

  bool stopped_ = false;  // too many mistakes, or too much of everything
  size_t errors_ = 0;
  size_t elements_ = 0;
  size_t most_elements_;
};

}  // namespace clew::dedalus
