#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/text.h"

namespace clew::cli {

Progress::Progress(const Budget& budget, bool enabled)
    : budget_(budget), enabled_(enabled && isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() { clear(); }

void Progress::stage(const FaultModel& model, const std::string& what) {
  if (!enabled_) return;
  std::lock_guard lock(mutex_);
  bounds_ = describe_bounds(model);
  what_ = what;
  draw_if_due();
}

void Progress::show(const Verdict& so_far) {
  if (!enabled_) return;
  std::lock_guard lock(mutex_);
  bounds_ = describe_bounds(so_far.model);
  what_ = count_noun(so_far.executions, "run");
  if (so_far.clauses > 0) what_ += fmt::format(", {} clauses", with_thousands(so_far.clauses));
  if (so_far.settled > 0) what_ += fmt::format(", {:.1f} % settled", so_far.settled * 100);
  size_t found = so_far.counterexamples.size();
  if (found > 0) what_ += ", " + count_noun(found, "counterexample");
  draw_if_due();
}

void Progress::tick() {
  if (!enabled_) return;
  std::lock_guard lock(mutex_);
  draw_if_due();
}

// Ten times a second.
void Progress::draw_if_due() {
  auto now = std::chrono::steady_clock::now();
  if (now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  drawn_ = true;
  fmt::print(stderr, "\r\033[K{}: {}, {:.0f} s left", bounds_, what_,
             std::max(0.0, budget_.seconds_left()));
  std::fflush(stderr);
}

void Progress::clear() {
  std::lock_guard lock(mutex_);
  if (!drawn_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace clew::cli
