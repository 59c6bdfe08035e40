#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "base/text.h"
#include "dedalus/parser.h"

namespace clew::dedalus {

namespace {

constexpr auto kFunctions = std::to_array({AggregateFunction::kCount, AggregateFunction::kSum,
                                           AggregateFunction::kMin, AggregateFunction::kMax});

std::optional<AggregateFunction> aggregate_function(std::string_view text) {
  for (AggregateFunction function : kFunctions) {
    if (text == name(function)) return function;
  }
  return std::nullopt;
}

std::optional<Op> operator_of(TokenKind kind) {
  switch (kind) {
    case TokenKind::kPlus:
      return Op::kAdd;
    case TokenKind::kMinus:
      return Op::kSubtract;
    case TokenKind::kTimes:
      return Op::kMultiply;
    case TokenKind::kDivide:
      return Op::kDivide;
    case TokenKind::kLess:
      return Op::kLess;
    case TokenKind::kLessEqual:
      return Op::kLessEqual;
    case TokenKind::kGreater:
      return Op::kGreater;
    case TokenKind::kGreaterEqual:
      return Op::kGreaterEqual;
    case TokenKind::kEqual:
      return Op::kEqual;
    case TokenKind::kNotEqual:
      return Op::kNotEqual;
    default:
      return std::nullopt;
  }
}

bool is_comparison_token(TokenKind kind) {
  std::optional<Op> op = operator_of(kind);
  return op && is_comparison(*op);
}

bool starts_term(TokenKind kind) {
  return kind == TokenKind::kName || kind == TokenKind::kInteger || kind == TokenKind::kString ||
         kind == TokenKind::kOpen || kind == TokenKind::kMinus;
}

bool adjacent(const Token& a, const Token& b) { return a.span.end == b.span.begin; }

constexpr const char* kAggregatePlace = "an aggregate must be a whole argument of a head";
constexpr const char* kAggregateHelp =
    "compute it in the head of one rule, and use its value in another";

}  // namespace

bool Parser::read_atom(Atom& atom, bool head) {
  const Token name = take();
  atom.relation = name.text;
  atom.name_span = name.span;
  if (name.text == "_") {
    return fail("missing-relation", name.span, "`_` stands for any value, not for a relation",
                "write the name of a relation");
  }
  if (!at(TokenKind::kOpen)) {
    return fail_here(
        "missing-arguments",
        fmt::format("expected `(` after {}, but found {}", as_code(name), as_code(peek())),
        "write the arguments in parentheses, or `()` if there are none");
  }
  if (!read_arguments(atom, head) || !read_time(atom.time)) return false;
  atom.span = join(name.span, last_);
  return true;
}

bool Parser::read_arguments(Atom& atom, bool head) {
  const Span open = take().span;
  if (accept(TokenKind::kClose)) return true;
  while (true) {
    Term term;
    if (!read_argument(term, head)) return false;
    atom.args.push_back(std::move(term));
    if (accept(TokenKind::kClose)) return true;
    if (!at(TokenKind::kComma)) return refuse_argument_end(open);
    take();
  }
}

bool Parser::refuse_argument_end(Span open) {
  const Token& token = peek();
  if (at_aggregate_tail()) {
    return fail("misplaced-aggregate", join(last_, peek(2).span), kAggregatePlace, kAggregateHelp);
  }
  if (is_comparison_token(token.kind)) {
    return fail_here("misplaced-comparison", "a comparison is not a value",
                     "put the comparison into the body, on its own");
  }
  const bool missing_comma = starts_term(token.kind) && !at_new_clause();
  if (missing_comma) {
    return fail_here("missing-comma", fmt::format("expected `,` or `)` before {}", as_code(token)),
                     "write `,` between arguments", Note{open, "the arguments begin here"});
  }
  return fail_here("missing-parenthesis",
                   fmt::format("expected `,` or `)`, but found {}", as_code(token)),
                   "close the parenthesis", Note{open, "it was opened here"});
}

bool Parser::read_time(TimeSuffix& time) {
  if (!at(TokenKind::kAt)) return true;
  const Span begin = take().span;
  if (at(TokenKind::kInteger)) {
    Term tick;
    if (!read_integer(tick)) return false;
    time.kind = TimeSuffix::Kind::kAt;
    time.tick = tick.integer;
  } else if (at(TokenKind::kName) && (peek().text == "next" || peek().text == "async")) {
    const bool next = take().text == "next";
    time.kind = next ? TimeSuffix::Kind::kNext : TimeSuffix::Kind::kAsync;
  } else {
    return refuse_time();
  }
  time.span = join(begin, last_);
  if (!at(TokenKind::kAt)) return true;
  return fail_here("bad-time", "an atom has one time at most", "keep one `@`");
}

bool Parser::refuse_time() {
  const Token& token = peek();
  if (token.kind == TokenKind::kName && (token.text == "next." || token.text == "async.")) {
    return fail("period-ends-clause", {token.span.file, token.span.end - 1, token.span.end},
                "a clause does not end in `.`", "write `;`");
  }
  if (token.kind == TokenKind::kMinus) {
    return fail_here("bad-time", "there are no negative ticks", "the first tick is `@1`");
  }
  std::optional<std::string> meant;
  if (token.kind == TokenKind::kName) meant = closest(token.text, {"next", "async"});
  return fail_here(
      "bad-time",
      fmt::format("expected `next`, `async` or a tick after `@`, but found {}", as_code(token)),
      meant ? fmt::format("did you mean `@{}`?", *meant)
            : "write `@next`, `@async`, or a tick such as `@1`");
}

bool Parser::read_argument(Term& term, bool head) {
  if (at_aggregate()) return read_aggregate(term, head);
  Tree tree;
  if (!read_sum(tree)) return false;
  if (is_condition(tree.term)) {
    return fail("misplaced-comparison", tree.term.span, "a comparison is not a value",
                "put the comparison into the body, on its own");
  }
  term = std::move(tree.term);
  return true;
}

bool Parser::at_aggregate() {
  if (!at(TokenKind::kName)) return false;
  if (peek(1).text == "<>") return true;
  if (peek(1).kind != TokenKind::kLess) return false;
  const TokenKind inner = peek(2).kind;
  return (inner == TokenKind::kName || inner == TokenKind::kTimes) &&
         peek(3).kind == TokenKind::kGreater;
}

bool Parser::at_aggregate_tail() {
  return last_kind_ == TokenKind::kName && aggregate_function(last_text_) && at(TokenKind::kLess) &&
         peek(1).kind == TokenKind::kName && peek(2).kind == TokenKind::kGreater;
}

bool Parser::read_aggregate(Term& term, bool head) {
  Token function = take();
  if (at(TokenKind::kNotEqual) || peek(1).kind == TokenKind::kTimes || peek(1).text == "_") {
    return fail("unknown-aggregate", function.span, "an aggregate needs a variable",
                fmt::format("write {}", as_code(fmt::format("{}<X>", function.text))));
  }
  take();
  const Token variable = take();
  take();
  term.kind = Term::Kind::kAggregate;
  term.text = variable.text;
  term.span = join(function.span, last_);
  std::optional<AggregateFunction> known = aggregate_function(function.text);
  if (!known) {
    auto meant = closest(function.text, {"count", "sum", "min", "max"});
    return fail("unknown-aggregate", function.span,
                fmt::format("there is no aggregate {}", as_code(function)),
                meant ? fmt::format("did you mean `{}`?", *meant)
                      : "the aggregates are `count`, `sum`, `min` and `max`");
  }
  term.function = *known;
  const bool whole = at(TokenKind::kComma) || at(TokenKind::kClose);
  if (head && whole) return count_element();
  return fail("misplaced-aggregate", term.span, kAggregatePlace, kAggregateHelp);
}

bool Parser::read_comparison(Tree& tree) {
  if (!read_sum(tree)) return false;
  if (!is_comparison_token(peek().kind)) return true;
  if (is_condition(tree.term)) return refuse_chained(tree.term);
  const Op op = *operator_of(take().kind);
  Tree right;
  if (!read_sum(right) || !combine(tree, op, std::move(right))) return false;
  return is_comparison_token(peek().kind) ? refuse_chained(tree.term) : true;
}

bool Parser::refuse_chained(const Term& comparison) {
  const Term& left = comparison.operands[0];
  const bool begins = comparison.op == Op::kLess && left.kind == Term::Kind::kVariable &&
                      aggregate_function(left.text) && at(TokenKind::kGreater);
  if (begins) {
    return fail("misplaced-aggregate", join(left.span, peek().span), kAggregatePlace,
                kAggregateHelp);
  }
  if (at_aggregate_tail()) {
    return fail("misplaced-aggregate", join(last_, peek(2).span), kAggregatePlace, kAggregateHelp);
  }
  return fail_here("chained-comparison", "comparisons cannot be chained",
                   "write two conditions, as in `1 < X, X < 5`");
}

bool Parser::read_sum(Tree& tree) {
  if (!read_product(tree)) return false;
  while (at(TokenKind::kPlus) || at(TokenKind::kMinus)) {
    const Op op = *operator_of(take().kind);
    Tree right;
    if (!read_product(right) || !combine(tree, op, std::move(right))) return false;
  }
  return true;
}

bool Parser::read_product(Tree& tree) {
  if (!read_primary(tree)) return false;
  while (at(TokenKind::kTimes) || at(TokenKind::kDivide)) {
    const Op op = *operator_of(take().kind);
    Tree right;
    if (!read_primary(right) || !combine(tree, op, std::move(right))) return false;
  }
  return true;
}

bool Parser::combine(Tree& left, Op op, Tree right) {
  for (const Term* term : {&left.term, &right.term}) {
    if (!is_condition(*term)) continue;
    return fail("misplaced-comparison", term->span, "a comparison is not a value",
                "write each comparison as a condition of its own");
  }
  Tree whole;
  whole.height = 1 + std::max(left.height, right.height);
  whole.term.kind = Term::Kind::kBinary;
  whole.term.op = op;
  whole.term.span = join(left.term.span, right.term.span);
  if (whole.height > kMostNesting) {
    return fail("too-deep", right.term.span,
                fmt::format("expressions cannot be nested more than {} deep", kMostNesting),
                "compute a part of it in another rule");
  }
  whole.term.operands.reserve(2);
  whole.term.operands.push_back(std::move(left.term));
  whole.term.operands.push_back(std::move(right.term));
  left = std::move(whole);
  return count_element();
}

bool Parser::read_primary(Tree& tree) {
  tree.height = 1;
  Term& term = tree.term;
  if (!count_element()) return false;
  switch (peek().kind) {
    case TokenKind::kName:
      return read_variable(term);
    case TokenKind::kInteger:
      return read_integer(term);
    case TokenKind::kMinus:
      if (peek(1).kind == TokenKind::kInteger && adjacent(peek(), peek(1))) {
        return read_integer(term);
      }
      return refuse_term();
    case TokenKind::kString: {
      const Token token = take();
      term.kind = Term::Kind::kString;
      term.text = token.text;
      term.span = token.span;
      return true;
    }
    case TokenKind::kOpen:
      return read_parenthesized(tree);
    default:
      return refuse_term();
  }
}

bool Parser::read_variable(Term& term) {
  const Token token = take();
  term.kind = token.text == "_" ? Term::Kind::kWildcard : Term::Kind::kVariable;
  if (term.kind == Term::Kind::kVariable) term.text = token.text;
  term.span = token.span;
  if (!at(TokenKind::kOpen)) return true;
  return fail("nested-atom", join(token.span, peek().span), "an atom is not a value",
              "put the atom into the body, on its own");
}

bool Parser::read_parenthesized(Tree& tree) {
  const Span open = take().span;
  if (++depth_ > kMostNesting) {
    return fail("too-deep", open,
                fmt::format("expressions cannot be nested more than {} deep", kMostNesting),
                "compute a part of it in another rule");
  }
  if (!read_comparison(tree)) return false;
  if (!at(TokenKind::kClose)) {
    return fail_here("missing-parenthesis",
                     fmt::format("expected `)`, but found {}", as_code(peek())),
                     "close the parenthesis", Note{open, "it was opened here"});
  }
  take();
  --depth_;
  tree.term.span = join(open, last_);
  return true;
}

bool Parser::read_integer(Term& term) {
  const Span begin = peek().span;
  accept(TokenKind::kMinus);
  const bool sound = !peek().problem;
  take();
  term.kind = Term::Kind::kInteger;
  term.span = join(begin, last_);
  const std::string_view digits = sources_.text(term.span);
  auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), term.integer);
  if (sound && failure != std::errc()) {
    fail("number-too-large", term.span,
         fmt::format("{} does not fit into 64 bits", as_code(digits)),
         fmt::format("integers lie between {} and {}", INT64_MIN, INT64_MAX));
  }
  return true;
}

bool Parser::refuse_term() {
  const Token& token = peek();
  if (token.kind == TokenKind::kNotin) {
    return fail_here("misplaced-notin", "`notin` cannot stand inside of a term",
                     "write `notin` before an atom of a body");
  }
  const bool after_minus = token.kind == TokenKind::kMinus && last_kind_ == TokenKind::kMinus;
  const bool before_minus = token.kind == TokenKind::kMinus && peek(1).kind == TokenKind::kMinus;
  if (after_minus || before_minus) {
    const Span span = after_minus ? join(last_, token.span) : join(token.span, peek(1).span);
    return fail("comment-style", span, "`--` does not begin a comment",
                "write comments as `// text`");
  }
  std::string help = "write a variable, `_`, a \"string\" or an integer";
  if (token.kind == TokenKind::kMinus) help = "write `0 - X` for the negative of `X`";
  return fail_here("expected-term",
                   fmt::format("expected a variable or a value, but found {}", as_code(token)),
                   std::move(help));
}

}  // namespace clew::dedalus
