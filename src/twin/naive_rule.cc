#include "twin/naive_rule.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/check.h"

namespace clew::twin {
namespace {

using dedalus::AggregateFunction;
using dedalus::Atom;
using dedalus::Clause;
using dedalus::Literal;
using dedalus::Op;
using dedalus::Term;
using dedalus::TimeSuffix;

using Binding = std::map<std::string, Datum>;

constexpr size_t kStepWork = 10;  // trying a fact, in steps of a Watch

// ---- Values ----

int64_t integer_of(const Datum& value, const Term& where) {
  if (!std::holds_alternative<int64_t>(value)) throw Failure{"wrong-type", where.span};
  return std::get<int64_t>(value);
}

// 64-bit arithmetic; `/` truncates.
int64_t calculate(int64_t left, int64_t right, const Term& term) {
  int64_t result = 0;
  bool overflow = false;
  switch (term.op) {
    case Op::kAdd:
      overflow = __builtin_add_overflow(left, right, &result);
      break;
    case Op::kSubtract:
      overflow = __builtin_sub_overflow(left, right, &result);
      break;
    case Op::kMultiply:
      overflow = __builtin_mul_overflow(left, right, &result);
      break;
    case Op::kDivide:
      if (right == 0) throw Failure{"division-by-zero", term.span};
      overflow = left == INT64_MIN && right == -1;
      if (!overflow) result = left / right;
      break;
    default:
      CHECK(false, "a comparison is not a value");
  }
  if (overflow) throw Failure{"integer-overflow", term.span};
  return result;
}

Datum value_of(const Term& term, const Binding& binding) {
  switch (term.kind) {
    case Term::Kind::kVariable:
    case Term::Kind::kAggregate:
      return binding.at(term.text);
    case Term::Kind::kString:
      return term.text;
    case Term::Kind::kInteger:
      return term.integer;
    case Term::Kind::kBinary: {
      const Datum left = value_of(term.operands[0], binding);
      const Datum right = value_of(term.operands[1], binding);
      const auto* left_text = std::get_if<std::string>(&left);
      const auto* right_text = std::get_if<std::string>(&right);
      if (term.op == Op::kAdd && left_text && right_text) return *left_text + *right_text;
      return calculate(integer_of(left, term), integer_of(right, term), term);
    }
    case Term::Kind::kWildcard:
      break;
  }
  CHECK(false, "a wildcard has no value");
}

// Any two values compare: integers order before strings.
bool holds(const Term& condition, const Binding& binding) {
  const Datum left = value_of(condition.operands[0], binding);
  const Datum right = value_of(condition.operands[1], binding);
  switch (condition.op) {
    case Op::kLess:
      return left < right;
    case Op::kLessEqual:
      return left <= right;
    case Op::kGreater:
      return left > right;
    case Op::kGreaterEqual:
      return left >= right;
    case Op::kEqual:
      return left == right;
    case Op::kNotEqual:
      return left != right;
    default:
      CHECK(false, "a condition's operator is a comparison");
  }
}

// ---- Atoms ----

bool is_expression(const Term& term) { return term.kind == Term::Kind::kBinary; }

// Whether deciding the literal calculates: + - * / somewhere in it.
bool calculates(const Literal& literal) {
  if (literal.kind == Literal::Kind::kCondition) {
    return std::ranges::any_of(literal.condition.operands, is_expression);
  }
  return std::ranges::any_of(literal.atom.args, is_expression);
}

// The tick that an atom reads: its own @N, or the current one.
Tick tick_of(const Atom& atom, const World& world) {
  const bool fixed = atom.time.kind == TimeSuffix::Kind::kAt;
  return fixed ? static_cast<Tick>(atom.time.tick) : world.tick;
}

Extent& extent_of(const Atom& atom, World& world) {
  return world.history.at(static_cast<size_t>(tick_of(atom, world) - 1))[atom.relation];
}

// The facts whose plain arguments hold what the binding says, as far as it says anything.
const std::vector<const Tuple*>& candidates(const Atom& atom, const Binding& binding,
                                            World& world) {
  std::vector<size_t> columns;
  Tuple values;
  for (size_t i = 0; i < atom.args.size(); ++i) {
    const Term& arg = atom.args[i];
    const bool open = arg.kind == Term::Kind::kVariable && !binding.contains(arg.text);
    if (open || arg.kind == Term::Kind::kWildcard || is_expression(arg)) continue;
    columns.push_back(i);
    values.push_back(value_of(arg, binding));
  }
  return extent_of(atom, world).with(columns, values);
}

// A fact is tried.
void step(World& world) {
  if (world.steps_left-- == 0) throw GaveUp{};
  world.watch.look(kStepWork);
}

// Matches the plain arguments, binding the variables that are still free, which are added to
// `bound`; expressions match anything here.
bool match(const Atom& atom, const Tuple& tuple, Binding& binding,
           std::vector<std::string>& bound) {
  CHECK(atom.args.size() == tuple.size(), "{} has one arity", atom.relation);
  for (size_t i = 0; i < tuple.size(); ++i) {
    const Term& arg = atom.args[i];
    if (arg.kind == Term::Kind::kWildcard || is_expression(arg)) continue;
    const bool variable = arg.kind == Term::Kind::kVariable;
    if (variable && binding.emplace(arg.text, tuple[i]).second) bound.push_back(arg.text);
    if (value_of(arg, binding) != tuple[i]) return false;
  }
  return true;
}

// The atom with values in place of expressions and of variables that are bound. What is left are
// wildcards and the variables that nothing else binds.
Atom pattern_of(const Atom& atom, const Binding& binding) {
  Atom pattern = atom;
  for (Term& arg : pattern.args) {
    const bool free = arg.kind == Term::Kind::kWildcard ||
                      (arg.kind == Term::Kind::kVariable && !binding.contains(arg.text));
    if (free) continue;
    const Datum value = value_of(arg, binding);
    const bool text = std::holds_alternative<std::string>(value);
    arg.kind = text ? Term::Kind::kString : Term::Kind::kInteger;
    if (text) {
      arg.text = std::get<std::string>(value);
    } else {
      arg.integer = std::get<int64_t>(value);
    }
  }
  return pattern;
}

// `notin`: no fact matches, whatever the variables that nothing else binds may be.
bool is_absent(const Atom& atom, const Binding& binding, World& world) {
  const Atom pattern = pattern_of(atom, binding);
  return std::ranges::none_of(candidates(pattern, {}, world), [&](const Tuple* tuple) {
    step(world);
    Binding scratch;
    std::vector<std::string> bound;
    return match(pattern, *tuple, scratch, bound);
  });
}

// `p("a", _)`
std::string absence(const Atom& atom, const Binding& binding) {
  std::vector<std::string> columns;
  for (const Term& arg : pattern_of(atom, binding).args) {
    const bool free = arg.kind == Term::Kind::kWildcard || arg.kind == Term::Kind::kVariable;
    columns.push_back(free ? "_" : to_string(value_of(arg, binding)));
  }
  return fmt::format("{}({})", atom.relation, fmt::join(columns, ", "));
}

// ---- Bodies ----

// One choice of a fact for every positive literal, by the literal's place in the body.
struct Choice {
  Binding binding;
  std::map<size_t, const Tuple*> facts{};
};

bool satisfied(const Literal& literal, size_t place, const Choice& choice, World& world) {
  switch (literal.kind) {
    case Literal::Kind::kCondition:
      return holds(literal.condition, choice.binding);
    case Literal::Kind::kNegative:
      return is_absent(literal.atom, choice.binding, world);
    case Literal::Kind::kPositive:
      break;
  }
  for (size_t i = 0; i < literal.atom.args.size(); ++i) {
    const Term& arg = literal.atom.args[i];
    if (!is_expression(arg)) continue;
    if (value_of(arg, choice.binding) != choice.facts.at(place)->at(i)) return false;
  }
  return true;
}

// Those literals that calculate, in written order.
bool calculations_satisfied(const Clause& rule, const Choice& choice, World& world) {
  for (size_t place = 0; place < rule.body.size(); ++place) {
    const Literal& literal = rule.body[place];
    if (calculates(literal) && !satisfied(literal, place, choice, world)) return false;
  }
  return true;
}

void add_variables(const Term& term, std::set<std::string>& names) {
  if (term.kind == Term::Kind::kVariable) names.insert(term.text);
  for (const Term& operand : term.operands) add_variables(operand, names);
}

std::set<std::string> variables_of(const Literal& literal) {
  std::set<std::string> names;
  if (literal.kind == Literal::Kind::kCondition) add_variables(literal.condition, names);
  for (const Term& arg : literal.atom.args) add_variables(arg, names);
  return names;
}

Ground ground_of(const Clause& rule, const Choice& choice, const World& world) {
  Ground ground;
  for (size_t place = 0; place < rule.body.size(); ++place) {
    const Literal& literal = rule.body[place];
    if (literal.kind == Literal::Kind::kCondition) continue;
    const Tick tick = tick_of(literal.atom, world);
    if (literal.kind == Literal::Kind::kPositive) {
      ground.used.insert({tick, {literal.atom.relation, *choice.facts.at(place)}});
    } else {
      ground.absent.insert({tick, absence(literal.atom, choice.binding)});
    }
  }
  return ground;
}

// Ticks begin at 1, and `p(...)@N`, negated or not, waits for tick N.
bool has_begun(const Clause& rule, const World& world) {
  return std::ranges::none_of(rule.body, [&](const Literal& literal) {
    const TimeSuffix& time = literal.atom.time;
    return literal.kind != Literal::Kind::kCondition && time.kind == TimeSuffix::Kind::kAt &&
           (time.tick < 1 || time.tick > world.tick);
  });
}

// The first column of the first atom; nothing if there is none.
const Term* where_located(const Clause& rule) {
  if (rule.placeless) return nullptr;
  for (const Literal& literal : rule.body) {
    if (literal.kind == Literal::Kind::kCondition) continue;
    return literal.atom.args.empty() ? nullptr : &literal.atom.args[0];
  }
  return nullptr;
}

// ---- Rules ----

class RowFinder {
 public:
  RowFinder(const Clause& rule, World& world)
      : rule_(rule), world_(world), tests_(rule.body.size() + 1) {
    for (size_t place = 0; place < rule_.body.size(); ++place) {
      const Literal& literal = rule_.body[place];
      const bool test = literal.kind != Literal::Kind::kPositive && !calculates(literal);
      if (test) tests_[when_decided(literal)].push_back(place);
    }
  }

