#include "check/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace clew::check {

std::string robust_in_words(const FaultModel& model) {
  const auto lossy = static_cast<size_t>(std::max(model.end_of_losses() - 1, 0));
  return fmt::format("robust so far: {}, {}, {}; Ctrl-C keeps this",
                     count_noun(static_cast<size_t>(model.eot), "tick"),
                     lossy == 0 ? "no losses" : fmt::format("losses in the first {}", lossy),
                     fmt::format("{} {}", model.crashes, model.crashes == 1 ? "crash" : "crashes"));
}

Progress::Progress(const Budget& budget, Notes notes)
    : budget_(budget), notes_(std::move(notes)), enabled_(notes_.shows_progress) {}

Progress::~Progress() { clear(); }

void Progress::stage(const FaultModel& model, const std::string& what) {
  if (!enabled_) return;
  const std::lock_guard lock(mutex_);
  model_ = model;
  what_ = what;
  settled_.reset();
  draw_if_due();
}

void Progress::show(const Verdict& so_far) {
  if (!enabled_) return;
  const std::lock_guard lock(mutex_);
  model_ = so_far.model;
  what_ = count_noun(so_far.effort.executions, "run");
  const size_t clauses = so_far.effort.clauses;
  if (clauses > 0) what_ += fmt::format(", {} clauses", with_thousands(clauses));
  const size_t found = so_far.counterexamples.size();
  if (found > 0) what_ += ", " + count_noun(found, "counterexample");
  settled_ = so_far.effort.settled;
  draw_if_due();
}

void Progress::robust(const FaultModel& model) {
  if (!enabled_) return;
  const std::lock_guard lock(mutex_);
  robust_ = model;
}

void Progress::settle(const FaultModel& model, double share) {
  if (!enabled_) return;
  const std::lock_guard lock(mutex_);
  if (model == model_ && settled_) settled_ = share;
}

void Progress::tick() {
  if (!enabled_) return;
  const std::lock_guard lock(mutex_);
  draw_if_due();
}

// Ten times a second.
void Progress::draw_if_due() {
  auto now = std::chrono::steady_clock::now();
  if (now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  drawn_ = true;
  if (robust_) {
    notes_.tell("\r\033[K{}", robust_in_words(*robust_));
    return;
  }
  std::string settled = settled_ ? fmt::format(", {:.1f} % settled", *settled_ * 100) : "";
  notes_.tell("\r\033[K{}: {}{}, {:.0f} s left", describe_bounds(model_), what_, settled,
              std::max(0.0, budget_.seconds_left()));
}

void Progress::clear() {
  const std::lock_guard lock(mutex_);
  if (!drawn_) return;
  notes_.tell("\r\033[K");
  drawn_ = false;
}

}  // namespace clew::check
