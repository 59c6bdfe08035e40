// The engine: evaluates a RuleSet frame by frame, and remembers why.
//
//   RuleSet rules;
//   RelationId edge = rules.declare("edge", 2), path = rules.declare("path", 2);
//   rules.rules = ...;                                // how path follows from edge
//   ValueTable values;
//   Engine engine(rules, values, {.lineage = true});
//   engine.relation(edge).insert(tuple);
//   if (std::optional<EvaluationError> error = engine.evaluate(true)) ...
//   Row first = engine.relation(path).begin();        // .. end(): what holds in this frame
//   engine.advance();                                 // what @next rules derived becomes current
//
//   FILLING --evaluate--> COMPLETE --advance--> FILLING
//
// In FILLING, facts may be inserted into the current frame; in COMPLETE only into the next one. The
// engine knows nothing of nodes, ticks or faults: a frame is whatever its user says it is.
//
// (1) The rules are well-formed (rule.h) and stratified. (2) A frame is evaluated once, and
// advance() leaves only one that is COMPLETE. (3) Only rules that are left to the user derive in
// his name. (4) A Mark is a moment in FILLING, and rewind() goes back to it, never ahead.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "datalog/aggregate.h"
#include "datalog/database.h"
#include "datalog/join.h"
#include "datalog/plan.h"

namespace clew::datalog {

class Engine {
 public:
  // CHECKs that `rules` are well-formed and stratified. `values` is used and outlives the engine.
  Engine(RuleSet rules, ValueTable& values, EngineOptions options);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  const RuleSet& rules() const { return database_.rules; }
  ValueTable& values() { return database_.values; }
  const ValueTable& values() const { return database_.values; }
  Relation& relation(RelationId id) { return database_.relations[id]; }
  const Relation& relation(RelationId id) const { return database_.relations[id]; }
  const FiringLog& firings() const { return database_.firings; }

  // Derives everything that holds in the current frame and, if `with_next`, what the rules that
  // derive into the next frame add there. After an error the frame is incomplete, and so it is if
  // EngineOptions::stop ended it, which throws Stopped.
  std::optional<EvaluationError> evaluate(bool with_next);
  // The same in steps, for a frame that may first be the last one and then go on: kNow, then kLast
  // if it is asked about as the last one, then kNext before advance().
  enum class Part {
    kNow,   // what the other two build on
    kLast,  // the rules that are applied only in the last frame
    kNext,  // what is derived into the next frame, and only for it
  };
  std::optional<EvaluationError> evaluate(Part part);

  // After evaluate(false): applies the rules that are shown in the last frame. False: one of them
  // fails, and none of them has derived anything. That is no error, since nobody needs it.
  bool show_last();

  // Adds one tuple to the next frame because of `used`, in the name of `rule`: a rule whose body is
  // one positive atom and which the engine itself never applies (see Rule::applied_by_user).
  Row derive_next(RuleId rule, const Value* tuple, Row used);

  void advance();

  // A moment in FILLING that rewind() returns to, undoing all that came after. Permanent relations
  // are left as they are.
  struct Mark {
    std::vector<Row> begins;
    std::vector<Row> rows;
    FiringLog::Cursor firings_end = 0;
    size_t firing_count = 0;
  };
  void mark(Mark& mark) const;
  void rewind(const Mark& mark);
  // Forgets all rows and firings.
  void clear();

  // Strata and join orders, as `--show=plan` prints them.
  std::string print_plans() const;

 private:
  // How one stratum is computed.
  struct Work {
    Part part() const {
      if (only_in_last_frame) return Part::kLast;
      return only_for_next_frame ? Part::kNext : Part::kNow;
    }

    std::vector<RelationId> members;
    bool only_for_next_frame = true;
    bool only_in_last_frame = true;
    bool shown_in_last_frame = true;
    std::vector<RuleId> aggregates;
    std::vector<Plan> once;       // rules that read nothing of their own stratum
    std::vector<Plan> recursive;  // one for each recursive atom of a rule
  };

  void make_work();
  void plan_rule(RuleId id, const std::vector<bool>& recursive, Work& work);
  std::optional<EvaluationError> run(const Work& work);
  std::optional<EvaluationError> run_recursive(const Work& work);
  std::string print_work(const Work& work) const;

  enum class State { kFilling, kComplete };

  State state_ = State::kFilling;
  Database database_;
  Joiner joiner_;
  Aggregator aggregator_;
  std::vector<Work> strata_;
  Work next_;
};

}  // namespace clew::datalog