  Rows find() {
    if (!has_begun(rule_, world_)) return {};
    const Term* location = where_located(rule_);
    if (location == nullptr || location->kind == Term::Kind::kWildcard) {
      choose(0);
      return std::move(rows_);
    }
    for (const NodeName& node : world_.alive) {
      location_ = node;
      choice_ = {};
      if (location->kind == Term::Kind::kVariable) {
        choice_.binding[location->text] = node;
      } else if (value_of(*location, {}) != Datum(node)) {
        continue;
      }
      choose(0);
    }
    return std::move(rows_);
  }

 private:
  // The place before which all variables of a literal are known that the body binds at all.
  size_t when_decided(const Literal& literal) const {
    std::set<std::string> open = variables_of(literal);
    const Term* location = where_located(rule_);
    if (location != nullptr) open.erase(location->text);
    size_t decided = 0;
    for (size_t place = 0; place < rule_.body.size(); ++place) {
      if (rule_.body[place].kind != Literal::Kind::kPositive) continue;
      for (const Term& arg : rule_.body[place].atom.args) {
        const bool binds = arg.kind == Term::Kind::kVariable && open.erase(arg.text) > 0;
        if (binds) decided = place + 1;
      }
    }
    return decided;
  }

  // Extends the choice by every fact that fits the positive literal at `place`, and so on. What is
  // neither positive nor calculates is tested as soon as it is decided.
  void choose(size_t place) {
    for (const size_t test : tests_[place]) {
      if (!satisfied(rule_.body[test], test, choice_, world_)) return;
    }
    if (place == rule_.body.size()) return finish();
    if (rule_.body[place].kind != Literal::Kind::kPositive) return choose(place + 1);
    const Atom& atom = rule_.body[place].atom;
    for (const Tuple* tuple : candidates(atom, choice_.binding, world_)) {
      step(world_);
      std::vector<std::string> bound;
      if (match(atom, *tuple, choice_.binding, bound)) {
        choice_.facts[place] = tuple;
        choose(place + 1);
      }
      for (const std::string& name : bound) choice_.binding.erase(name);
    }
  }

