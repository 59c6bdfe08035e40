#include "inject/disk/log.h"

#include <algorithm>

namespace clew::inject {

namespace {

// The number of a step's operation among those that are not durable as a whole. Steps are looked at
// in order, and those that are not durable only.
class Numbering {
 public:
  size_t of(const Step& step) {
    if (step.operation != last_) ++number_;
    last_ = step.operation;
    return number_;
  }

 private:
  uint32_t last_ = 0;
  size_t number_ = 0;
};

}  // namespace

void Log::add(std::vector<Step> steps, Layer& live) {
  ++operations_;
  for (Step& step : steps) {
    step.operation = operations_;
    live.apply(step, Kept::kAll);
    steps_.push_back(std::move(step));
  }
}

void Log::sync(const Which& which, Layer& durable) {
  std::vector<Step> left;
  std::set<InodeId> waiting;
  for (Step& step : steps_) {
    if (!step.stuck && which(step)) step.durable = true;
    // A folder that gets a name loses another one.
    const bool waits =
        waiting.contains(step.object) || (step.moves_folder && waiting.contains(step.inode));
    if (step.durable && !waits) {
      durable.apply(step, Kept::kAll);
      continue;
    }
    waiting.insert(step.object);
    if (step.moves_folder) waiting.insert(step.inode);
    left.push_back(std::move(step));
  }
  steps_ = std::move(left);
}

void Log::give_up(const Which& which) {
  for (Step& step : steps_) {
    if (!step.durable && which(step)) step.stuck = true;
  }
}

void Log::forget(const std::function<bool(InodeId)>& gone) {
  std::erase_if(steps_, [&](const Step& step) { return gone(step.object); });
}

void Log::look(const std::function<void(const Step&, size_t)>& at) const {
  Numbering numbering;
  for (const Step& step : steps_) {
    if (!step.durable) at(step, numbering.of(step));
  }
}

size_t Log::count() const {
  size_t count = 0;
  look([&](const Step&, size_t number) { count = number; });
  return count;
}

Layer Log::state(const Layer& durable, const Selection& keeps) const {
  Layer state(&durable);
  Numbering numbering;
  for (const Step& step : steps_) {
    state.apply(step, step.durable ? Kept::kAll : keeps.of(numbering.of(step)));
  }
  return state;
}

std::set<InodeId> Log::named() const {
  std::set<InodeId> named;
  for (const Step& step : steps_) {
    if (step.kind == Step::Kind::kSet) named.insert(step.inode);
  }
  return named;
}

}  // namespace clew::inject
