// What a verdict covers: how much was promised, and whether each promise ever applied.
//
//   const report::Coverage coverage = cover(input, model, stop);
//   if (!coverage.never.empty()) ...     // "robust" would promise more than it holds
//
// A promise that applies in no admissible Run is kept by all of them, and so would be its opposite.
// For `pre` every rule counts: each is a promise of its own.
#pragma once

#include "base/stop.h"
#include "check/program_input.h"
#include "domain/fault_model.h"
#include "report/check_report.h"

namespace clew::check {

// Requires a program with one promise, no admissible FaultSet of which ends a Run early. Where
// `stop` says so it gives up, and what is not known is left open.
report::Coverage cover(const ProgramInput& input, const FaultModel& model, const Stop& stop);

}  // namespace clew::check
