// Runs as Molly's output directory holds them, so that programs written for it read ours:
// docs/formats/molly.md.
//
//   runs.json                    "[" + molly_run(run 0) + "," + molly_run(run 1) + ... + "]"
//   run_0_pre_provenance.json    molly_provenance(the lineage of `pre` in run 0)
#pragma once

#include <string>

#include "domain/fault_model.h"
#include "domain/run.h"
#include "report/provenance.h"

namespace clew::report {

// When Molly says that a lost message arrives.
inline constexpr Tick kMollyNever = 99999;

// One element of runs.json, without a line end.
std::string molly_run(const Run& run, const FaultModel& model, size_t iteration);

// Goals, rules and edges, with Molly's ids and labels. Ends in a newline.
std::string molly_provenance(const Provenance& provenance);

}  // namespace clew::report
