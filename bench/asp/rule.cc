// A rule becomes one rule: its elements, what makes its location and its destination nodes, what
// the crash model and losses demand, and the time. Two things need a rule of their own:
//
//   notin p(X, E, E)      no anonymous variable says that twice, so matches of it get a name
//   q(X, count<Y>)        bindings are projected on the head's columns before they are folded
#include "bench/asp/rule.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/asp/fold.h"

namespace clew::asp {

namespace {

using dedalus::Atom;
using dedalus::Clause;
using dedalus::Literal;
using dedalus::Location;
using dedalus::Term;
using dedalus::TimeSuffix;

class RuleText {
 public:
  RuleText(Encoding& encoding, size_t number, std::optional<Tick> tick)
      : all_(encoding),
        number_(number),
        tick_(tick),
        rule_(encoding.program.rules[number]),
        where_(location_of(rule_)),
        variables_(Names::Case::kUpper, {"T"}) {}

  std::string text() {
    if (!may_fire()) return "";
    find_bound();
    for (const Literal& literal : rule_.body) add_literal(literal);
    add_location();
    if (sends()) add_link();
    if (all_.stops() && !sends()) add_life_of_head();
    add_time();
    aggregates() ? add_fold() : add_rule(head_predicate(), head_columns(), head_time(), body_);
    return text_;
  }

 private:
  // ---- When and where ----

  bool sends() const { return rule_.head.time.kind == TimeSuffix::Kind::kAsync; }
  bool to_next() const { return rule_.head.time.kind != TimeSuffix::Kind::kNone; }

  std::string now() const { return tick_ ? std::to_string(*tick_) : "T"; }
  std::string next() const { return tick_ ? std::to_string(*tick_ + 1) : "T+1"; }
  std::string head_time() const { return to_next() ? next() : now(); }

  // The tick from which on all ticks that the body reads have been.
  int64_t since() const {
    int64_t latest = 1;
    for (const Literal& literal : rule_.body) {
      if (literal.kind == Literal::Kind::kCondition) continue;
      if (literal.atom.time.kind == TimeSuffix::Kind::kAt) {
        latest = std::max(latest, literal.atom.time.tick);
      }
    }
    return latest;
  }

  bool reads_before_time() const {
    return std::ranges::any_of(rule_.body, [](const Literal& literal) {
      const TimeSuffix& time = literal.atom.time;
      return literal.kind != Literal::Kind::kCondition && time.kind == TimeSuffix::Kind::kAt &&
             time.tick < 1;
    });
  }

  bool may_fire() const {
    if (where_.kind == Location::Kind::kNowhere || reads_before_time()) return false;
    if (where_.kind == Location::Kind::kConstant && !all_.is_node(where_.text)) return false;
    const Tick last = all_.options.eot - (to_next() ? 1 : 0);
    if (last < 1 || since() > tick_.value_or(last)) return false;
    return !sends() || may_arrive(rule_.head.args[0]);
  }

  bool may_arrive(const Term& destination) const {
    if (destination.kind == Term::Kind::kString) return all_.is_node(destination.text);
    return destination.kind == Term::Kind::kVariable || destination.kind == Term::Kind::kAggregate;
  }

  void add_time() {
    if (tick_) return;
    if (!time_is_bound_) body_.emplace_back("tick(T)");
    if (since() > 1) body_.push_back(fmt::format("T >= {}", since()));
    if (to_next()) body_.push_back(fmt::format("T < {}", all_.options.eot));
  }

  // ---- Elements of the body ----

  void find_bound() {
    if (where_.kind == Location::Kind::kVariable) bound_.insert(where_.text);
    for (const Literal& literal : rule_.body) {
      if (literal.kind != Literal::Kind::kPositive) continue;
      for (const Term& arg : literal.atom.args) {
        if (arg.kind == Term::Kind::kVariable) bound_.insert(arg.text);
      }
    }
  }

  std::string text_of(const Term& term) { return term_text(term, variables_); }

  void add_literal(const Literal& literal) {
    switch (literal.kind) {
      case Literal::Kind::kCondition: {
        const Term& condition = literal.condition;
        body_.push_back(fmt::format("{} {} {}", text_of(condition.operands[0]),
                                    comparison_text(condition.op), text_of(condition.operands[1])));
        return;
      }
      case Literal::Kind::kPositive:
        body_.push_back(atom_text(literal.atom));
        time_is_bound_ |=
            is_timed(literal.atom) && literal.atom.time.kind == TimeSuffix::Kind::kNone;
        return;
      case Literal::Kind::kNegative:
        body_.push_back("not " + absent_text(literal.atom));
    }
  }

  // Unless nodes stop, `crash` is the same at all ticks.
  bool is_timed(const Atom& atom) const { return atom.relation != dedalus::kCrash || all_.stops(); }

  std::string time_of(const Atom& atom) const {
    const bool fixed = atom.time.kind == TimeSuffix::Kind::kAt;
    return fixed ? std::to_string(atom.time.tick) : now();
  }

  bool is_free(const Term& arg) const {
    return arg.kind == Term::Kind::kWildcard ||
           (arg.kind == Term::Kind::kVariable && !bound_.contains(arg.text));
  }

  // Who observes a crash matters only if somebody asks.
  std::string with_time(const Atom& atom, std::vector<std::string> args) {
    if (!is_timed(atom)) {
      if (args[0] != "_") return call("crash", args);
      return call("crash_at", {args[1], args[2]});
    }
    args.push_back(time_of(atom));
    return call(all_.predicates[atom.relation], args);
  }

