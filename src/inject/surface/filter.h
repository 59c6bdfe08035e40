// The seccomp filter that every traced process runs under: which calls stop at the tracer, and why.
//
//   const std::vector<sock_filter> filter = make_filter(false);
//
// The kernel hands the reason over with the stop (PTRACE_GETEVENTMSG).
#pragma once

#include <linux/filter.h>

#include <vector>

namespace clew::inject {

enum class StopReason : unsigned {
  kInTable = 1,  // part of the surface
  kRefused = 2,  // would bypass it: io_uring, Linux AIO
  k32Bit = 3,    // other tables of calls, which the surface does not know
  kX32 = 4,
  kNamed = 5,  // a thread calls itself something else
};

// `gate`: calls that come through a gate (gate.h) pass.
std::vector<sock_filter> make_filter(bool gate);
const char* refused_name(long number);  // "io_uring_setup"; null: it is not refused

}  // namespace clew::inject
