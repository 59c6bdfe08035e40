// Runs a target under plans, several at a time. Who searches knows nothing else of processes, and
// tests have runners of their own.
//
//   runner.start(1, {});
//   runner.start(2, {*parse_failure("EIO@4c1be0d2")});
//   Finished done = runner.next();       // whichever ends first: the searcher puts them in order
#pragma once

#include <cstddef>
#include <cstdint>

#include "inject/observed.h"

namespace clew::inject {

struct Finished {
  uint64_t ticket = 0;
  Observed observed;
};

class Runner {
 public:
  virtual ~Runner() = default;

  virtual size_t jobs() const = 0;                            // so many at a time
  virtual void start(uint64_t ticket, const Plan& plan) = 0;  // requires that fewer are running
  virtual Finished next() = 0;                                // waits. Throws Stopped (base/stop.h)
};

}  // namespace clew::inject