  void finish() {
    try {
      if (!fires(choice_)) return;
      Row row{location_, {}};
      for (const Term& arg : rule_.head.args) row.columns.push_back(value_of(arg, choice_.binding));
      std::multiset<Ground>& grounds = rows_[std::move(row)];
      if (world_.grounds) grounds.insert(ground_of(rule_, choice_, world_));
    } catch (const Failure& failure) {
      world_.failures.insert(failure);
    }
  }

  // What cannot fail at run time holds; now what calculates. That the head may exist counts as the
  // last literal of the body.
  bool fires(const Choice& choice) {
    const bool calculated = !rule_.head.args.empty() && is_expression(rule_.head.args[0]);
    return (calculated || may_exist(choice)) && calculations_satisfied(rule_, choice, world_) &&
           may_exist(choice);
  }

  // Nothing comes to exist at a node that has stopped by then. Messages are sent nevertheless (and
  // lost); an aggregate's value is not known yet.
  bool may_exist(const Choice& choice) {
    const Atom& head = rule_.head;
    if (rule_.placeless) return true;
    if (head.args.empty() || head.time.kind == TimeSuffix::Kind::kAsync) return true;
    if (head.args[0].kind == Term::Kind::kAggregate) return true;
    const bool later = head.time.kind == TimeSuffix::Kind::kNext;
    const std::set<NodeName>& stopped = later ? world_.stopped_later : world_.stopped;
    const Datum first = value_of(head.args[0], choice.binding);
    const auto* name = std::get_if<std::string>(&first);
    return name == nullptr || !stopped.contains(*name);
  }

