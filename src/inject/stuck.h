// What processes do that should have ended: for people, who then know where to look.
//
//   const std::string does = what_they_do({child});
//   does;                                  // "sh stands in wait4", "cat stands in read of a pipe"
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace clew::inject {

// Of the first few, in this order; empty: they are gone. A thread that is in no call computes.
std::string what_they_do(const std::vector<pid_t>& processes);

}  // namespace clew::inject
