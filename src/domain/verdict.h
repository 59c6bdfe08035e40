// A Verdict is the end of a Campaign.
#pragma once

#include <string>
#include <vector>

#include "domain/fault_model.h"
#include "domain/run.h"

namespace clew {

struct Verdict {
  enum class Kind {
    kBroken,   // there are counterexamples
    kRobust,   // no admissible FaultSet violates the Spec
    kUnknown,  // the budget was used up, or the adversary cannot be sure
    kFailed,   // a run could not be finished: see `failing`
    kVacuous,  // nothing violates the Spec, but it applies in no admissible Run
  };

  Kind kind = Kind::kUnknown;
  FaultModel model;
  std::string adversary;                // who searched
  std::vector<Choice> counterexamples;  // minimal, in the order found
  bool all_found = false;               // there is no further minimal counterexample
  bool minimal = true;                  // no fault can be taken from the counterexamples
  Choice failing;
  std::string why_unknown;  // or why it failed
  bool vacuous = false;     // in the run without faults nothing was promised

  // What the search took.
  struct Effort {
    size_t executions = 0;        // runs of the System
    size_t executions_found = 0;  // of these, until the first violation was seen
    // Of the processor, in user mode, that the process had used when the first violation was seen,
    // or when the search ended without one.
    double search_seconds = 0;
    // Of adversaries that can tell; else 0.
    size_t clauses = 0;  // of the last Formula
    double settled = 0;  // share of the admissible FaultSets that need not be tried any more
  };
  Effort effort;

  // The first runs of the System, and every violation, in order.
  struct Tried {
    Choice choice;
    Outcome::Kind outcome = Outcome::Kind::kHolds;
  };
  static constexpr size_t kMostTried = 10'000;
  std::vector<Tried> tried;
  size_t tried_left_out = 0;
};

const char* to_string(Verdict::Kind kind);  // "broken", "robust", "unknown", "failed", "vacuous"

// How bad it is to hear this of one of several Specs: broken, then failed or vacuous, then unknown,
// then robust.
int badness(Verdict::Kind kind);

}  // namespace clew
