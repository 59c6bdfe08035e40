// Parts of names of files that are plainly random, or a process' number, or the time: each becomes
// `*`. docs/failure-points.md has the rules.
//
//   const std::set<pid_t> processes = {4711};
//   without_random("log.x7Qf2Z", processes);         // "log.*"
//   without_random("temp-4711.rdb", processes);      // "temp-*.rdb"
//   without_random("000000010000000A", processes);   // as it is
#pragma once

#include <sys/types.h>

#include <set>
#include <string>
#include <string_view>

namespace clew::inject {

// Of one name, without folders.
std::string without_random(std::string_view name, const std::set<pid_t>& processes);

// Numbers of threads that are counters: `worker-17` and `pool-1-thread-3`.
std::string without_counters(std::string_view name);

}  // namespace clew::inject