  const Clause& rule_;
  World& world_;
  std::vector<std::vector<size_t>> tests_;  // by place: what is decided before it
  std::optional<NodeName> location_;
  Choice choice_;
  Rows rows_;
};

// ---- Aggregates ----

// Overflow is a matter of the result, not of the order in which it is added up.
__extension__ using Wide = __int128;

Datum sum_of(const std::vector<Datum>& column, const Term& term, bool exact) {
  Wide sum = 0;
  for (const Datum& value : column) {
    if (exact || std::holds_alternative<int64_t>(value)) sum += integer_of(value, term);
  }
  const bool fits = sum >= INT64_MIN && sum <= INT64_MAX;
  if (exact && !fits) throw Failure{"integer-overflow", term.span};
  return static_cast<int64_t>(sum);
}

Datum aggregate(const std::vector<Datum>& column, const Term& term, bool exact) {
  switch (term.function) {
    case AggregateFunction::kCount:
      return static_cast<int64_t>(column.size());
    case AggregateFunction::kSum:
      return sum_of(column, term, exact);
    case AggregateFunction::kMin:
      return *std::ranges::min_element(column);
    case AggregateFunction::kMax:
      return *std::ranges::max_element(column);
  }
  CHECK(false, "there are four aggregates");
}

bool is_aggregate(const Term& term) { return term.kind == Term::Kind::kAggregate; }

Tuple aggregate_group(const Clause& rule, const Tuples& group, bool exact) {
  Tuple result = group.begin()->first;
  for (size_t i = 0; i < result.size(); ++i) {
    if (!is_aggregate(rule.head.args[i])) continue;
    std::vector<Datum> column;
    column.reserve(group.size());
    for (const auto& [tuple, grounds] : group) column.push_back(tuple[i]);
    result[i] = aggregate(column, rule.head.args[i], exact);
  }
  return result;
}

Ground joint_ground(const Tuples& group) {
  Ground joint;
  for (const auto& [tuple, grounds] : group) {
    for (const Ground& ground : grounds) {
      joint.used.insert(ground.used.begin(), ground.used.end());
      joint.absent.insert(ground.absent.begin(), ground.absent.end());
    }
  }
  return joint;
}

}  // namespace

Rows rows_of(const Clause& rule, World& world) { return RowFinder(rule, world).find(); }

namespace {

Tuple key_of(const std::vector<size_t>& columns, const Tuple& tuple) {
  Tuple key;
  for (const size_t column : columns) key.push_back(tuple[column]);
  return key;
}

}  // namespace

bool Extent::insert(const Tuple& tuple) {
  const auto [at, is_new] = all_.insert(tuple);
  if (!is_new) return false;
  for (auto& [columns, index] : by_columns_) index[key_of(columns, tuple)].push_back(&*at);
  return true;
}

size_t Extent::Hash::operator()(const Tuple& tuple) const {
  size_t hash = tuple.size();
  for (const Datum& value : tuple) hash = hash * 1'000'003 + std::hash<Datum>()(value);
  return hash;
}

const std::vector<const Tuple*>& Extent::with(const std::vector<size_t>& columns,
                                              const Tuple& values) {
  static const std::vector<const Tuple*> kNone;
  auto [at, is_new] = by_columns_.try_emplace(columns);
  if (is_new) {
    for (const Tuple& tuple : all_) at->second[key_of(columns, tuple)].push_back(&tuple);
  }
  const auto found = at->second.find(values);
  return found == at->second.end() ? kNone : found->second;
}

Tuple group_key(const Clause& rule, const Tuple& tuple) {
  Tuple key;
  for (size_t i = 0; i < tuple.size(); ++i) {
    if (!is_aggregate(rule.head.args[i])) key.push_back(tuple[i]);
  }
  return key;
}

bool has_aggregate(const Clause& rule) { return std::ranges::any_of(rule.head.args, is_aggregate); }

Tuples head_tuples(const Clause& rule, const Rows& rows, std::set<Failure>* failures) {
  Tuples distinct;
  for (const auto& [row, grounds] : rows) {
    distinct[row.columns].insert(grounds.begin(), grounds.end());
  }
  if (!has_aggregate(rule)) return distinct;

  std::map<Tuple, Tuples> groups;
  for (const auto& [tuple, grounds] : distinct) groups[group_key(rule, tuple)][tuple] = grounds;
  Tuples result;
  for (const auto& [key, group] : groups) {
    try {
      result[aggregate_group(rule, group, failures != nullptr)] = {joint_ground(group)};
    } catch (const Failure& failure) {
      failures->insert(failure);
    }
  }
  return result;
}

}  // namespace clew::twin
