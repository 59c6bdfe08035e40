#include "verify/match.h"

#include <algorithm>

#include "base/watched.h"
#include "dedalus/print.h"
#include "verify/refusal.h"

namespace clew::verify {

namespace {

using dedalus::Literal;
using dedalus::Location;
using Kind = Argument::Kind;

constexpr uint64_t kMostSteps = 300'000'000;

// Ticks begin at 1, and reading tick N waits for tick N.
bool has_begun(const Rule& rule, Tick tick) {
  return std::ranges::all_of(rule.body, [&](const Element& element) {
    return !element.at || (*element.at >= 1 && *element.at <= tick);
  });
}

}  // namespace

void Matcher::all(const Rule& rule, Tick tick, const Each& each) {
  if (!has_begun(rule, tick)) return;
  rule_ = &rule;
  each_ = &each;
  tick_ = tick;
  binding_.assign(rule.slots.size(), kUnbound);
  chosen_.assign(rule.body.size(), 0);
  switch (rule.location.kind) {
    case Location::Kind::kNowhere:
      return;
    case Location::Kind::kAny:
      return at_location(std::nullopt, kTrue);
    case Location::Kind::kConstant:
      if (auto node = faults_.find(rule.location.text)) {
        at_location(node, faults_.fires(*node, tick));
      }
      return;
    case Location::Kind::kVariable:
      break;
  }
  const Slot slot = rule.slots.at(rule.location.text);
  for (NodeIndex node = 0; node < faults_.nodes(); ++node) {
    binding_[slot] = values_.intern(faults_.name(node));
    at_location(node, faults_.fires(node, tick));
  }
}

void Matcher::at_location(std::optional<NodeIndex> node, Lit fires) {
  match_.location = node;
  match_.used.clear();
  match_.needs = {fires};
  if (fires != kFalse) choose(0);
}

// Extends the choice by every possible fact that fits the element, and so on.
void Matcher::choose(size_t element) {
  while (element < rule_->body.size() && rule_->body[element].kind != Literal::Kind::kPositive) {
    ++element;
  }
  if (element == rule_->body.size()) return finish();
  const Element& atom = rule_->body[element];
  Tuple pattern;
  for (const Argument& arg : atom.args) {
    const bool slot = arg.kind == Kind::kSlot;
    const bool constant = arg.kind == Kind::kConstant;
    pattern.push_back(slot ? binding_[arg.slot] : constant ? arg.value : kUnbound);
  }
  for (const FactId fact : candidates(atom, pattern)) try_fact(element, fact);
}

const std::vector<FactId>& Matcher::candidates(const Element& element, const Tuple& pattern) {
  const Tick tick = tick_of(element);
  for (size_t column = 0; column < pattern.size(); ++column) {
    if (pattern[column] == kUnbound) continue;
    return facts_.with(element.relation, tick, column, pattern[column]);
  }
  return facts_.all(element.relation, tick);
}

void Matcher::step() {
  look();
  if (++steps_ > kMostSteps) refuse_program("grounding it takes too long");
}

void Matcher::try_fact(size_t element, FactId fact) {
  step();
  const Element& atom = rule_->body[element];
  const Tuple& tuple = facts_.at(fact).tuple;
  std::vector<Slot> bound;
  bool same = true;
  for (size_t i = 0; same && i < tuple.size(); ++i) {
    const Argument& arg = atom.args[i];
    if (arg.kind == Kind::kConstant) same = arg.value == tuple[i];
    if (arg.kind != Kind::kSlot) continue;
    ValueId& value = binding_[arg.slot];
    if (value == kUnbound) {
      bound.push_back(arg.slot);
      value = tuple[i];
    }
    same = value == tuple[i];
  }
  if (same) {
    chosen_[element] = fact;
    match_.used.push_back(fact);
    choose(element + 1);
    match_.used.pop_back();
  }
  for (const Slot slot : bound) binding_[slot] = kUnbound;
}

// First what cannot fail at run time, then what calculates, then the head.
void Matcher::finish() {
  const size_t needs = match_.needs.size();
  try {
    if (satisfied(false) && satisfied(true)) {
      match_.head.clear();
      for (const dedalus::Term& arg : rule_->clause->head.args) {
        match_.head.push_back(values_.intern(evaluate(arg, *rule_, binding_, values_)));
      }
      (*each_)(match_);
    }
  } catch (const Failure& failure) {
    refuse_program(fmt::format("at tick {} the rule `{}` could fail: {}", tick_,
                               dedalus::print(*rule_->clause), failure.what));
  }
  match_.needs.resize(needs);
}

bool Matcher::satisfied(bool calculating) {
  for (size_t element = 0; element < rule_->body.size(); ++element) {
    if (rule_->body[element].calculates == calculating && !satisfied(element)) return false;
  }
  return true;
}

bool Matcher::satisfied(size_t element) {
  const Element& part = rule_->body[element];
  switch (part.kind) {
    case Literal::Kind::kCondition:
      return holds(*part.condition, *rule_, binding_, values_);
    case Literal::Kind::kNegative:
      return may_be_absent(part);
    case Literal::Kind::kPositive:
      break;
  }
  return equals_expressions(part, facts_.at(chosen_[element]).tuple);
}

bool Matcher::equals_expressions(const Element& element, const Tuple& tuple) {
  for (size_t i = 0; i < tuple.size(); ++i) {
    const Argument& arg = element.args[i];
    if (arg.kind != Kind::kExpression) continue;
    if (evaluate(*arg.term, *rule_, binding_, values_) != values_.datum(tuple[i])) return false;
  }
  return true;
}

// Not if a matching fact is certain. Every other one must be false.
bool Matcher::may_be_absent(const Element& element) {
  const std::optional<Tuple> pattern = pattern_of(element);
  if (!pattern) return true;
  for (const FactId fact : candidates(element, *pattern)) {
    step();
    const PossibleFact& possible = facts_.at(fact);
    if (!fits(element, *pattern, possible.tuple)) continue;
    CHECK(possible.lit.has_value(), "a fact is negated before it is settled");
    if (*possible.lit == kTrue) return false;
    if (*possible.lit != kFalse) match_.needs.push_back(-*possible.lit);
  }
  return true;
}

// The values that a negated atom asks for; nothing if one of them occurs nowhere.
std::optional<Tuple> Matcher::pattern_of(const Element& element) {
  Tuple pattern;
  bool known = true;
  for (const Argument& arg : element.args) {
    ValueId value = kUnbound;
    if (arg.kind == Kind::kSlot) value = binding_[arg.slot];
    if (arg.kind == Kind::kConstant) value = arg.value;
    if (arg.kind == Kind::kExpression) {
      const auto found = values_.find(evaluate(*arg.term, *rule_, binding_, values_));
      known = known && found;
      value = found.value_or(kUnbound);
    }
    pattern.push_back(value);
  }
  if (!known) return std::nullopt;
  return pattern;
}

bool Matcher::fits(const Element& element, const Tuple& pattern, const Tuple& tuple) {
  locals_.assign(rule_->locals, kUnbound);
  for (size_t i = 0; i < tuple.size(); ++i) {
    if (pattern[i] != kUnbound && pattern[i] != tuple[i]) return false;
    if (element.args[i].kind != Kind::kLocal) continue;
    ValueId& value = locals_[element.args[i].slot];
    if (value == kUnbound) value = tuple[i];
    if (value != tuple[i]) return false;
  }
  return true;
}

Tick Matcher::tick_of(const Element& element) const {
  return element.at ? static_cast<Tick>(*element.at) : tick_;
}

}  // namespace clew::verify
