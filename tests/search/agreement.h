// All adversaries on one program: they must agree on the verdict and on every minimal
// counterexample, and the ground rules must judge every single FaultSet as a run does.
#pragma once

#include <string>
#include <vector>

#include "dedalus/program.h"
#include "domain/fault_model.h"

namespace clew::search {

struct AgreementTally {
  uint64_t checks = 0;
  uint64_t fault_sets = 0;
  uint64_t broken = 0;
  uint64_t robust = 0;
  uint64_t counterexamples = 0;
  uint64_t failed = 0;      // a run-time error under some faults
  uint64_t ungrounded = 0;  // too large, or a rule might fail
  uint64_t loop_clauses = 0;
  uint64_t with_loops = 0;
  uint64_t lineage_executions = 0;
};

// What they disagree about, or nothing. Requires that all admissible FaultSets can be enumerated.
std::string disagreement(const dedalus::Program& program, const FaultModel& model,
                         AgreementTally& tally);

}  // namespace clew::search
