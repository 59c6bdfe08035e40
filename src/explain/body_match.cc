#include "explain/body_match.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/watched.h"
#include "dedalus/print.h"

namespace clew::explain {

using clew::to_string;

namespace {

using dedalus::Atom;
using dedalus::Literal;
using dedalus::Op;
using dedalus::Term;

constexpr size_t kMostMatches = 16;

bool calculates(const Term& term) {
  return term.kind == Term::Kind::kBinary && !dedalus::is_comparison(term.op);
}

bool calculates(const Literal& literal) {
  const std::vector<Term>& terms =
      literal.kind == Literal::Kind::kCondition ? literal.condition.operands : literal.atom.args;
  return std::ranges::any_of(terms, [](const Term& term) { return calculates(term); });
}

void add_variables(const Term& term, std::set<std::string>& names) {
  if (term.kind == Term::Kind::kVariable) names.insert(term.text);
  for (const Term& operand : term.operands) add_variables(operand, names);
}

}  // namespace

std::optional<Datum> value_of(const Term& term, const Binding& binding) {
  switch (term.kind) {
    case Term::Kind::kString:
      return term.text;
    case Term::Kind::kInteger:
      return term.integer;
    case Term::Kind::kVariable:
    case Term::Kind::kAggregate: {
      const auto at = binding.find(term.text);
      return at == binding.end() ? std::nullopt : std::optional(at->second);
    }
    case Term::Kind::kWildcard:
      return std::nullopt;
    case Term::Kind::kBinary:
      break;
  }
  const std::optional<Datum> left = value_of(term.operands[0], binding);
  const std::optional<Datum> right = value_of(term.operands[1], binding);
  if (!left || !right) return std::nullopt;
  const auto* a = std::get_if<int64_t>(&*left);
  const auto* b = std::get_if<int64_t>(&*right);
  if (a != nullptr && b != nullptr) {
    const std::variant<int64_t, ArithmeticError> result = calculate(to_operator(term.op), *a, *b);
    const auto* number = std::get_if<int64_t>(&result);
    return number != nullptr ? std::optional<Datum>(*number) : std::nullopt;
  }
  if (a != nullptr || b != nullptr || term.op != Op::kAdd) return std::nullopt;
  return std::get<std::string>(*left) + std::get<std::string>(*right);
}

BodyMatch::BodyMatch(const dedalus::Clause& rule, const Run& run) : rule_(rule), run_(run) {
  order_steps();
}

void BodyMatch::order_steps() {
  std::set<std::string> positive;  // variables that facts give a value
  const dedalus::Location location = dedalus::location_of(rule_);
  if (location.kind == dedalus::Location::Kind::kVariable) positive.insert(location.text);
  std::set<std::string> known = positive;
  for (const Literal& literal : rule_.body) {
    if (literal.kind != Literal::Kind::kPositive) continue;
    for (const Term& arg : literal.atom.args) {
      if (arg.kind == Term::Kind::kVariable) positive.insert(arg.text);
    }
  }
  std::vector<bool> placed(rule_.body.size());
  auto add_tests = [&] {
    for (size_t i = 0; i < rule_.body.size(); ++i) {
      const Literal& literal = rule_.body[i];
      if (placed[i] || literal.kind == Literal::Kind::kPositive || calculates(literal)) continue;
      std::set<std::string> needed;
      for (const Term& arg : literal.atom.args) add_variables(arg, needed);
      add_variables(literal.condition, needed);
      const bool ready = std::ranges::all_of(needed, [&](const std::string& name) {
        return known.contains(name) || !positive.contains(name);
      });
      placed[i] = ready;
      if (ready) steps_.push_back({Step::Kind::kTest, i});
    }
  };
  add_tests();
  for (size_t i = 0; i < rule_.body.size(); ++i) {
    if (rule_.body[i].kind != Literal::Kind::kPositive) continue;
    steps_.push_back({Step::Kind::kMatch, i});
    for (const Term& arg : rule_.body[i].atom.args) {
      if (arg.kind == Term::Kind::kVariable) known.insert(arg.text);
    }
    add_tests();
  }
  for (size_t i = 0; i < rule_.body.size(); ++i) {
    if (calculates(rule_.body[i])) steps_.push_back({Step::Kind::kCalculate, i});
  }
}

bool BodyMatch::bind_head(const Pattern& head, Binding& binding) const {
  for (size_t i = 0; i < head.columns.size(); ++i) {
    const Term& arg = rule_.head.args[i];
    const std::optional<Datum>& column = head.columns[i];
    if (!column) continue;
    if (arg.kind == Term::Kind::kVariable) {
      const auto [at, is_new] = binding.emplace(arg.text, *column);
      if (!is_new && at->second != *column) return false;
    }
    const bool constant = arg.kind == Term::Kind::kString || arg.kind == Term::Kind::kInteger;
    if (constant && value_of(arg, binding) != column) return false;
  }
  return true;
}

std::optional<BodyMatch::Result> BodyMatch::furthest(const Pattern& head, Tick tick,
                                                     size_t most_work) {
  look(1 + steps_.size());
  work_done_ = 0;
  most_work_ = most_work;
  if (head.columns.size() != rule_.head.args.size()) return std::nullopt;
  Binding binding;
  if (!bind_head(head, binding)) return std::nullopt;
  tick_ = tick;
  result_ = {};
  failed_ = false;
  chosen_.clear();
  met_.clear();
  if (std::optional<Obstacle> obstacle = not_yet(tick)) {
    result_.obstacle = std::move(*obstacle);
    return result_;
  }
  place(std::move(binding));
  const bool exhausted = work_done_ == most_work_;
  if (result_.matches.empty() && (exhausted || !failed_)) {
    result_.reached = 0;
    result_.met.clear();
    result_.obstacle.kind = Obstacle::Kind::kGaveUp;
    result_.obstacle.text = "there are too many combinations of facts to try";
  }
  return result_;
}

std::optional<BodyMatch::Obstacle> BodyMatch::not_yet(Tick tick) const {
  for (const Literal& literal : rule_.body) {
    const dedalus::TimeSuffix& time = literal.atom.time;
    const bool fixed =
        literal.kind != Literal::Kind::kCondition && time.kind == dedalus::TimeSuffix::Kind::kAt;
    if (!fixed || (time.tick >= 1 && time.tick <= tick)) continue;
    Obstacle obstacle;
    obstacle.kind = Obstacle::Kind::kTooEarly;
    obstacle.text = fmt::format("{} cannot be read at tick {}", dedalus::print(literal.atom), tick);
    return obstacle;
  }
  return std::nullopt;
}

bool BodyMatch::is_alive(const NodeName& node) const {
  return std::ranges::binary_search(run_.scenario.nodes, node) &&
         !has_stopped(run_.scenario, node, tick_);
}

BodyMatch::Obstacle BodyMatch::not_there(const Datum& place) const {
  Obstacle obstacle;
  obstacle.kind = Obstacle::Kind::kPlace;
  const auto* name = std::get_if<std::string>(&place);
  const bool node = name != nullptr && std::ranges::binary_search(run_.scenario.nodes, *name);
  obstacle.text =
      node ? fmt::format("{} has stopped by tick {}", *name, tick_)
           : fmt::format("the rule never fires at {}, which is not a node", to_string(place));
  return obstacle;
}

// Tries every node where the rule may fire.
void BodyMatch::place(Binding binding) {
  const dedalus::Location location = dedalus::location_of(rule_);
  std::vector<NodeName> alive;
  for (const NodeName& node : run_.scenario.nodes) {
    if (is_alive(node)) alive.push_back(node);
  }
  using Kind = dedalus::Location::Kind;
  if (location.kind == Kind::kNowhere) {
    Obstacle obstacle;
    obstacle.kind = Obstacle::Kind::kPlace;
    obstacle.text = "the rule never fires: an integer stands where its node should be";
    return fail(0, std::move(obstacle));
  }
  if (location.kind == Kind::kAny) {
    binding_ = std::move(binding);
    location_.reset();
    return go(0);
  }
  if (alive.empty()) return fail(0, not_there(run_.scenario.nodes.front()));
  std::optional<Datum> fixed;
  if (location.kind == Kind::kConstant) fixed = location.text;
  if (const auto at = binding.find(location.text);
      location.kind == Kind::kVariable && at != binding.end()) {
    fixed = at->second;
  }
  if (fixed) {
    const auto* name = std::get_if<std::string>(&*fixed);
    if (name == nullptr || !is_alive(*name)) return fail(0, not_there(*fixed));
    alive = {*name};
  }
  for (const NodeName& node : alive) {
    binding_ = binding;
    location_ = node;
    if (location.kind == Kind::kVariable) binding_[location.text] = node;
    go(0);
  }
}

void BodyMatch::fail(size_t step, Obstacle obstacle) {
  if (!result_.matches.empty() || (failed_ && step <= result_.reached)) return;
  failed_ = true;
  result_.reached = step;
  result_.met = met_;
  result_.obstacle = std::move(obstacle);
}

void BodyMatch::go(size_t step) {
  if (step == steps_.size()) {
    if (result_.matches.size() < kMostMatches) {
      result_.matches.push_back({binding_, location_, met_});
    }
    return;
  }
  const Literal& literal = rule_.body[steps_[step].literal];
  if (steps_[step].kind == Step::Kind::kMatch) return match(step);
  const bool positive = literal.kind == Literal::Kind::kPositive;
  std::optional<Obstacle> obstacle =
      positive ? test_expressions(steps_[step].literal) : test(literal);
  if (obstacle) return fail(step, std::move(*obstacle));
  go(step + 1);
}

Tick BodyMatch::tick_of(const Atom& atom) const {
  const bool fixed = atom.time.kind == dedalus::TimeSuffix::Kind::kAt;
  return fixed ? static_cast<Tick>(atom.time.tick) : tick_;
}

void BodyMatch::match(size_t step) {
  const size_t index = steps_[step].literal;
  const Atom& atom = rule_.body[index].atom;
  const Tick tick = tick_of(atom);
  const Pattern pattern = pattern_of(atom);
  bool found = false;
  for (const Fact& fact : find_candidates(pattern, run_.facts[static_cast<size_t>(tick - 1)])) {
    if (result_.matches.size() == kMostMatches || !spend()) return;
    if (!matches(pattern, fact)) continue;
    std::vector<std::string> bound;
    const bool fits = match_fact(atom, fact, bound);
    if (fits) {
      found = true;
      chosen_[index] = &fact;
      met_.push_back({fact, tick});
      go(step + 1);
      met_.pop_back();
    }
    for (const std::string& name : bound) binding_.erase(name);
  }
  if (found) return;
  Obstacle obstacle;
  obstacle.kind = Obstacle::Kind::kMissing;
  obstacle.pattern = pattern;
  obstacle.tick = tick;
  obstacle.exact = !repeats_free_variable(atom);
  obstacle.text = fmt::format("there is no {}@{}",
                              obstacle.exact ? to_string(pattern) : dedalus::print(atom), tick);
  fail(step, std::move(obstacle));
}

bool BodyMatch::spend() {
  look();
  if (work_done_ == most_work_) return false;
  ++work_done_;
  return true;
}

bool BodyMatch::match_fact(const Atom& atom, const Fact& fact, std::vector<std::string>& bound) {
  for (size_t i = 0; i < fact.values.size(); ++i) {
    const Term& arg = atom.args[i];
    if (arg.kind != Term::Kind::kVariable) continue;  // the pattern has seen to constants
    const auto [at, is_new] = binding_.emplace(arg.text, fact.values[i]);
    if (is_new) bound.push_back(arg.text);
    if (at->second != fact.values[i]) return false;
  }
  return true;
}

// Plain arguments only: what is calculated is compared at the end.
Pattern BodyMatch::pattern_of(const Atom& atom) const {
  Pattern pattern{atom.relation, {}};
  for (const Term& arg : atom.args) {
    pattern.columns.push_back(calculates(arg) ? std::nullopt : value_of(arg, binding_));
  }
  return pattern;
}

bool BodyMatch::repeats_free_variable(const Atom& atom) const {
  std::set<std::string> free;
  return std::ranges::any_of(atom.args, [&](const Term& arg) {
    return arg.kind == Term::Kind::kVariable && !binding_.contains(arg.text) &&
           !free.insert(arg.text).second;
  });
}

std::optional<BodyMatch::Obstacle> BodyMatch::test(const Literal& literal) {
  return literal.kind == Literal::Kind::kNegative ? test_absence(literal) : test_condition(literal);
}

std::optional<BodyMatch::Obstacle> BodyMatch::test_absence(const Literal& literal) {
  const Tick tick = tick_of(literal.atom);
  Pattern pattern = pattern_of(literal.atom);
  Obstacle obstacle;
  obstacle.tick = tick;
  for (size_t i = 0; i < pattern.columns.size(); ++i) {
    const Term& arg = literal.atom.args[i];
    if (!calculates(arg)) continue;
    pattern.columns[i] = value_of(arg, binding_);
    if (pattern.columns[i]) continue;
    obstacle.kind = Obstacle::Kind::kCondition;
    obstacle.text = fmt::format("{} cannot be calculated", dedalus::print(arg));
    return obstacle;
  }
  for (const Fact& fact : find_candidates(pattern, run_.facts[static_cast<size_t>(tick - 1)])) {
    if (!spend()) {
      obstacle.kind = Obstacle::Kind::kGaveUp;
      return obstacle;
    }
    if (!matches(pattern, fact)) continue;
    Binding scratch = binding_;
    bool fits = true;
    for (size_t i = 0; i < fact.values.size(); ++i) {
      const Term& arg = literal.atom.args[i];
      if (arg.kind != Term::Kind::kVariable) continue;
      fits &= scratch.emplace(arg.text, fact.values[i]).first->second == fact.values[i];
    }
    if (!fits) continue;
    obstacle.kind = Obstacle::Kind::kPresent;
    obstacle.present = fact;
    obstacle.text = fmt::format("there is {}@{}", to_string(fact), tick);
    return obstacle;
  }
  return std::nullopt;
}

std::optional<BodyMatch::Obstacle> BodyMatch::test_condition(const Literal& literal) const {
  const std::optional<Datum> left = value_of(literal.condition.operands[0], binding_);
  const std::optional<Datum> right = value_of(literal.condition.operands[1], binding_);
  Obstacle obstacle;
  obstacle.kind = Obstacle::Kind::kCondition;
  if (!left || !right) {
    obstacle.text = fmt::format("{} cannot be calculated", dedalus::print(literal.condition));
    return obstacle;
  }
  if (holds_for(to_comparison(literal.condition.op), *left <=> *right)) return std::nullopt;
  obstacle.text = fmt::format("{} does not hold: {} {} {}", dedalus::print(literal.condition),
                              to_string(*left), symbol(literal.condition.op), to_string(*right));
  return obstacle;
}

std::optional<BodyMatch::Obstacle> BodyMatch::test_expressions(size_t literal) const {
  const Atom& atom = rule_.body[literal].atom;
  const Fact& fact = *chosen_.at(literal);
  for (size_t i = 0; i < atom.args.size(); ++i) {
    if (!calculates(atom.args[i])) continue;
    const std::optional<Datum> value = value_of(atom.args[i], binding_);
    if (value == fact.values[i]) continue;
    Obstacle obstacle;
    obstacle.kind = Obstacle::Kind::kCondition;
    obstacle.text = value ? fmt::format("{} is {}, not {}", dedalus::print(atom.args[i]),
                                        to_string(*value), to_string(fact.values[i]))
                          : fmt::format("{} cannot be calculated", dedalus::print(atom.args[i]));
    return obstacle;
  }
  return std::nullopt;
}

}  // namespace clew::explain
