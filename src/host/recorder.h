// Who is told every step that a host takes, to write it down.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "host/step.h"
#include "node/node.h"

namespace clew::host {

class Recorder {
 public:
  virtual ~Recorder() = default;
  // `after` is the node once the step is over; `footprint()` of it is the step's.
  virtual void record(uint64_t incarnation, uint64_t step, const Input& input,
                      const Outcome& outcome, const node::AnyNode& after) = 0;
  // The step that `step` was to be did not finish: the node threw.
  virtual void record_failure(uint64_t incarnation, uint64_t step, const Input& input,
                              const std::string& why) = 0;
  // Once in each turn of the loop, before anything leaves that its steps have sent: what was
  // recorded outlives the process. It need not be on the disk.
  virtual Status flush() = 0;
};

}  // namespace clew::host
