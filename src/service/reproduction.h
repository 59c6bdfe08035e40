// How a cause is shown again without Clew: scripts for a folder that has the files which a power
// cut has left, or else the injector.
//
//   if (!why_not_ready_made(target, group)) {
//     write(run_script(target, group), expected(*group.observed));   // beside the state folders
//   } else {
//     write(injector_script(target, {"rules/kept.ded"}));   // beside the injector
//   }
//
// The first script lays the files out in a new folder, starts the node as after the power cut, the
// workload if it came later, and the check; ten times. It compares what the check prints with what
// it printed in the run that violated the promise. The second has the injector
// (cli/injector_main.cc) make the failures strike ten times, and judge.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "inject/observed.h"
#include "inject/target.h"
#include "service/report.h"

namespace clew::service {

// Why the failures have to strike again to show it; nothing: the files are enough.
std::optional<std::string> why_not_ready_made(const inject::Target& target, const Group& group);

// Requires that it can be ready-made.
std::string run_script(const inject::Target& target, const Group& group);
// What the check printed.
std::string expected(const inject::Observed& seen);

// `rules`: where the folder has the target's rules, in their order.
std::string injector_script(const inject::Target& target, const std::vector<std::string>& rules);

// For people: what fails, what that violates, what the folder has.
std::string read_me(const inject::Target& target, const Group& group,
                    const std::optional<std::string>& why_not);

}  // namespace clew::service
