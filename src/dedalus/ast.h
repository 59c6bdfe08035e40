// A Dedalus program as written: what the parser builds, `clew fmt` prints, and the passes check.
//
//   log(Node2, Pload)@async :- bcast(Node1, Pload), node(Node1, Node2), Node1 != Node2;
//   '------- head --------'    '------------- body: three literals -----------------'
//
// A promise has a name, a body and what it implies.
//
// Everything is a plain value. Spans do not take part in comparisons made by same_clause().
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/arithmetic.h"
#include "base/source.h"

namespace clew::dedalus {

enum class Op {
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kEqual,
  kNotEqual
};

// "+", "<=", ...
const char* symbol(Op op);
bool is_comparison(Op op);
Operator to_operator(Op op);      // of one that calculates
Comparison to_comparison(Op op);  // of one that compares

enum class AggregateFunction { kCount, kSum, kMin, kMax };

// "count", ...
const char* name(AggregateFunction function);

// An argument, or one side of a condition. Terms are never nested deeper than kMostNesting.
struct Term {
  enum class Kind { kVariable, kWildcard, kString, kInteger, kBinary, kAggregate };

  Kind kind = Kind::kWildcard;
  Span span;
  std::string text;            // kVariable, kAggregate: the variable's name; kString: the contents
  int64_t integer = 0;         // kInteger
  Op op = Op::kAdd;            // kBinary
  std::vector<Term> operands;  // kBinary: left and right
  AggregateFunction function = AggregateFunction::kCount;  // kAggregate
};

// Something like `X < Y`.
inline bool is_condition(const Term& term) {
  return term.kind == Term::Kind::kBinary && is_comparison(term.op);
}

inline constexpr int kMostNesting = 256;

// What follows an atom: nothing, @next, @async or @N.
struct TimeSuffix {
  enum class Kind { kNone, kNext, kAsync, kAt };

  Kind kind = Kind::kNone;
  int64_t tick = 0;  // kAt
  Span span;         // from the `@` on
};

struct Atom {
  std::string relation;
  Span name_span;  // of the relation's name alone
  std::vector<Term> args;
  TimeSuffix time;
  Span span;  // name, arguments and suffix
};

// A comment of the source, with its delimiters, without the line end.
struct Comment {
  std::string text;
  bool own_line = true;       // nothing but blanks stands before it on its line
  bool blank_before = false;  // an empty line stands right before it
};

// Where comments are kept: what stands on the line of a `,` or `;`, after it and before nothing
// else, trails the literal or clause that ends there; anything else belongs to the clause or
// literal that it stands before or within (a `,` or `;` counts as the end of what it follows).

// One element of a body.
struct Literal {
  enum class Kind { kPositive, kNegative, kCondition };

  Kind kind = Kind::kPositive;
  Atom atom;                      // kPositive, kNegative
  Term condition;                 // kCondition: a kBinary term whose op is a comparison
  Span span;                      // with `notin`
  std::vector<Comment> comments;  // that stand before it or within it
  std::vector<Comment> trailing;  // that follow its comma on its line
};

// In which way a promise is one:
//   promise NAME: BODY implies IMPLIED;    at the last tick
//   always NAME: BODY implies IMPLIED;     at every tick
//   never NAME: BODY;                      at no tick
enum class PromiseKind { kPromise, kAlways, kNever };

// "promise", ...
const char* name(PromiseKind kind);

// What the adversary may not do:
//   reliable "a";          no message from or to a is lost by an omission
//   reliable "a" > "b";    no message from a to b is
//   nocrash "a";           a does not crash
struct Limit {
  enum class Kind { kReliable, kNoCrash };

  Kind kind = Kind::kReliable;
  std::string node;
  std::string to;  // of a link; empty: it is about the node
  Span span;       // of the names
};

// "reliable", "nocrash"
const char* name(Limit::Kind kind);

struct Clause {
  enum class Kind { kFact, kRule, kInclude, kPromise, kLimits };

  Kind kind = Kind::kFact;
  Atom head;                     // kFact, kRule
  std::vector<Literal> body;     // kRule, kPromise; never empty
  std::vector<Literal> implied;  // kPromise, unless it is a kNever
  PromiseKind promise = PromiseKind::kPromise;
  std::string name;  // kPromise
  Span name_span;
  // kRule: it is located anywhere, and what it derives is at no node, so that no crash takes it
  // away. The rules that promises become are placeless.
  bool placeless = false;
  std::string path;               // kInclude: as written
  std::vector<Limit> limits;      // kLimits: all of one kind; never empty
  Span span;                      // with the `;`
  std::vector<Comment> comments;  // before it, or within its head
  std::vector<Comment> trailing;  // after its `;` on the same line
  bool blank_before = false;      // an empty line stands right before it, after its comments
};

// One parsed file.
struct File {
  std::vector<Clause> clauses;
  std::vector<Comment> comments;  // after the last clause
  size_t elements = 0;            // clauses, literals, terms and comments; see kMostElements
};

// Equal but for spans, comments and blank lines.
bool same_term(const Term& a, const Term& b);
bool same_clause(const Clause& a, const Clause& b);

}  // namespace clew::dedalus
