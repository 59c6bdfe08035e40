// How a cause is shown again without Clew: scripts for a folder that has the files which a power
// cut has left.
//
//   if (!why_not_ready_made(target, group)) {
//     write(run_script(target, group), expected(*group.observed));   // beside the state folders
//   }
//
// The script lays the files out in a new folder, starts the node as after the power cut, the
// workload if it came later, and the check; ten times. It compares what the check prints with what
// it printed in the run that violated the promise.
#pragma once

#include <optional>
#include <string>

#include "inject/observed.h"
#include "inject/target.h"
#include "service/report.h"

namespace clew::service {

// Why Clew is needed to show it; nothing: it is not.
std::optional<std::string> why_not_ready_made(const inject::Target& target, const Group& group);

// Requires that it can be ready-made.
std::string run_script(const inject::Target& target, const Group& group);
// What the check printed.
std::string expected(const inject::Observed& seen);

// The script that asks Clew to do it.
std::string replay_script();

// For people: what fails, what that violates, what the folder has.
std::string read_me(const inject::Target& target, const Group& group,
                    const std::optional<std::string>& why_not);

}  // namespace clew::service
