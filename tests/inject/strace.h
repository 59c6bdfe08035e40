// The calls of a command, thread by thread, from two sides: as `strace -f` shows them, and as a
// TracedRun has seen them. What lies outside of the surface is left out.
//
//   const CallsMade traced = calls_of(run);                 // after run.play()
//   const CallsMade shown = calls_under_strace(other_run);  // runs its command once more
//   texts_of(traced) == texts_of(shown);                    // where every thread does the same
//   again by_program(traced, run.folder())["etcd"];               // where threads share their work
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/inject/traced_run.h"

namespace clew::inject {

bool is_installed(const std::string& program);  // in /usr/bin, or it is a path

struct CallsMade {
  using Thread = std::string;  // whatever tells one from the other
  std::map<Thread, std::vector<TracedRun::Seen>> of{};
  std::map<Thread, Thread> made_by{};
};

CallsMade calls_of(const TracedRun& run);
// In the folder of a run, with its command and environment.
CallsMade calls_under_strace(const TracedRun& run);

// "openat -ENOENT\nread\n", of each thread; sorted.
std::vector<std::string> texts_of(const CallsMade& calls);

// "openat FOLDER/log# -ENOENT": how often, of all processes that run a program, with what they did
// before it was executed. Numbers in paths are left out, since they may be random, or a process'.
using Counts = std::map<std::string, size_t>;
std::map<std::string, Counts> by_program(const CallsMade& calls, const std::string& folder);

}  // namespace clew::inject
