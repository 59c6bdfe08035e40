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
  bounds_ = describe_bounds(model);
  what_ = what;
  tick();
}

void Progress::show(const Verdict& so_far) {
  if (!enabled_) return;
  what_ = count_noun(so_far.executions, "run");
  if (so_far.clauses > 0) what_ += fmt::format(", {} clauses", with_thousands(so_far.clauses));
  if (!so_far.why_unknown.empty()) what_ += ", " + so_far.why_unknown;
  size_t found = so_far.counterexamples.size();
  if (found > 0) what_ += ", " + count_noun(found, "counterexample");
  tick();
}

void Progress::tick() {
  if (!enabled_) return;
  auto now = std::chrono::steady_clock::now();
  if (now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  draw();
}

void Progress::draw() {
  drawn_ = true;
  fmt::print(stderr, "\r\033[K{}: {}, {:.0f} s left", bounds_, what_,
             std::max(0.0, budget_.seconds_left()));
  std::fflush(stderr);
}

void Progress::clear() {
  if (!drawn_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace clew::cli
