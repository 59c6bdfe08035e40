#include "datalog/aggregate.h"

#include <utility>

namespace clew::datalog {

namespace {

using Kind = EvaluationError::Kind;

uint32_t hash_group(const std::vector<Fold>& folds, const Value* tuple) {
  uint64_t hash = 0;
  for (size_t i = 0; i < folds.size(); ++i) {
    if (folds[i] == Fold::kGroup) hash = mix(hash, tuple[i]);
  }
  return finish(hash);
}

bool same_group(const std::vector<Fold>& folds, const Value* a, const Value* b) {
  for (size_t i = 0; i < folds.size(); ++i) {
    if (folds[i] == Fold::kGroup && a[i] != b[i]) return false;
  }
  return true;
}

}  // namespace

void Aggregator::forget() {
  for (RowTable& table : tables_) table.clear();
}

std::optional<EvaluationError> Aggregator::run(RuleId id) {
  const Rule& rule = database_.rules.rules[id];
  const Relation& source = database_.relations[rule.body[0].relation];
  if (source.empty()) return std::nullopt;
  group(id, source);
  uint32_t begin = 0;
  for (const uint32_t end : ends_) {
    const std::span<const Row> members{members_.data() + begin, end - begin};
    database_.watch.look(members.size());
    auto error =
        rule.at_least ? fold_outcomes(id, source, members) : fold_group(id, source, members);
    if (error) return error;
    begin = end;
  }
  return std::nullopt;
}

// Numbers the groups by their first rows, then sorts the rows by group, keeping their order.
void Aggregator::group(RuleId id, const Relation& source) {
  const std::vector<Fold>& folds = database_.rules.rules[id].folds;
  tables_.resize(database_.rules.rules.size());
  const Row begin = source.begin();
  const Row count = source.end() - begin;
  database_.watch.look(count);
  tables_[id].reserve(count);
  group_of_.resize(count);
  ends_.clear();
  for (Row row = begin; row < source.end(); ++row) {
    const Value* tuple = source.tuple(row);
    uint32_t& slot = tables_[id].slot(hash_group(folds, tuple), begin, [&](Row other) {
      return same_group(folds, source.tuple(other), tuple);
    });
    if (slot <= begin) {
      slot = row + 1;
      group_of_[row - begin] = static_cast<uint32_t>(ends_.size());
      ends_.push_back(0);
    }
    group_of_[row - begin] = group_of_[slot - 1 - begin];
    ++ends_[group_of_[row - begin]];
  }
  uint32_t before = 0;
  for (uint32_t& end : ends_) before = std::exchange(end, before) + before;
  members_.resize(count);
  for (Row row = begin; row < source.end(); ++row) {
    members_[ends_[group_of_[row - begin]]++] = row;
  }
}

std::optional<EvaluationError> Aggregator::fold_group(RuleId id, const Relation& source,
                                                      std::span<const Row> members) {
  const Rule& rule = database_.rules.rules[id];
  EvaluationError error{Kind::kOverflow, 0, id};
  head_.resize(rule.folds.size());
  for (uint32_t column = 0; column < rule.folds.size(); ++column) {
    error.place = rule.fold_places[column];
    std::optional<Value> value = fold(rule.folds[column], column, source, members, error);
    if (!value) return error;
    head_[column] = *value;
  }
  if (database_.derive(id, head_.data(), members)) return std::nullopt;
  error.kind = Kind::kTooManyRows;
  error.place = rule.place;
  return error;
}

std::optional<Value> Aggregator::fold(Fold fold, uint32_t column, const Relation& source,
                                      std::span<const Row> members, EvaluationError& error) {
  ValueTable& values = database_.values;
  if (fold == Fold::kCount) return values.integer(static_cast<int64_t>(members.size()));
  if (fold == Fold::kSum) return sum(column, source, members, error);
  Value result = source.tuple(members[0])[column];
  if (fold == Fold::kGroup) return result;
  for (const Row row : members) {
    const Value other = source.tuple(row)[column];
    const int order = values.compare(other, result);
    if (fold == Fold::kMin ? order < 0 : order > 0) result = other;
  }
  return result;
}

std::optional<Value> Aggregator::sum(uint32_t column, const Relation& source,
                                     std::span<const Row> members, EvaluationError& error) {
  // Wide enough for any number of rows, so that only the total has to fit.
  __extension__ __int128 total = 0;
  for (const Row row : members) {
    const Value value = source.tuple(row)[column];
    if (!database_.values.is_integer(value)) {
      error.kind = Kind::kWrongType;
      return std::nullopt;
    }
    total += database_.values.number(value);
  }
  error.kind = Kind::kOverflow;
  if (total < INT64_MIN || total > INT64_MAX) return std::nullopt;
  return database_.values.integer(static_cast<int64_t>(total));
}

}  // namespace clew::datalog
