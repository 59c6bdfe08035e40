// One line on a terminal that says how far a campaign is, and how fast it gets on:
//
//   48 ids, 2 failures at once: 1,204 combinations tried, 310 left, 87 covered, 2 causes; 52
//   runs/s; about 6 s left; Ctrl-C keeps what was found
//
// How many are left nobody knows before they were seen: new points appear after failures.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "check/budget.h"
#include "check/notes.h"

namespace clew::service {

struct Far {
  size_t ids = 0;
  size_t failures = 0;  // of the combination at hand
  size_t tried = 0, left = 0, covered = 0, causes = 0;
  size_t runs = 0;  // of this process
};

class Progress {
 public:
  Progress(const check::Budget& budget, check::Notes notes);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Draws ten times a second. Silent if the Notes cannot show it.
  void show(const Far& far);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  const check::Budget& budget_;
  const check::Notes notes_;
  Clock::time_point begin_ = Clock::now(), last_{};
  bool drawn_ = false;
};

// After so many seconds, of which the budget has some left.
std::string line_of(const Far& far, double seconds, double seconds_left);

}  // namespace clew::service
