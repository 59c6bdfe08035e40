// A System can be run under faults and says how that went.
#pragma once

#include <optional>

#include "domain/fault.h"
#include "domain/run.h"

namespace clew {

class System {
 public:
  virtual ~System() = default;
  // Nothing if the run could not be finished: then the program is at fault, not the faults.
  virtual std::optional<Outcome::Kind> run(const FaultSet& faults) = 0;
};

}  // namespace clew
