// The course of one run, in the first process of its world.
//
//   nodes start, one after the other, each when the one before is ready
//     --> the workload runs, and nodes that run to their end; what ends is restarted as it says
//     --> nodes that are restarted after the workload, until all are ready
//     --> nothing fails any more: what is not there is started, and the check runs
//     --> extractor commands, files of facts; then all is stopped
//
// Whatever does not end in time is killed, has hung, and the run goes on: Ending::kHung. Before any
// failure has struck, a node that ends or does not get ready makes it Ending::kCannotStart. What
// happens once nothing fails any more makes no calls in the Observed run, only lines and changes.
#pragma once

#include "inject/failure.h"
#include "inject/observed.h"
#include "inject/surface/stacks.h"
#include "inject/target.h"
#include "inject/world.h"

namespace clew::inject {

// `keep_cut`: a folder that gets the state folders as 0, 1, ... as the first power cut leaves them.
Observed conduct(const Target& target, const Plan& plan, const World& world, StackCache& cache,
                 const std::string& keep_cut = {});

}  // namespace clew::inject
