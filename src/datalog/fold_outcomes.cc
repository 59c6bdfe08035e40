// Every fold that a group could have if some of its rows might be missing.
#include <algorithm>
#include <set>

#include "datalog/aggregate.h"

namespace clew::datalog {

namespace {

constexpr size_t kMostSums = 4096;

std::vector<Value> possible_counts(size_t rows, const std::vector<bool>& certain,
                                   ValueTable& values) {
  auto least = static_cast<size_t>(std::ranges::count(certain, true));
  std::vector<Value> all;
  for (size_t count = std::max<size_t>(least, 1); count <= rows; ++count) {
    all.push_back(values.integer(static_cast<int64_t>(count)));
  }
  return all;
}

// The values that no certain row outdoes.
std::vector<Value> possible_extremes(int sign, std::span<const Value> rows,
                                     const std::vector<bool>& certain, const ValueTable& values,
                                     Watch& watch) {
  std::vector<Value> all;
  for (const Value value : rows) {
    watch.look(rows.size());
    bool outdone = false;
    for (size_t i = 0; i < rows.size() && !outdone; ++i) {
      outdone = certain[i] && values.compare(rows[i], value) * sign > 0;
    }
    if (!outdone && std::ranges::find(all, value) == all.end()) all.push_back(value);
  }
  return all;
}

std::optional<std::vector<Value>> possible_sums(std::span<const Value> rows,
                                                const std::vector<bool>& certain,
                                                ValueTable& values, EvaluationError& error,
                                                Watch& watch) {
  std::set<int64_t> sums = {0};
  for (size_t i = 0; i < rows.size(); ++i) {
    watch.look(sums.size());
    error.kind = EvaluationError::Kind::kWrongType;
    if (!values.is_integer(rows[i])) return std::nullopt;
    std::set<int64_t> with;
    for (const int64_t sum : sums) {
      int64_t total = 0;
      error.kind = EvaluationError::Kind::kOverflow;
      if (__builtin_add_overflow(sum, values.number(rows[i]), &total)) return std::nullopt;
      with.insert(total);
    }
    if (!certain[i]) with.insert(sums.begin(), sums.end());
    sums = std::move(with);
    error.kind = EvaluationError::Kind::kTooManyRows;
    if (sums.size() > kMostSums) return std::nullopt;
  }
  std::vector<Value> all;
  all.reserve(sums.size());
  for (const int64_t sum : sums) all.push_back(values.integer(sum));
  return all;
}

}  // namespace

std::optional<std::vector<Value>> fold_outcomes(Fold fold, std::span<const Value> rows,
                                                const std::vector<bool>& certain,
                                                ValueTable& values, EvaluationError& error,
                                                Watch& watch) {
  switch (fold) {
    case Fold::kGroup:
      return std::vector<Value>{rows[0]};
    case Fold::kCount:
      return possible_counts(rows.size(), certain, values);
    case Fold::kMin:
      return possible_extremes(-1, rows, certain, values, watch);
    case Fold::kMax:
      return possible_extremes(1, rows, certain, values, watch);
    case Fold::kSum:
      break;
  }
  return possible_sums(rows, certain, values, error, watch);
}

std::optional<EvaluationError> Aggregator::fold_outcomes(RuleId id, const Relation& source,
                                                         std::span<const Row> members) {
  const Rule& rule = database_.rules.rules[id];
  const Relation& sure = database_.relations[*rule.at_least];
  std::vector<bool> certain;
  certain.reserve(members.size());
  for (const Row row : members) certain.push_back(sure.find(source.tuple(row)) != kNoRow);
  outcomes_.clear();
  EvaluationError error{EvaluationError::Kind::kOverflow, 0, id};
  for (uint32_t column = 0; column < rule.folds.size(); ++column) {
    std::vector<Value> values;
    values.reserve(members.size());
    for (const Row row : members) values.push_back(source.tuple(row)[column]);
    error.place = rule.fold_places[column];
    auto all = datalog::fold_outcomes(rule.folds[column], values, certain, database_.values, error,
                                      database_.watch);
    if (!all) return error;
    outcomes_.push_back(std::move(*all));
  }
  head_.resize(rule.folds.size());
  if (derive_outcomes(id, 0, members)) return std::nullopt;
  error.kind = EvaluationError::Kind::kTooManyRows;
  error.place = rule.place;
  return error;
}

// All combinations of the columns' outcomes from `column` on.
bool Aggregator::derive_outcomes(RuleId id, size_t column, std::span<const Row> members) {
  if (column == outcomes_.size()) {
    database_.watch.look(members.size());
    return database_.derive(id, head_.data(), members);
  }
  for (const Value value : outcomes_[column]) {
    head_[column] = value;
    if (!derive_outcomes(id, column + 1, members)) return false;
  }
  return true;
}

}  // namespace clew::datalog
