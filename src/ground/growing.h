// A grounding that grows with its bounds: for a sweep, which asks about longer and longer runs.
//
//   GrowingGrounder grounder(lowered, {.first_eot = 4, .most_crashes = 1}, {});
//   formula::Formula formula(grounder.rules(), {.asks = true});
//   formula.learn_all();
//   Result<formula::Question> question = grounder.ask(model);     // grounds what is not there yet
//   formula.ask(*question);                                       // which has grown as well
//
// Faults are left open at every tick, and each tick is ground once, as part of runs that may go on.
// So what bounds say cannot stand in the rules; it is assumed, question by question:
//
//   EOT        the goal is what violates the Spec if tick EOT is the last; under stop, nobody
//              crashes at tick EOT, which would make itself felt before
//   EFF        no omission at any tick from EFF on
//   Crashes    at most so many nodes have crashed by tick EOT - 1
//   eventually no crash at the last ticks, either
//
// What has been ground never changes: atoms keep their numbers, their bodies and their meaning,
// requirements only become more. Every FaultSet that some bounds admit satisfies all requirements,
// so that none of them is about bounds. Ticks come one after the other; views are evaluated at
// every tick from the first EOT on, rules into the next tick only when it is needed, so that no
// rule is applied which a run of the length asked about would not apply.
//
// (1) No rule but a view reads `crash`: see can_ground(). (2) Bounds are asked about that are in
// the range, and have its limits, (3) for the nodes and the crash model of the program.
//
// That more is open may make it fail where a Grounder with the same bounds does not: more facts are
// possible, more rules might divide by zero. Then whoever asks has to start over with a Grounder.
#pragma once

#include <memory>
#include <vector>

#include "formula/question.h"
#include "ground/grounder.h"

namespace clew::ground {

class GrowingGrounder {
 public:
  // What all questions have in common.
  struct Range {
    Tick first_eot = 1;
    int most_crashes = 0;
    Limits limits{};
  };

  // Whether the program can be ground this way: not if a rule that is no view reads `crash`, which
  // tells at tick 1 of crashes up to EOT.
  static bool can_ground(const dedalus::LoweredProgram& program);

  // Requires can_ground().
  GrowingGrounder(const std::shared_ptr<const dedalus::LoweredProgram>& program, Range range,
                  GrounderOptions options);

  // What violates the Spec within these bounds. After "stopped", asking again goes on, unless that
  // was in the middle of a tick; any other failure is for good, and so is that. Requires valid
  // bounds in the range, for the nodes of the program.
  Result<formula::Question> ask(const FaultModel& model);

  const formula::Rules& rules() const { return grounder_.rules(); }
  Tick ticks() const { return ticks_; }  // that have been ground
  size_t firings() const { return grounder_.firings(); }

 private:
  Status grow(Tick eot);
  Status grow_by_one();

  Range range_;
  Grounder grounder_;
  Tick ticks_ = 0;
  std::vector<formula::Literal> violations_;  // by tick - first_eot
  Status state_ = Nothing{};
};

}  // namespace clew::ground
