// Each clause for itself: what a fact, a head and a time suffix may be. Constant expressions in
// facts are replaced by their values; what is wrong with a value is replaced by a wildcard.
#include <fmt/format.h>

#include <optional>

#include "base/arithmetic.h"
#include "dedalus/passes/passes.h"
#include "dedalus/passes/wording.h"

namespace clew::dedalus {
namespace {

Term constant(Span span, int64_t integer) {
  Term term;
  term.kind = Term::Kind::kInteger;
  term.span = span;
  term.integer = integer;
  return term;
}

Term constant(Span span, std::string text) {
  Term term;
  term.kind = Term::Kind::kString;
  term.span = span;
  term.text = std::move(text);
  return term;
}

Term unknown(Span span) {
  Term term;
  term.kind = Term::Kind::kWildcard;
  term.span = span;
  return term;
}

// Replaces constant expressions by their values, and reports what has none.
class Folder {
 public:
  explicit Folder(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  // Nothing if an error was reported.
  std::optional<Term> fold(const Term& term) {
    switch (term.kind) {
      case Term::Kind::kString:
      case Term::Kind::kInteger:
        return term;
      case Term::Kind::kBinary:
        return fold_binary(term);
      default:
        report_variable(term);
        return std::nullopt;
    }
  }

 private:
  void report_variable(const Term& term) {
    if (term.kind == Term::Kind::kVariable) {
      diagnostics_.error(
          "variable-in-fact", term.span,
          fmt::format("{} is a variable, but a fact holds only constants", name_of(term.text)),
          fmt::format("write {} if a string is meant", string_of(term.text)));
      return;
    }
    const char* what = term.kind == Term::Kind::kWildcard ? "`_` stands for any value"
                                                          : "an aggregate needs a rule";
    diagnostics_.error("variable-in-fact", term.span,
                       fmt::format("{}, but a fact holds only constants", what),
                       "write a string in double quotes or an integer");
  }

  std::optional<Term> fold_binary(const Term& term) {
    std::optional<Term> left = fold(term.operands[0]);
    std::optional<Term> right = fold(term.operands[1]);
    if (!left || !right) return std::nullopt;
    const bool left_is_integer = left->kind == Term::Kind::kInteger;
    if (left_is_integer && right->kind == Term::Kind::kInteger) {
      return calculate(term, left->integer, right->integer);
    }
    if (term.op == Op::kAdd && left->kind == right->kind) {
      return constant(term.span, left->text + right->text);
    }
    if (term.op == Op::kAdd) {
      diagnostics_.error("wrong-type", term.span,
                         left_is_integer ? "`+` cannot join an integer and a string"
                                         : "`+` cannot join a string and an integer",
                         "`+` adds two integers or joins two strings");
      return std::nullopt;
    }
    diagnostics_.error("wrong-type", left_is_integer ? right->span : left->span,
                       fmt::format("`{}` needs integers, but this is a string", symbol(term.op)),
                       "only `+` works on strings: it joins them");
    return std::nullopt;
  }

  std::optional<Term> calculate(const Term& term, int64_t a, int64_t b) {
    const std::variant<int64_t, ArithmeticError> result =
        clew::calculate(to_operator(term.op), a, b);
    if (const auto* number = std::get_if<int64_t>(&result)) return constant(term.span, *number);
    if (std::get<ArithmeticError>(result) == ArithmeticError::kDivisionByZero) {
      diagnostics_.error("division-by-zero", term.span, "this divides by zero",
                         "give the fact another value");
    } else {
      diagnostics_.error("integer-overflow", term.span,
                         fmt::format("{} {} {} does not fit into 64 bits", a, symbol(term.op), b),
                         "integers range from -2^63 to 2^63 - 1");
    }
    return std::nullopt;
  }

  Diagnostics& diagnostics_;
};

std::string written(const TimeSuffix& time) {
  switch (time.kind) {
    case TimeSuffix::Kind::kNone:
      return "";
    case TimeSuffix::Kind::kNext:
      return "@next";
    case TimeSuffix::Kind::kAsync:
      return "@async";
    case TimeSuffix::Kind::kAt:
      return fmt::format("@{}", time.tick);
  }
  return "";
}

void check_fact_time(Clause& fact, Diagnostics& diagnostics) {
  TimeSuffix& time = fact.head.time;
  if (time.kind == TimeSuffix::Kind::kAt) {
    if (time.tick >= 1) return;
    diagnostics.warning("tick-zero", time.span, "this fact is never visible: ticks begin at 1",
                        "write `@1` for a fact that holds in the beginning");
    return;
  }
  const bool bare = time.kind == TimeSuffix::Kind::kNone;
  diagnostics.error(
      "fact-without-tick", bare ? fact.head.span : time.span,
      bare ? "this fact does not say at which tick it holds"
           : fmt::format("a fact holds at one tick, so it cannot have `{}`", written(time)),
      fmt::format("write `{}(...)@1;` for tick 1", fact.head.relation));
  time = {TimeSuffix::Kind::kAt, 1, time.span};
}

void check_fact(Clause& fact, Diagnostics& diagnostics) {
  check_fact_time(fact, diagnostics);
  Folder folder(diagnostics);
  for (Term& arg : fact.head.args) {
    const Span span = arg.span;
    arg = folder.fold(arg).value_or(unknown(span));
  }
}

void check_destination(Atom& head, Diagnostics& diagnostics) {
  if (head.args.empty()) {
    diagnostics.error(
        "no-destination", head.span,
        fmt::format("{} has no columns, so there is nowhere to send it", name_of(head.relation)),
        "the first column of an `@async` head names the node that receives it");
    return;
  }
  Term& first = head.args.front();
  if (first.kind != Term::Kind::kAggregate) return;
  diagnostics.error("no-destination", first.span,
                    "an aggregate cannot be the destination of a message",
                    "the first column of an `@async` head names the node that receives it");
  first = unknown(first.span);
}

void check_head(Clause& rule, Diagnostics& diagnostics) {
  TimeSuffix& time = rule.head.time;
  if (time.kind == TimeSuffix::Kind::kAt) {
    diagnostics.error(
        "rule-at-tick", time.span,
        fmt::format("the head of a rule cannot have `{}`: rules work at every tick", written(time)),
        "drop it, or read the tick in the body: `p(...)@N`");
    time = {};
  }
  for (const Term& arg : rule.head.args) {
    if (arg.kind != Term::Kind::kWildcard) continue;
    diagnostics.error("wildcard-in-head", arg.span, "`_` has no value that a head could take",
                      "name the variable, here and where the body binds it");
  }
  if (time.kind == TimeSuffix::Kind::kAsync) check_destination(rule.head, diagnostics);
}

void check_body_time(Atom& atom, Diagnostics& diagnostics) {
  TimeSuffix& time = atom.time;
  if (time.kind == TimeSuffix::Kind::kNone) return;
  if (time.kind == TimeSuffix::Kind::kAt) {
    if (time.tick >= 1) return;
    diagnostics.warning("tick-zero", time.span, "this rule never fires: ticks begin at 1",
                        "read tick 1 or later");
    return;
  }
  diagnostics.warning("time-in-body", time.span,
                      fmt::format("`{}` says nothing in a body and is ignored", written(time)),
                      "only a head is derived at another tick; drop it here");
  time = {};
}

void check_rule(Clause& rule, Diagnostics& diagnostics) {
  check_head(rule, diagnostics);
  for (Literal& literal : rule.body) {
    if (literal.kind != Literal::Kind::kCondition) check_body_time(literal.atom, diagnostics);
  }
}

void reject_crash(Atom& head, Diagnostics& diagnostics) {
  diagnostics.error("crash-derived", head.name_span,
                    "`crash` is built in: the faults of a run alone decide what it holds",
                    "give the relation another name");
  head.args.resize(3, unknown(head.span));
}

}  // namespace

void check_clauses(Draft& draft) {
  for (Clause& clause : draft.clauses) {
    if (clause.kind == Clause::Kind::kFact) {
      check_fact(clause, draft.diagnostics);
    } else {
      check_rule(clause, draft.diagnostics);
    }
    if (clause.head.relation == kCrash) reject_crash(clause.head, draft.diagnostics);
  }
}

}  // namespace clew::dedalus
