// Promises become rules, so that whoever runs, grounds or explains rules need not know of them:
//
//   promise durable: acked(C, W) implies log(_, W);
//     durable.pre(C, W) :- acked(C, W);                     what is promised
//     durable.post(C, W) :- durable.pre(C, W), log(_, W);   what is kept
//   never torn: read(C, V), notin wrote(_, V);
//     torn.pre(C, V) :- read(C, V);                         what it looks at
//     torn.bad(C, V) :- torn.pre(C, V), notin wrote(_, V);
//     torn.post(C, V) :- torn.pre(C, V), notin torn.bad(C, V);
//
// The columns are the variables that the body gives values to. These rules look at the system as a
// whole: they are placeless. `never` looks at whatever its positive atoms match, unless there is
// nothing but these: then the last of them is what must not happen, and if it is the only one,
// `never` looks at every tick.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "dedalus/passes/passes.h"
#include "dedalus/passes/wording.h"

namespace clew::dedalus {
namespace {

bool is_positive(const Literal& literal) { return literal.kind == Literal::Kind::kPositive; }

// Always true.
Literal anyway(Span span) {
  Term zero;
  zero.kind = Term::Kind::kInteger;
  zero.span = span;
  Literal literal;
  literal.kind = Literal::Kind::kCondition;
  literal.span = span;
  literal.condition.kind = Term::Kind::kBinary;
  literal.condition.span = span;
  literal.condition.op = Op::kEqual;
  literal.condition.operands = {zero, zero};
  return literal;
}

std::vector<Term> variables_of(const std::vector<Literal>& body) {
  std::vector<Term> variables;
  std::set<std::string> seen;
  for (const Literal& literal : body) {
    if (!is_positive(literal)) continue;
    for (const Term& arg : literal.atom.args) {
      if (arg.kind == Term::Kind::kVariable && seen.insert(arg.text).second) {
        variables.push_back(arg);
      }
    }
  }
  return variables;
}

class PromiseStatement {
 public:
  PromiseStatement(const Clause& clause, std::vector<Clause>& rules)
      : clause_(clause), rules_(rules) {}

  PromiseInfo run() {
    const bool never = clause_.promise == PromiseKind::kNever;
    std::vector<Literal> applies = clause_.body;
    std::vector<Literal> rest = clause_.implied;
    if (never) {
      rest = split(applies);
      if (applies.empty()) applies.push_back(anyway(clause_.name_span));
    }
    columns_ = variables_of(applies);
    add("pre", std::move(applies));
    const char* what = never ? "bad" : "post";
    rest.insert(rest.begin(), literal("pre", Literal::Kind::kPositive));
    add(what, std::move(rest));
    if (never) {
      add("post",
          {literal("pre", Literal::Kind::kPositive), literal("bad", Literal::Kind::kNegative)});
    }
    return {
        clause_.name, relation("pre"), relation("post"), clause_.promise != PromiseKind::kPromise,
        true,         clause_.span};
  }

 private:
  // Leaves what `never` looks at, and gives back what must not happen then.
  static std::vector<Literal> split(std::vector<Literal>& body) {
    const auto middle = std::stable_partition(body.begin(), body.end(), is_positive);
    std::vector<Literal> rest(middle, body.end());
    body.erase(middle, body.end());
    if (!rest.empty()) return rest;
    rest.push_back(std::move(body.back()));
    body.pop_back();
    return rest;
  }

  std::string relation(const char* what) const { return fmt::format("{}.{}", clause_.name, what); }

  Atom atom(const char* what) const {
    Atom atom;
    atom.relation = relation(what);
    atom.name_span = clause_.name_span;
    atom.span = clause_.name_span;
    atom.args = columns_;
    return atom;
  }

  Literal literal(const char* what, Literal::Kind kind) const {
    Literal literal;
    literal.kind = kind;
    literal.atom = atom(what);
    literal.span = clause_.name_span;
    return literal;
  }

  void add(const char* what, std::vector<Literal> body) {
    Clause rule;
    rule.kind = Clause::Kind::kRule;
    rule.head = atom(what);
    rule.body = std::move(body);
    rule.span = clause_.span;
    rule.placeless = true;
    rules_.push_back(std::move(rule));
  }

  const Clause& clause_;
  std::vector<Clause>& rules_;
  std::vector<Term> columns_;
};

class Statements {
 public:
  explicit Statements(Draft& draft) : draft_(draft) {}

  void run() {
    std::vector<Clause> stated;
    for (Clause& clause : draft_.clauses) {
      if (clause.kind == Clause::Kind::kPromise) stated.push_back(std::move(clause));
    }
    std::erase_if(draft_.clauses, [](const Clause& c) { return c.kind == Clause::Kind::kPromise; });
    for (const Clause& clause : draft_.clauses) heads_.try_emplace(clause.head.relation, &clause);
    if (stated.empty() || heads_.contains(kPre) || heads_.contains(kPost)) add_spec();
    std::vector<Clause> rules;
    for (const Clause& clause : stated) {
      if (is_new(clause)) promises().push_back(PromiseStatement(clause, rules).run());
    }
    for (const PromiseInfo& promise : promises()) refuse_own_rules(promise);
    std::ranges::move(rules, std::back_inserter(draft_.clauses));
  }

 private:
  std::vector<PromiseInfo>& promises() { return draft_.program.promises; }

  void add_spec() {
    const bool given = draft_.given != nullptr && draft_.given->contains(kPre);
    promises().push_back({kSpec, kPre, kPost, false, given || heads_.contains(kPre), {}});
  }

  bool is_new(const Clause& clause) {
    const auto known = std::ranges::find(promises(), clause.name, &PromiseInfo::name);
    if (known == promises().end()) return true;
    const bool spec = known->pre == kPre;
    Diagnostic& error = draft_.diagnostics.error(
        "promise-twice", clause.name_span,
        spec ? "`spec` is the name of what `pre` and `post` promise"
             : fmt::format("there is a promise {} already", name_of(clause.name)),
        "give it another name");
    if (!spec) error.notes.push_back({known->span, "here"});
    return false;
  }

  // Rules, and no user, say what the relations of a promise hold.
  void refuse_own_rules(const PromiseInfo& promise) {
    if (promise.pre == kPre) return;
    for (const char* what : {"pre", "post", "bad"}) {
      const auto own = heads_.find(fmt::format("{}.{}", promise.name, what));
      if (own == heads_.end()) continue;
      draft_.diagnostics
          .error("promise-relation", own->second->head.name_span,
                 fmt::format("{} belongs to the promise {}", name_of(own->first),
                             name_of(promise.name)),
                 "give the relation or the promise another name")
          .notes.push_back({promise.span, "here it is promised"});
    }
  }

  Draft& draft_;
  std::map<std::string, const Clause*> heads_;  // the first clause for each relation
};

}  // namespace

void state_promises(Draft& draft) { Statements(draft).run(); }

}  // namespace clew::dedalus
