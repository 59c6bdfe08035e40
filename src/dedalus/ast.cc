#include "dedalus/ast.h"

#include <algorithm>

#include "base/check.h"

namespace clew::dedalus {

namespace {

bool same_time(const TimeSuffix& a, const TimeSuffix& b) {
  return a.kind == b.kind && (a.kind != TimeSuffix::Kind::kAt || a.tick == b.tick);
}

bool same_atom(const Atom& a, const Atom& b) {
  return a.relation == b.relation && same_time(a.time, b.time) &&
         std::ranges::equal(a.args, b.args, same_term);
}

bool same_literal(const Literal& a, const Literal& b) {
  if (a.kind != b.kind) return false;
  if (a.kind == Literal::Kind::kCondition) return same_term(a.condition, b.condition);
  return same_atom(a.atom, b.atom);
}

bool same_limit(const Limit& a, const Limit& b) {
  return a.kind == b.kind && a.node == b.node && a.to == b.to;
}

}  // namespace

const char* symbol(Op op) {
  switch (op) {
    case Op::kAdd:
      return "+";
    case Op::kSubtract:
      return "-";
    case Op::kMultiply:
      return "*";
    case Op::kDivide:
      return "/";
    case Op::kLess:
      return "<";
    case Op::kLessEqual:
      return "<=";
    case Op::kGreater:
      return ">";
    case Op::kGreaterEqual:
      return ">=";
    case Op::kEqual:
      return "==";
    case Op::kNotEqual:
      return "!=";
  }
  CHECK(false, "no such operator: {}", static_cast<int>(op));
  return "";
}

Operator to_operator(Op op) {
  switch (op) {
    case Op::kAdd:
      return Operator::kAdd;
    case Op::kSubtract:
      return Operator::kSubtract;
    case Op::kMultiply:
      return Operator::kMultiply;
    case Op::kDivide:
      return Operator::kDivide;
    default:
      CHECK(false, "{} does not calculate", symbol(op));
      return Operator::kAdd;
  }
}

Comparison to_comparison(Op op) {
  switch (op) {
    case Op::kLess:
      return Comparison::kLess;
    case Op::kLessEqual:
      return Comparison::kLessEqual;
    case Op::kGreater:
      return Comparison::kGreater;
    case Op::kGreaterEqual:
      return Comparison::kGreaterEqual;
    case Op::kEqual:
      return Comparison::kEqual;
    case Op::kNotEqual:
      return Comparison::kNotEqual;
    default:
      CHECK(false, "{} does not compare", symbol(op));
      return Comparison::kEqual;
  }
}

bool is_comparison(Op op) {
  return op != Op::kAdd && op != Op::kSubtract && op != Op::kMultiply && op != Op::kDivide;
}

const char* name(AggregateFunction function) {
  switch (function) {
    case AggregateFunction::kCount:
      return "count";
    case AggregateFunction::kSum:
      return "sum";
    case AggregateFunction::kMin:
      return "min";
    case AggregateFunction::kMax:
      return "max";
  }
  CHECK(false, "no such aggregate: {}", static_cast<int>(function));
  return "";
}

const char* name(PromiseKind kind) {
  switch (kind) {
    case PromiseKind::kPromise:
      return "promise";
    case PromiseKind::kAlways:
      return "always";
    case PromiseKind::kNever:
      return "never";
  }
  CHECK(false, "no such promise: {}", static_cast<int>(kind));
  return "";
}

const char* name(Limit::Kind kind) {
  return kind == Limit::Kind::kReliable ? "reliable" : "nocrash";
}

bool same_term(const Term& a, const Term& b) {
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case Term::Kind::kVariable:
    case Term::Kind::kString:
      return a.text == b.text;
    case Term::Kind::kWildcard:
      return true;
    case Term::Kind::kInteger:
      return a.integer == b.integer;
    case Term::Kind::kAggregate:
      return a.function == b.function && a.text == b.text;
    case Term::Kind::kBinary:
      return a.op == b.op && std::ranges::equal(a.operands, b.operands, same_term);
  }
  CHECK(false, "no such term: {}", static_cast<int>(a.kind));
  return false;
}

bool same_clause(const Clause& a, const Clause& b) {
  if (a.kind != b.kind) return false;
  if (a.kind == Clause::Kind::kInclude) return a.path == b.path;
  if (a.kind == Clause::Kind::kPromise) {
    return a.promise == b.promise && a.name == b.name &&
           std::ranges::equal(a.body, b.body, same_literal) &&
           std::ranges::equal(a.implied, b.implied, same_literal);
  }
  if (a.kind == Clause::Kind::kLimits) return std::ranges::equal(a.limits, b.limits, same_limit);
  return same_atom(a.head, b.head) && std::ranges::equal(a.body, b.body, same_literal);
}

}  // namespace clew::dedalus
