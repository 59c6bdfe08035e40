#include "datalog/join.h"

#include <algorithm>

namespace clew::datalog {

void Joiner::prepare(const Plan& plan) {
  const Rule& rule = database_.rules.rules[plan.rule];
  slots_.resize(std::max<size_t>(slots_.size(), plan.slots));
  keys_.resize(std::max<size_t>(keys_.size(), plan.key_values));
  head_.resize(std::max<size_t>(head_.size(), rule.head_args.size()));
  used_.resize(std::max<size_t>(used_.size(), rule.body.size()));
}

std::optional<EvaluationError> Joiner::run(const Plan& plan) {
  plan_ = &plan;
  rule_ = &database_.rules.rules[plan.rule];
  used_count_ = plan.positives;
  if (match(0)) return std::nullopt;
  error_.rule = plan.rule;
  return error_;
}

bool Joiner::match(size_t at) {
  if (at == plan_->steps.size()) return derive();
  const Step& step = plan_->steps[at];
  switch (step.kind) {
    case Step::Kind::kScan:
      return scan(step, at + 1);
    case Step::Kind::kLookup:
      return look_up(step, at + 1);
    case Step::Kind::kContains:
      return contains(step, at + 1);
    case Step::Kind::kAbsent:
      return exists(step) || match(at + 1);
    case Step::Kind::kTest:
      return test(step, at + 1);
    case Step::Kind::kAssign:
      return assign(step, at + 1);
  }
  return true;
}

Row Joiner::range_begin(const Step& step, const Relation& relation) const {
  return step.range == Step::Range::kDelta ? database_.delta_begin[step.relation]
                                           : relation.begin();
}

Row Joiner::range_end(const Step& step, const Relation& relation) const {
  if (step.range == Step::Range::kOld) return database_.delta_begin[step.relation];
  return step.recursive ? database_.delta_end[step.relation] : relation.end();
}

// True if the repeated columns agree; binds the step's slots on the way.
bool Joiner::matches(const Step& step, const Value* tuple) {
  for (const ColumnSlot& bind : step.binds) slots_[bind.slot] = tuple[bind.column];
  for (const ColumnSlot& repeat : step.repeats) {
    if (tuple[repeat.column] != slots_[repeat.slot]) return false;
  }
  return true;
}

bool Joiner::accept(const Step& step, const Value* tuple) {
  for (const ColumnSource& check : step.checks) {
    if (tuple[check.column] != value(check.source)) return false;
  }
  return matches(step, tuple);
}

bool Joiner::scan(const Step& step, size_t next) {
  const Relation& relation = database_.relations[step.relation];
  const Row begin = range_begin(step, relation);
  const Row end = range_end(step, relation);
  database_.watch.look(end - begin);
  for (Row row = begin; row < end; ++row) {
    if (!accept(step, relation.tuple(row))) continue;
    used_[step.position] = row;
    if (!match(next)) return false;
  }
  return true;
}

const Value* Joiner::fill_key(const Step& step) {
  Value* key = keys_.data() + step.key_offset;
  for (size_t i = 0; i < step.key.size(); ++i) key[i] = value(step.key[i]);
  return key;
}

bool Joiner::look_up(const Step& step, size_t next) {
  Relation& relation = database_.relations[step.relation];
  const Value* key = fill_key(step);
  const Row end = range_end(step, relation);
  for (Row row = relation.first_match(step.index, key, end); row != kNoRow;
       row = relation.next_match(step.index, key, row, end)) {
    database_.watch.look();
    if (!matches(step, relation.tuple(row))) continue;
    used_[step.position] = row;
    if (!match(next)) return false;
  }
  return true;
}

bool Joiner::contains(const Step& step, size_t next) {
  const Relation& relation = database_.relations[step.relation];
  const Row row = relation.find(fill_key(step));
  if (row == kNoRow || row >= range_end(step, relation)) return true;
  used_[step.position] = row;
  return match(next);
}

bool Joiner::exists(const Step& step) {
  Relation& relation = database_.relations[step.relation];
  const Value* key = fill_key(step);
  if (step.whole_key) return relation.find(key) != kNoRow;
  const Row end = relation.end();
  if (step.key.empty()) {
    database_.watch.look(end - relation.begin());
    for (Row row = relation.begin(); row < end; ++row) {
      if (matches(step, relation.tuple(row))) return true;
    }
    return false;
  }
  for (Row row = relation.first_match(step.index, key, end); row != kNoRow;
       row = relation.next_match(step.index, key, row, end)) {
    database_.watch.look();
    if (matches(step, relation.tuple(row))) return true;
  }
  return false;
}

bool Joiner::test(const Step& step, size_t next) {
  std::optional<Value> left = evaluate(step.left, slots_.data(), database_.values, error_);
  if (!left) return false;
  std::optional<Value> right = evaluate(step.right, slots_.data(), database_.values, error_);
  if (!right) return false;
  return !holds(step.comparison, *left, *right, database_.values) || match(next);
}

bool Joiner::assign(const Step& step, size_t next) {
  std::optional<Value> result = evaluate(step.right, slots_.data(), database_.values, error_);
  if (!result) return false;
  slots_[step.left.slot] = *result;
  return match(next);
}

bool Joiner::derive() {
  for (size_t i = 0; i < rule_->head_args.size(); ++i) {
    const Expression& arg = rule_->head_args[i];
    if (arg.kind == Expression::Kind::kSlot) {
      head_[i] = slots_[arg.slot];
      continue;
    }
    std::optional<Value> result = evaluate(arg, slots_.data(), database_.values, error_);
    if (!result) return false;
    head_[i] = *result;
  }
  if (database_.derive(plan_->rule, head_.data(), {used_.data(), used_count_})) return true;
  error_.kind = EvaluationError::Kind::kTooManyRows;
  error_.place = rule_->place;
  return false;
}

}  // namespace clew::datalog
