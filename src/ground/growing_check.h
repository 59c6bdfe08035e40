// Whether anything violates the Spec, asked of larger and larger bounds: a grounding that grows and
// a solver that is kept.
//
//   GrowingCheck check(lowered, {.first_eot = 4, .most_crashes = 1});
//   check.ask(model, stop) == GrowingCheck::Answer::kNothing    // no admissible FaultSet does
//
// The answer depends on the program and the bounds alone, not on what was asked before; a
// counterexample would, so that none is given. Used by one thread at a time.
#pragma once

#include <memory>

#include "domain/work.h"
#include "formula/formula.h"
#include "ground/growing.h"

namespace clew::ground {

class GrowingCheck {
 public:
  enum class Answer {
    kNothing,    // violates the Spec within these bounds
    kSomething,  // does
    kStopped,
    kCannot,  // be ground: now or ever again as far as these bounds
  };
  using Range = GrowingGrounder::Range;

  // Requires GrowingGrounder::can_ground().
  GrowingCheck(const std::shared_ptr<const dedalus::LoweredProgram>& program, Range range,
               const GrounderOptions& options = {});
  GrowingCheck(const GrowingCheck&) = delete;
  GrowingCheck& operator=(const GrowingCheck&) = delete;

  // `stop` is asked often; true ends it. Requires what GrowingGrounder::ask() does.
  Answer ask(const FaultModel& model, const Stop& stop);

  size_t clauses() const { return formula_.clauses(); }
  // For all questions so far.
  Work work() const {
    return {.ticks = static_cast<uint64_t>(grounder_.ticks()),
            .clauses = formula_.clauses() + formula_.learned()};
  }
  // Of the question at hand, or the last one; see Formula::settled().
  double settled() const { return asked_ ? formula_.settled() : 0; }
  const GrowingGrounder& grounder() const { return grounder_; }

 private:
  bool must_stop() const { return stop_ != nullptr && *stop_ && (*stop_)(); }
  Answer answer(const FaultModel& model);
  Answer solve(formula::Literal goal);

  const Stop* stop_ = nullptr;  // while ask() is at work
  GrowingGrounder grounder_;
  formula::Formula formula_;
  bool asked_ = false;  // the formula knows the question
};

}  // namespace clew::ground
