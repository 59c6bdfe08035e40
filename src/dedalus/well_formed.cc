#include <unordered_set>

#include "base/check.h"
#include "dedalus/program.h"

namespace clew::dedalus {

namespace {

void check_relation(const Program& program, const Atom& atom) {
  const RelationInfo* relation = program.find(atom.relation);
  CHECK(relation != nullptr, "{} is not among the relations", atom.relation);
  CHECK(atom.args.size() == relation->arity, "{} has {} columns, but {} arguments", atom.relation,
        relation->arity, atom.args.size());
}

void check_fact(const Clause& fact) {
  CHECK(fact.kind == Clause::Kind::kFact, "a clause about {} is no fact", fact.head.relation);
  CHECK(fact.head.time.kind == TimeSuffix::Kind::kAt, "a fact of {} at no tick",
        fact.head.relation);
  for (const Term& arg : fact.head.args) {
    CHECK(arg.kind == Term::Kind::kString || arg.kind == Term::Kind::kInteger,
          "a fact of {} with an argument that is no constant", fact.head.relation);
  }
}

class RuleCheck {
 public:
  RuleCheck(const Program& program, const Clause& rule) : program_(program), rule_(rule) {}

  void run() {
    CHECK(rule_.kind == Clause::Kind::kRule, "a clause about {} is no rule", rule_.head.relation);
    CHECK(rule_.head.time.kind != TimeSuffix::Kind::kAt, "a rule for {} at one tick",
          rule_.head.relation);
    check_relation(program_, rule_.head);
    CHECK(rule_.placeless == program_.find(rule_.head.relation)->placeless,
          "a rule for {} is placeless, or its relation is, but not both", rule_.head.relation);
    const Location location = location_of(rule_);
    if (location.kind == Location::Kind::kVariable) bound_.insert(location.text);
    for (const Literal& literal : rule_.body) check_atom(literal);
    for (const Literal& literal : rule_.body) check_variables(literal);
    for (const Term& arg : rule_.head.args) need(arg);
  }

 private:
  void check_atom(const Literal& literal) {
    if (literal.kind == Literal::Kind::kCondition) return;
    const TimeSuffix::Kind time = literal.atom.time.kind;
    CHECK(time == TimeSuffix::Kind::kNone || time == TimeSuffix::Kind::kAt,
          "a body reads {} at a tick to come", literal.atom.relation);
    check_relation(program_, literal.atom);
    if (literal.kind != Literal::Kind::kPositive) return;
    for (const Term& arg : literal.atom.args) {
      if (arg.kind == Term::Kind::kVariable) bound_.insert(arg.text);
    }
  }

  void check_variables(const Literal& literal) const {
    if (literal.kind == Literal::Kind::kCondition) return need(literal.condition);
    for (const Term& arg : literal.atom.args) {
      if (arg.kind == Term::Kind::kBinary) need(arg);
    }
  }

  void need(const Term& term) const {
    const bool named = term.kind == Term::Kind::kVariable || term.kind == Term::Kind::kAggregate;
    CHECK(!named || bound_.contains(term.text), "a rule for {} has {}, which nothing binds",
          rule_.head.relation, term.text);
    for (const Term& operand : term.operands) need(operand);
  }

  const Program& program_;
  const Clause& rule_;
  std::unordered_set<std::string> bound_;
};

}  // namespace

void check_well_formed(const Program& program) {
  CHECK(!program.relations.empty() && program.relations[0].name == kCrash, "relation 0 is {}",
        kCrash);
  CHECK(program.relations[0].arity == 3, "{} has {} columns", kCrash, program.relations[0].arity);
  for (const Clause& fact : program.facts) {
    check_relation(program, fact.head);
    check_fact(fact);
  }
  for (const Clause& rule : program.rules) RuleCheck(program, rule).run();
  CHECK(!program.promises.empty(), "a program without a promise");
}

}  // namespace clew::dedalus
