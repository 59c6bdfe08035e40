// What the parts of the engine share while they evaluate a frame: relations, values, lineage, and
// the one way to add a derived tuple.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/stop.h"
#include "datalog/expression.h"
#include "datalog/firings.h"
#include "datalog/relation.h"
#include "datalog/rule.h"

namespace clew::datalog {

struct EngineOptions {
  bool lineage = true;
  // Rows of one relation in all frames together, and firings; more is taken for a rule that never
  // stops deriving.
  Row most_rows = 5'000'000;
  size_t most_firings = 50'000'000;
  Stop stop{};  // asked while rules are applied; true ends that with Stopped
};

struct Database {
  RuleSet rules;
  ValueTable& values;
  EngineOptions options;
  std::vector<Relation> relations{};
  FiringLog firings{};
  // By relation, while a recursive stratum is evaluated: where its newest rows begin and end. Rows
  // from the end on have been derived in this round and are not visible yet.
  std::vector<Row> delta_begin{};
  std::vector<Row> delta_end{};
  Watch watch{options.stop};

  // Adds what a rule derived. False if there are too many rows or firings now.
  bool derive(RuleId id, const Value* tuple, std::span<const Row> used) {
    const Rule& rule = rules.rules[id];
    Relation& head = relations[rule.head];
    const Relation::Inserted inserted =
        rule.to_next_frame ? head.insert_next(tuple) : head.insert(tuple);
    if (options.lineage && !rule.unlogged) firings.add(id, inserted.row, used);
    return inserted.row < options.most_rows && firings.count() < options.most_firings;
  }
};

}  // namespace clew::datalog
