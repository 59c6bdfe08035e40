#include "base/watched.h"

#include <utility>

namespace clew {

Watched::Watched(Stop stop, size_t steps)
    : stop_(std::move(stop)), steps_(steps), before_(current) {
  current = this;
}

void Watched::ask() {
  if (!stopped_) stopped_ = stop_ && stop_();
  if (stopped_) throw Stopped();
  left_ = steps_;
}

}  // namespace clew
