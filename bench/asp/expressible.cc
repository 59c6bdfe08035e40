// What a Program can say and clingo cannot.
#include <fmt/format.h>

#include <cstdint>
#include <limits>

#include "bench/asp/translate.h"

namespace clew::asp {

namespace {

using dedalus::AggregateFunction;
using dedalus::Clause;
using dedalus::ColumnType;
using dedalus::Literal;
using dedalus::Op;
using dedalus::Term;

constexpr int64_t kMostInteger = std::numeric_limits<int32_t>::max();

class Checker {
 public:
  Checker(const dedalus::Program& program, const Clause& clause, Diagnostics& diagnostics)
      : program_(program), clause_(clause), diagnostics_(diagnostics) {}

  void run() {
    for (const Term& arg : clause_.head.args) {
      check(arg);
      const bool is_sum =
          arg.kind == Term::Kind::kAggregate && arg.function == AggregateFunction::kSum;
      if (is_sum && may_be_string(arg)) {
        refuse(arg, "the sum may meet a string, which ends the run");
      }
    }
    for (const Literal& literal : clause_.body) {
      for (const Term& arg : literal.atom.args) check(arg);
      for (const Term& side : literal.condition.operands) check(side);
    }
  }

 private:
  void refuse(const Term& term, std::string why) {
    diagnostics_.error("not-in-asp", term.span, std::move(why),
                       "clingo has no such thing: it cannot be compared on this program");
  }

  void check(const Term& term) {
    if (term.kind == Term::Kind::kInteger &&
        (term.integer > kMostInteger || term.integer < -kMostInteger)) {
      refuse(term, "the integer has more than 32 bits");
    }
    if (term.kind == Term::Kind::kString && term.text.find('\0') != std::string::npos) {
      refuse(term, "the string contains the byte 0");
    }
    if (term.kind != Term::Kind::kBinary) return;
    for (const Term& operand : term.operands) {
      check(operand);
      if (may_be_string(operand)) refuse(operand, "this may be a string");
    }
    const Term& right = term.operands[1];
    const bool constant = right.kind == Term::Kind::kInteger && right.integer != 0;
    if (term.op == Op::kDivide && !constant) refuse(right, "the divisor may be 0");
  }

  // A variable is no string if some positive element says so.
  bool may_be_string(const Term& term) const {
    if (term.kind == Term::Kind::kString) return true;
    if (term.kind != Term::Kind::kVariable && term.kind != Term::Kind::kAggregate) return false;
    for (const Literal& literal : clause_.body) {
      if (literal.kind == Literal::Kind::kPositive && makes_integer(literal.atom, term.text)) {
        return false;
      }
    }
    return true;
  }

  bool makes_integer(const dedalus::Atom& atom, const std::string& variable) const {
    const std::vector<ColumnType>& columns = program_.find(atom.relation)->columns;
    for (size_t i = 0; i < atom.args.size(); ++i) {
      const Term& arg = atom.args[i];
      const bool plain = arg.kind == Term::Kind::kVariable && arg.text == variable;
      if (plain && !columns[i].string) return true;
    }
    return false;
  }

  const dedalus::Program& program_;
  const Clause& clause_;
  Diagnostics& diagnostics_;
};

}  // namespace

void check_expressible(const dedalus::Program& program, Diagnostics& diagnostics) {
  for (const dedalus::PromiseInfo& promise : program.promises) {
    if (promise.name == dedalus::kSpec) continue;
    diagnostics.error("not-in-asp", promise.span, "a promise with a name",
                      "only `pre` and `post` are translated");
  }
  for (const Clause& fact : program.facts) Checker(program, fact, diagnostics).run();
  for (const Clause& rule : program.rules) Checker(program, rule, diagnostics).run();
}

}  // namespace clew::asp
