#include "dedalus/column_values.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace clew::dedalus {

namespace {

// Rules looked at again because a column has gained a value.
constexpr size_t kMostAttempts = 1'000'000;

bool is_constant(const Term& term) {
  return term.kind == Term::Kind::kString || term.kind == Term::Kind::kInteger;
}

bool is_variable(const Term& term) { return term.kind == Term::Kind::kVariable; }

ValueSet only(const std::string& value) {
  ValueSet set;
  set.insert(value);
  return set;
}

}  // namespace

// ---- ValueSet ----

ValueSet ValueSet::anything() {
  ValueSet set;
  set.anything_ = true;
  return set;
}

void ValueSet::insert(const std::string& value) {
  if (!anything_) values_.insert(value);
}

bool ValueSet::add(const ValueSet& other) {
  if (anything_) return false;
  const size_t before = values_.size();
  if (!other.anything_) values_.insert(other.values_.begin(), other.values_.end());
  if (!other.anything_ && values_.size() <= kMostValues) return values_.size() > before;
  values_.clear();
  return anything_ = true;
}

bool ValueSet::keep_common(const ValueSet& other) {
  if (other.anything_) return false;
  if (anything_) {
    *this = other;
    return true;
  }
  const size_t before = values_.size();
  std::erase_if(values_, [&](const std::string& value) { return !other.values_.contains(value); });
  return values_.size() < before;
}

std::string value_of(const Term& constant) {
  return constant.kind == Term::Kind::kInteger ? std::to_string(constant.integer)
                                               : '"' + constant.text + '"';
}

// ---- One rule ----

// The values that are left for the variables of a rule, and what is in the way of its firing.
struct ColumnValues::Attempt {
  Attempt(const ColumnValues& all, size_t which)
      : known(all), rule(all.program_.rules[which]), number(which) {
    for (const Literal& literal : rule.body) {
      if (literal.kind == Literal::Kind::kPositive) match(literal.atom);
    }
    for (const Literal& literal : rule.body) {
      if (literal.kind == Literal::Kind::kCondition) compare(literal.condition);
    }
    locate();
    if (rule.head.time.kind == TimeSuffix::Kind::kAsync) send();
  }

  ValueSet of(const Term& term) const {
    if (is_constant(term)) return only(value_of(term));
    const bool selects =
        term.kind == Term::Kind::kAggregate &&
        (term.function == AggregateFunction::kMin || term.function == AggregateFunction::kMax);
    if (!is_variable(term) && !selects) return ValueSet::anything();
    const auto found = variables.find(term.text);
    return found == variables.end() ? ValueSet::anything() : found->second;
  }

  void hinder(Hindrance::Kind kind, const Term& term, const Atom* atom, size_t column,
              ValueSet values) {
    if (!hindrance) hindrance = Hindrance{kind, number, &term, atom, column, std::move(values)};
  }

  void match(const Atom& atom) {
    const RelationIndex relation = known.index_of(atom);
    if (!known.filled_[relation]) waits = true;
    for (size_t i = 0; i < atom.args.size(); ++i) {
      const Term& arg = atom.args[i];
      const ValueSet& column = known.columns_[relation][i];
      if (is_constant(arg) && !column.may_be(value_of(arg))) {
        hinder(Hindrance::Kind::kConstant, arg, &atom, i, column);
      }
      if (is_variable(arg)) narrow(arg, column, &atom, i);
    }
  }

  void narrow(const Term& variable, const ValueSet& to, const Atom* atom, size_t column) {
    ValueSet& left = variables.try_emplace(variable.text, ValueSet::anything()).first->second;
    const ValueSet before = left;
    left.keep_common(to);
    if (left.empty() && !before.empty()) {
      hinder(Hindrance::Kind::kJoin, variable, atom, column, before);
    }
  }

  void compare(const Term& condition) {
    const Term& left = condition.operands[0];
    const Term& right = condition.operands[1];
    ValueSet both = of(left);
    both.keep_common(of(right));
    if (condition.op == Op::kEqual) {
      if (both.empty()) hinder(Hindrance::Kind::kCondition, condition, nullptr, 0, {});
      for (const Term* side : {&left, &right}) {
        if (is_variable(*side)) variables[side->text] = both;
      }
    }
    const auto is_one = [&](const Term& term) {
      const ValueSet values = of(term);
      return !values.is_anything() && values.values().size() == 1;
    };
    if (condition.op == Op::kNotEqual && is_one(left) && is_one(right) && !both.empty()) {
      hinder(Hindrance::Kind::kCondition, condition, nullptr, 0, {});
    }
  }

