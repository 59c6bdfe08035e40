#include "base/stop.h"

namespace clew {

void Watch::ask() {
  left_ = kSteps;
  if (stop_ && stop_()) throw Stopped();
}

}  // namespace clew
