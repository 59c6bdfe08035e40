// Carries out a Plan: nested loops over the steps, deriving the head for every match.
#pragma once

#include <optional>
#include <vector>

#include "datalog/database.h"
#include "datalog/plan.h"

namespace clew::datalog {

class Joiner {
 public:
  explicit Joiner(Database& database) : database_(database) {}

  // Makes room, so that run() allocates nothing.
  void prepare(const Plan& plan);
  std::optional<EvaluationError> run(const Plan& plan);

 private:
  // Each is false if an error ended the join.
  bool match(size_t at);
  bool scan(const Step& step, size_t next);
  bool look_up(const Step& step, size_t next);
  bool contains(const Step& step, size_t next);
  bool test(const Step& step, size_t next);
  bool assign(const Step& step, size_t next);
  bool derive();

  bool exists(const Step& step);
  bool accept(const Step& step, const Value* tuple);
  bool matches(const Step& step, const Value* tuple);
  const Value* fill_key(const Step& step);
  Value value(const Source& source) const {
    return source.is_slot ? slots_[source.slot] : source.constant;
  }
  Row range_begin(const Step& step, const Relation& relation) const;
  Row range_end(const Step& step, const Relation& relation) const;

  Database& database_;
  const Plan* plan_ = nullptr;
  const Rule* rule_ = nullptr;
  std::vector<Value> slots_;
  std::vector<Value> keys_;
  std::vector<Value> head_;
  std::vector<Row> used_;
  size_t used_count_ = 0;
  EvaluationError error_;
};

}  // namespace clew::datalog