  void locate() {
    const Location location = location_of(rule);
    if (location.kind == Location::Kind::kNowhere) somewhere = false;
    if (location.kind == Location::Kind::kConstant) {
      somewhere = known.nodes_.may_be('"' + location.text + '"');
    }
    if (location.kind == Location::Kind::kVariable) restrict_to_nodes(*first_argument());
  }

  void restrict_to_nodes(const Term& variable, bool sends = false) {
    ValueSet& left = variables.try_emplace(variable.text, ValueSet::anything()).first->second;
    const ValueSet before = left;
    left.keep_common(known.nodes_);
    if (!left.empty() || before.empty()) return;
    const auto kind = sends ? Hindrance::Kind::kDestination : Hindrance::Kind::kLocation;
    hinder(kind, variable, nullptr, 0, before);
  }

  // Of the first atom of the body.
  const Term* first_argument() const {
    for (const Literal& literal : rule.body) {
      if (literal.kind != Literal::Kind::kCondition) return &literal.atom.args.front();
    }
    return nullptr;
  }

  void send() {
    if (rule.head.args.empty()) return;
    const Term& destination = rule.head.args.front();
    if (is_variable(destination)) restrict_to_nodes(destination, true);
    if (is_constant(destination)) somewhere &= known.nodes_.may_be(value_of(destination));
  }

  bool fires() const { return !waits && somewhere && !hindrance; }

  const ColumnValues& known;
  const Clause& rule;
  size_t number;
  std::unordered_map<std::string_view, ValueSet> variables{};
  bool waits = false;     // for a relation that nothing has filled
  bool somewhere = true;  // at a node, and to one: what is not is warned about as it stands
  std::optional<Hindrance> hindrance{};  // the first
};

// ---- All rules ----

ColumnValues::ColumnValues(const Program& program, const std::vector<std::string>& nodes)
    : program_(program), filled_(program.relations.size()) {
  for (const std::string& node : nodes) nodes_.insert('"' + node + '"');
  for (const RelationInfo& relation : program.relations) columns_.emplace_back(relation.arity);
  columns_[0] = {nodes_, nodes_, ValueSet::anything()};
  filled_[0] = true;
  add_facts();
  follow_rules();
}

void ColumnValues::add_facts() {
  for (const Clause& fact : program_.facts) {
    const RelationIndex relation = index_of(fact.head);
    filled_[relation] = true;
    for (size_t i = 0; i < fact.head.args.size(); ++i) {
      columns_[relation][i].add(only(value_of(fact.head.args[i])));
    }
  }
}

bool ColumnValues::derive(const Atom& head, const Attempt& attempt) {
  const RelationIndex relation = index_of(head);
  bool changed = !filled_[relation];
  filled_[relation] = true;
  for (size_t i = 0; i < head.args.size(); ++i) {
    changed |= columns_[relation][i].add(attempt.of(head.args[i]));
  }
  return changed;
}

void ColumnValues::follow_rules() {
  std::vector<std::vector<size_t>> readers(program_.relations.size());  // rules, by relation
  std::vector<size_t> work;
  std::vector<bool> waiting(program_.rules.size(), true);
  for (size_t rule = program_.rules.size(); rule-- > 0;) {
    work.push_back(rule);
    for (const Literal& literal : program_.rules[rule].body) {
      if (literal.kind == Literal::Kind::kPositive) readers[index_of(literal.atom)].push_back(rule);
    }
  }
  for (size_t steps = 0; !work.empty(); ++steps) {
    if (steps >= kMostAttempts) {
      gave_up_ = true;
      return;
    }
    const size_t rule = work.back();
    work.pop_back();
    waiting[rule] = false;
    const Attempt attempt(*this, rule);
    const Atom& head = program_.rules[rule].head;
    if (!attempt.fires() || !derive(head, attempt)) continue;
    for (const size_t reader : readers[index_of(head)]) {
      if (!waiting[reader]) work.push_back(reader);
      waiting[reader] = true;
    }
  }
}

const ValueSet& ColumnValues::of(RelationIndex relation, size_t column) const {
  static const ValueSet kAnything = ValueSet::anything();
  return gave_up_ ? kAnything : columns_[relation][column];
}

std::vector<Hindrance> ColumnValues::hindrances() const {
  std::vector<Hindrance> all;
  for (size_t rule = 0; rule < program_.rules.size() && !gave_up_; ++rule) {
    const Attempt attempt(*this, rule);
    if (!attempt.waits && attempt.somewhere && attempt.hindrance) all.push_back(*attempt.hindrance);
  }
  return all;
}

}  // namespace clew::dedalus
