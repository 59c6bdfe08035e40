#include "dedalus/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "dedalus/parser.h"

namespace clew::dedalus {

namespace {

// After any other kind of token, what follows on the next line still belongs to the clause.
bool may_end_clause(TokenKind kind) {
  return kind == TokenKind::kName || kind == TokenKind::kInteger || kind == TokenKind::kString ||
         kind == TokenKind::kClose || kind == TokenKind::kSemicolon || kind == TokenKind::kPeriod;
}

std::optional<PromiseKind> promise_kind(std::string_view word) {
  for (PromiseKind kind : {PromiseKind::kPromise, PromiseKind::kAlways, PromiseKind::kNever}) {
    if (word == name(kind)) return kind;
  }
  return std::nullopt;
}

constexpr const char* kInclude = "include";

bool is_spelled_not(std::string_view text) {
  return text == "not" || text == "Not" || text == "NOT";
}

}  // namespace

File parse(FileId file, const SourceSet& sources, Diagnostics& diagnostics, size_t most_elements) {
  return Parser(file, sources, diagnostics, most_elements).run();
}

Parser::Parser(FileId file, const SourceSet& sources, Diagnostics& diagnostics,
               size_t most_elements)
    : sources_(sources),
      diagnostics_(diagnostics),
      lexer_(file, sources.text(file), most_elements),
      last_{file, 0, 0},
      most_elements_(most_elements) {}

File Parser::run() {
  File file;
  while (!stopped_ && !at(TokenKind::kEnd)) read_next(file);
  if (!stopped_) {
    failed_ = false;
    taken_ = 0;
    comments_ = &file.comments;
    take();
  }
  file.elements = elements_ + lexer_.comments();
  return file;
}

void Parser::read_next(File& file) {
  Clause clause;
  failed_ = false;
  taken_ = 0;
  depth_ = 0;
  clause_column_ = peek().column;
  clause.blank_before = peek().blank_before;
  clause.span = peek().span;
  comments_ = &clause.comments;
  report_comment_style();
  if (count_element() && read_clause(clause)) {
    clause.span = join(clause.span, last_);
    take_trailing(clause.trailing);
    file.clauses.push_back(std::move(clause));
  } else {
    comments_ = nullptr;
    skip_clause();
  }
}

// What looks like a comment before a clause is no mistake of the clause.
void Parser::report_comment_style() {
  peek();
  Token& token = ahead_.front();
  if (!token.problem || token.problem->code != "comment-style") return;
  report(std::move(*token.problem));
  token.problem.reset();
  failed_ = false;
}

bool Parser::read_clause(Clause& clause) {
  if (!at(TokenKind::kName)) return refuse_clause_start();
  // A declaration begins with a word that is no atom.
  if (peek(1).kind != TokenKind::kOpen) {
    if (peek().text == kInclude) return read_include(clause);
    if (peek().text == name(Limit::Kind::kReliable)) return read_limits(clause);
    if (peek().text == name(Limit::Kind::kNoCrash)) return read_limits(clause);
    if (promise_kind(peek().text) && peek(1).kind == TokenKind::kName) return read_promise(clause);
    if (peek(1).kind == TokenKind::kString) return refuse_declaration();
  }
  return read_atom(clause.head, true) && read_after_head(clause);
}

bool Parser::read_include(Clause& clause) {
  take();
  if (!at(TokenKind::kString)) {
    return fail_here("include-path", "`include` needs a file name in double quotes",
                     "write `include \"file.ded\";`");
  }
  clause.kind = Clause::Kind::kInclude;
  clause.path = take().text;
  return end_clause("`;`");
}

bool Parser::refuse_declaration() {
  const std::vector<std::string> words = {kInclude, name(Limit::Kind::kReliable),
                                          name(Limit::Kind::kNoCrash)};
  const std::optional<std::string> meant = closest(peek().text, words);
  return fail_here("unknown-declaration",
                   fmt::format("there is no declaration {}", as_code(peek())),
                   meant ? fmt::format("did you mean {}?", as_code(*meant))
                         : fmt::format("the declarations are `{}`; the arguments of a relation "
                                       "stand in parentheses",
                                       fmt::join(words, "`, `")));
}

bool Parser::refuse_clause_start() {
  const Token& token = peek();
  switch (token.kind) {
    case TokenKind::kArrow:
      return fail_here("missing-head", "a rule begins with its head", "write `head(...) :- body;`");
    case TokenKind::kNotin:
      return fail_here("misplaced-notin", "the head of a clause cannot be negated",
                       "write `notin` before atoms of a body only");
    case TokenKind::kClose:
      return fail_here("extra-parenthesis", "this `)` closes nothing", "remove it");
    case TokenKind::kSemicolon:
      return fail_here("expected-clause", "there is no clause before this `;`", "remove it");
    default:
      break;
  }
  if (token.kind == TokenKind::kMinus && peek(1).kind == TokenKind::kMinus) {
    return fail("comment-style", join(token.span, peek(1).span), "`--` does not begin a comment",
                "write comments as `// text`");
  }
  return fail_here(
      "expected-clause",
      fmt::format("expected a fact, a rule or an include, but found {}", as_code(token)),
      "begin a clause with the name of a relation, or with `include`");
}

bool Parser::read_after_head(Clause& clause) {
  if (accept(TokenKind::kArrow) || read_arrow_lookalike()) {
    clause.kind = Clause::Kind::kRule;
    return read_body(clause.body) && end_clause("`,` or `;`");
  }
  clause.kind = Clause::Kind::kFact;
  if (at(TokenKind::kComma)) {
    return fail_here("several-heads", "a clause has one head",
                     "write a clause for each head, and end each with `;`");
  }
  return end_clause(clause.head.time.kind == TimeSuffix::Kind::kNone ? "`@`, `:-` or `;`"
                                                                     : "`:-` or `;`");
}

// `<-`, `->`, `<=`, `=>` and `=` after a head are reported and read as `:-`.
bool Parser::read_arrow_lookalike() {
  const TokenKind first = peek().kind;
  const bool single = first == TokenKind::kLessEqual || first == TokenKind::kGreaterEqual ||
                      first == TokenKind::kEqual;
  const bool pair = (first == TokenKind::kLess && peek(1).kind == TokenKind::kMinus) ||
                    (first == TokenKind::kMinus && peek(1).kind == TokenKind::kGreater);
  if (!single && !pair) return false;
  const Span span = pair ? join(peek().span, peek(1).span) : peek().span;
  fail("wrong-arrow", span,
       fmt::format("{} is not part of the language", as_code(sources_.text(span))),
       "write `head :- body;`");
  take();
  if (pair) take();
  return true;
}

// A promise begins with two names, which no other clause does.
bool Parser::read_promise(Clause& clause) {
  clause.kind = Clause::Kind::kPromise;
  clause.promise = *promise_kind(take().text);
  const Token name = take();
  clause.name = name.text;
  clause.name_span = name.span;
  if (!read_promise_colon(clause) || !read_body(clause.body)) return false;
  if (clause.promise == PromiseKind::kNever) return end_clause("`,` or `;`");
  if (!at(TokenKind::kName) || peek().text != "implies") {
    return fail_here("promise-implies",
                     fmt::format("expected `,` or `implies`, but found {}", as_code(peek())),
                     fmt::format("write `{} {}: when it applies implies what must hold;`, or "
                                 "`never {}: what must not happen;`",
                                 dedalus::name(clause.promise), clause.name, clause.name));
  }
  take();
  return read_body(clause.implied) && end_clause("`,` or `;`");
}

// The lexer takes `:` for a misspelled arrow.
bool Parser::read_promise_colon(const Clause& clause) {
  peek();
  Token& token = ahead_.front();
  if (token.kind == TokenKind::kArrow && token.text == ":") {
    token.problem.reset();
    take();
    return true;
  }
  return fail_here(
      "promise-colon",
      fmt::format("expected `:` after the name of the promise, but found {}", as_code(token)),
      fmt::format("write `{} {}: ...;`", dedalus::name(clause.promise), clause.name));
}

bool Parser::read_body(std::vector<Literal>& body) {
  while (true) {
    const bool first = body.empty();
    const bool own_line = peek().first_on_line;
    const Span before = last_;
    Literal literal;
    comments_ = &literal.comments;
    const bool read = count_element() && read_literal(literal, first);
    comments_ = nullptr;
    if (!read) return false;
    if (at(TokenKind::kArrow) && own_line && !first) {
      return fail("missing-semicolon", before, "expected `;` here, before the next rule",
                  "write `;` instead of `,`");
    }
    body.push_back(std::move(literal));
    comments_ = &body.back().comments;
    if (!accept(TokenKind::kComma)) return true;
    take_trailing(body.back().trailing);
  }
}

bool Parser::read_literal(Literal& literal, bool first) {
  const Span begin = peek().span;
  const bool spelled_not = at_spelled_not();
  if (spelled_not) {
    fail_here("negation-style", fmt::format("{} is not part of the language", as_code(peek())),
              "write `notin` before the atom");
  }
  const TokenKind second = peek(1).kind;
  const bool starts_atom =
      at(TokenKind::kName) && (second == TokenKind::kOpen || second == TokenKind::kAt);
  bool read = false;
  if (at(TokenKind::kNotin) || spelled_not) {
    read = read_negative(literal);
  } else if (starts_atom) {
    read = read_atom(literal.atom, false);
  } else if (at(TokenKind::kSemicolon) || at(TokenKind::kComma) || at(TokenKind::kEnd)) {
    read = refuse_literal_start(first);
  } else {
    read = read_condition(literal);
  }
  literal.span = join(begin, last_);
  return read;
}

// `not p(...)` or `not(p(...))`.
bool Parser::at_spelled_not() {
  if (!at(TokenKind::kName) || !is_spelled_not(peek().text)) return false;
  if (peek(1).kind == TokenKind::kName) return true;
  return peek(1).kind == TokenKind::kOpen && peek(2).kind == TokenKind::kName &&
         peek(3).kind == TokenKind::kOpen;
}

bool Parser::read_negative(Literal& literal) {
  take();
  literal.kind = Literal::Kind::kNegative;
  if (at(TokenKind::kName)) return read_atom(literal.atom, false);
  return fail_here(
      "missing-relation",
      fmt::format("expected a relation after `notin`, but found {}", as_code(peek())),
      "write `notin relation(...)`; instead of negating a condition, write the opposite one");
}

bool Parser::read_condition(Literal& literal) {
  literal.kind = Literal::Kind::kCondition;
  const Span begin = peek().span;
  Tree tree;
  if (!read_comparison(tree)) return false;
  literal.condition = std::move(tree.term);
  if (is_condition(literal.condition)) return true;
  const bool ends = at(TokenKind::kComma) || at(TokenKind::kSemicolon) || at(TokenKind::kEnd) ||
                    at(TokenKind::kPeriod) || at_new_clause();
  if (!ends) return refuse_clause_end("a comparison");
  std::string help = "compare it with something, as in `X > 0`";
  if (literal.condition.kind == Term::Kind::kVariable) {
    help += fmt::format("; or, if it is a relation without columns, write {}",
                        as_code(literal.condition.text + "()"));
  }
  return fail("missing-comparison", join(begin, last_), "this is neither an atom nor a comparison",
              std::move(help));
}

bool Parser::refuse_literal_start(bool first) {
  if (at(TokenKind::kComma)) {
    return fail_here("extra-comma", "nothing stands before this `,`", "remove it");
  }
  if (first) {
    return fail_here("empty-body", "a rule needs something after its `:-`",
                     "write the body; or write a fact, without `:-` and with its tick, as `@1`");
  }
  if (peek().problem) return fail_here("", "", "");
  return fail("extra-comma", last_, "nothing follows this `,`", "remove it");
}

// Whatever else goes wrong, a clause that is complete but for its `;` counts as read.
bool Parser::end_clause(const char* expected) {
  if (accept(TokenKind::kSemicolon)) return true;
  const Token& token = peek();
  const bool period = token.kind == TokenKind::kPeriod;
  if (period || (token.text.starts_with('.') && token.span.begin == last_.end)) {
    const Span dot{token.span.file, token.span.begin, token.span.begin + 1};
    fail("period-ends-clause", dot, "a clause does not end in `.`", "write `;`");
    if (period) take();
    return period;
  }
  if (!at_new_clause() && token.kind != TokenKind::kEnd) return refuse_clause_end(expected);
  if (token.problem) return fail_here("", "", "");
  std::string help = "write `;`";
  if (last_text_.ends_with('.')) help += fmt::format(" ({} is a name)", as_code(last_text_));
  fail("missing-semicolon", {last_.file, last_.end, last_.end}, "expected `;` after this clause",
       std::move(help));
  return true;
}

bool Parser::refuse_clause_end(const char* expected) {
  const Token& token = peek();
  switch (token.kind) {
    case TokenKind::kClose:
      return fail_here("extra-parenthesis", "this `)` closes nothing", "remove it");
    case TokenKind::kArrow:
      return fail_here("second-arrow", "a rule has one `:-`",
                       "end the clause before with `;`, or write `,` between the parts of a body");
    case TokenKind::kName:
    case TokenKind::kNotin:
      return fail_here("missing-comma",
                       fmt::format("expected {} before {}", expected, as_code(token)),
                       "write `,` between the parts of a body, and `;` after a clause");
    default:
      break;
  }
  if (token.kind == TokenKind::kMinus && peek(1).kind == TokenKind::kMinus) {
    return fail("comment-style", join(token.span, peek(1).span), "`--` does not begin a comment",
                "write comments as `// text`");
  }
  return fail_here("unexpected-token",
                   fmt::format("expected {}, but found {}", expected, as_code(token)),
                   "write `,` between the parts of a body, and `;` after a clause");
}

void Parser::skip_clause() {
  while (!stopped_ && !at(TokenKind::kEnd)) {
    if (taken_ > 0 && at_new_clause()) return;
    if (take().kind == TokenKind::kSemicolon) return;
  }
}

// A `;` has probably been forgotten: a name begins a line, no further right than this clause.
bool Parser::at_new_clause() {
  const Token& token = peek();
  return token.kind == TokenKind::kName && token.first_on_line && token.column <= clause_column_ &&
         may_end_clause(last_kind_);
}

void Parser::take_trailing(std::vector<Comment>& trailing) {
  peek();
  Token& token = ahead_.front();
  auto end =
      std::ranges::find_if(token.comments, [](const Comment& comment) { return comment.own_line; });
  if (end == token.comments.end() && !token.after_line_break) return;
  trailing.insert(trailing.end(), std::make_move_iterator(token.comments.begin()),
                  std::make_move_iterator(end));
  token.comments.erase(token.comments.begin(), end);
}

const Token& Parser::peek(size_t ahead) {
  while (ahead_.size() <= ahead) ahead_.push_back(lexer_.next());
  return ahead_[ahead];
}

Token Parser::take() {
  peek();
  Token token = std::move(ahead_.front());
  ahead_.pop_front();
  if (token.problem) report(std::move(*token.problem));
  if (comments_ != nullptr) {
    for (Comment& comment : token.comments) {
      if (taken_ > 0) comment.blank_before = false;
      comments_->push_back(std::move(comment));
    }
  }
  last_ = token.span;
  last_kind_ = token.kind;
  last_text_ = token.text;
  ++taken_;
  return token;
}

bool Parser::accept(TokenKind kind) {
  if (!at(kind)) return false;
  take();
  return true;
}

bool Parser::fail(const char* code, Span span, std::string message, std::string help,
                  std::optional<Note> note) {
  Diagnostic diagnostic{Severity::kError, code, span, std::move(message), {}, std::move(help)};
  if (note) diagnostic.notes.push_back(std::move(*note));
  report(std::move(diagnostic));
  return false;
}

bool Parser::fail_here(const char* code, std::string message, std::string help,
                       std::optional<Note> note) {
  peek();
  Token& token = ahead_.front();
  if (token.problem) {
    report(std::move(*token.problem));
    token.problem.reset();
    return false;
  }
  const Span span =
      token.kind == TokenKind::kEnd ? Span{last_.file, last_.end, last_.end} : token.span;
  return fail(code, span, std::move(message), std::move(help), std::move(note));
}

void Parser::report(Diagnostic diagnostic) {
  if (failed_ || stopped_) return;
  failed_ = true;
  const Span span = diagnostic.span;
  diagnostics_.add(std::move(diagnostic));
  if (++errors_ < kMostSyntaxErrors) return;
  stopped_ = true;
  diagnostics_.error("too-many-errors", span,
                     fmt::format("{} have been found; the rest of the file is not read",
                                 count_noun(errors_, "syntax error")),
                     "correct them first, or check that this is a Dedalus program");
}

bool Parser::count_element() {
  if (++elements_ + lexer_.comments() <= most_elements_) return true;
  if (!stopped_) {
    diagnostics_.error("program-too-large", peek().span,
                       fmt::format("the program has more than {} clauses, literals, terms and "
                                   "comments",
                                   with_thousands(kMostElements)),
                       "split it, or check that this is a Dedalus program");
  }
  stopped_ = true;
  return false;
}

}  // namespace clew::dedalus