  std::string atom_text(const Atom& atom) {
    std::vector<std::string> args;
    args.reserve(atom.args.size());
    for (const Term& arg : atom.args) args.push_back(is_free(arg) ? "_" : text_of(arg));
    return with_time(atom, std::move(args));
  }

  static bool occurs_twice(const Atom& atom, const Term& variable) {
    return std::ranges::count_if(atom.args, [&](const Term& arg) {
             return arg.kind == Term::Kind::kVariable && arg.text == variable.text;
           }) > 1;
  }

  std::string absent_text(const Atom& atom) {
    const bool repeats = std::ranges::any_of(atom.args, [&](const Term& arg) {
      return arg.kind == Term::Kind::kVariable && is_free(arg) && occurs_twice(atom, arg);
    });
    return repeats ? match_text(atom) : atom_text(atom);
  }

  // Names the matches of an atom by those of its columns that are given.
  std::string match_text(const Atom& atom) {
    const std::string predicate = all_.predicates[fmt::format("match {} {}", number_, ++matches_)];
    Names variables(Names::Case::kUpper, {"T"});
    std::vector<std::string> all;
    std::vector<std::string> columns;
    std::vector<std::string> given;
    for (size_t i = 0; i < atom.args.size(); ++i) {
      const Term& arg = atom.args[i];
      const bool free = is_free(arg);
      const bool repeated = free && arg.kind == Term::Kind::kVariable;
      all.push_back(repeated ? variables[arg.text] : free ? "_" : variables[fmt::format("{}", i)]);
      if (free) continue;
      columns.push_back(all.back());
      given.push_back(text_of(arg));
    }
    if (is_timed(atom)) columns.push_back(time_of(atom));
    if (is_timed(atom)) given.push_back(time_of(atom));
    text_ += fmt::format("{} :- {}.\n", call(predicate, columns), with_time(atom, all));
    return call(predicate, given);
  }

  // ---- Places ----

  // Facts of a node that has stopped do not exist, so whoever reads one now is alive.
  bool reads_own_facts() const {
    for (const Literal& literal : rule_.body) {
      if (literal.kind == Literal::Kind::kCondition) continue;
      return literal.kind == Literal::Kind::kPositive &&
             literal.atom.time.kind == TimeSuffix::Kind::kNone;
    }
    return false;
  }

  void add_location() {
    if (where_.kind == Location::Kind::kAny) return;
    const bool variable = where_.kind == Location::Kind::kVariable;
    from_ = variable ? variables_[where_.text] : string_text(where_.text);
    if (variable) body_.push_back(call("is_node", {from_}));
    if (all_.stops() && !reads_own_facts()) body_.push_back("not " + call("dead", {from_, now()}));
  }

  // A rule located anywhere sends from the destination to itself.
  void add_link() {
    const Term& destination = rule_.head.args[0];
    const std::string to = text_of(destination);
    if (destination.kind != Term::Kind::kString && to != from_) {
      body_.push_back(call("is_node", {to}));
    }
    const std::string& from = where_.kind == Location::Kind::kAny ? to : from_;
    if (from != to || all_.stops()) body_.push_back("not " + call("lost", {from, to, now()}));
  }

  // Nothing comes to exist at a node that has stopped by then.
  void add_life_of_head() {
    if (rule_.head.args.empty()) return;
    const Term& first = rule_.head.args[0];
    const bool may_be_node = first.kind == Term::Kind::kVariable ||
                             (first.kind == Term::Kind::kString && all_.is_node(first.text));
    if (!may_be_node || (!to_next() && text_of(first) == from_)) return;
    body_.push_back("not " + call("dead", {text_of(first), head_time()}));
  }

  // ---- Heads ----

  bool aggregates() const { return std::ranges::any_of(rule_.head.args, is_aggregate); }
  const std::string& head_predicate() { return all_.predicates[rule_.head.relation]; }

  std::vector<std::string> head_columns() {
    std::vector<std::string> columns;
    columns.reserve(rule_.head.args.size());
    for (const Term& arg : rule_.head.args) columns.push_back(text_of(arg));
    return columns;
  }

  void add_rule(const std::string& predicate, std::vector<std::string> columns,
                const std::string& time, const std::vector<std::string>& body) {
    columns.push_back(time);
    text_ += fmt::format("{} :- {}.\n", call(predicate, columns), fmt::join(body, ", "));
  }

  // The bindings, and a rule that folds them.
  void add_fold() {
    const FoldText fold{all_.predicates[fmt::format("bind {}", number_)], rule_.head.args, now()};
    add_rule(fold.bindings, head_columns(), now(), body_);
    std::vector<std::string> body = fold.body();
    const bool folds_location = is_aggregate(rule_.head.args[0]);
    if (all_.stops() && !sends() && folds_location) {
      body.push_back("not " + call("dead", {fold.column(0), head_time()}));
    }
    add_rule(head_predicate(), fold.columns(), head_time(), body);
  }

  Encoding& all_;
  const size_t number_;
  const std::optional<Tick> tick_;
  const Clause& rule_;
  const Location where_;
  Names variables_;
  std::set<std::string> bound_;
  std::string from_;
  std::vector<std::string> body_;
  bool time_is_bound_ = false;
  int matches_ = 0;
  std::string text_;
};

}  // namespace

bool Encoding::is_node(const std::string& name) const {
  return std::ranges::find(options.nodes, name) != options.nodes.end();
}

bool Encoding::last_tick_only(const std::string& relation) const {
  return !options.all_facts && program.find(relation)->view;
}

std::string rule_text(Encoding& encoding, size_t rule, std::optional<Tick> tick) {
  return RuleText(encoding, rule, tick).text();
}

}  // namespace clew::asp
