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

  Database& database_;
  std::vector<RowTable> tables_;    // by rule: the first row of each group
  std::vector<uint32_t> group_of_;  // by row of the frame
  std::vector<uint32_t> ends_;      // by group: where it ends in members_
  std::vector<Row> members_;        // the rows, group by group
  std::vector<Value> head_;
};

}  // namespace clew::datalog
