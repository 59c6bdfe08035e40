// Applies aggregating rules: groups the rows of one relation and folds each group into a tuple.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "datalog/database.h"

namespace clew::datalog {

class Aggregator {
 public:
  explicit Aggregator(Database& database) : database_(database) {}

  // Requires that the rule's source relation is complete. Groups come in the order of their first
  // rows.
  std::optional<EvaluationError> run(RuleId id);

  // To be called whenever rows have been taken back.
  void forget();

 private:
  void group(RuleId id, const Relation& source);
  std::optional<EvaluationError> fold_group(RuleId id, const Relation& source,
                                            std::span<const Row> members);
  std::optional<Value> fold(Fold fold, uint32_t column, const Relation& source,
                            std::span<const Row> members, EvaluationError& error);
  std::optional<Value> sum(uint32_t column, const Relation& source, std::span<const Row> members,
                           EvaluationError& error);
  // For Rule::at_least (fold_outcomes.cc).
  std::optional<EvaluationError> fold_outcomes(RuleId id, const Relation& source,
                                               std::span<const Row> members);
  bool derive_outcomes(RuleId id, size_t column, std::span<const Row> members);

  Database& database_;
  std::vector<RowTable> tables_;    // by rule: the first row of each group
  std::vector<uint32_t> group_of_;  // by row of the frame
  std::vector<uint32_t> ends_;      // by group: where it ends in members_
  std::vector<Row> members_;        // the rows, group by group
  std::vector<Value> head_;
  std::vector<std::vector<Value>> outcomes_;  // by column
};

// What folds of subsets of a group can come out to: of every non-empty set of `rows` that includes
// those marked in `certain`, by one column. Distinct; nothing if there are too many, or an error.
std::optional<std::vector<Value>> fold_outcomes(Fold fold, std::span<const Value> rows,
                                                const std::vector<bool>& certain,
                                                ValueTable& values, EvaluationError& error,
                                                Watch& watch);

}  // namespace clew::datalog
