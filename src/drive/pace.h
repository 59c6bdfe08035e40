// How far an exploration is, and how fast it gets on, as one line:
//
//   exploring 2 requests at a time and 1 fault: 81,920 states, 31% of them open, 1,204,000 moves a
//   second; at most 40 s left at this pace; Ctrl-C keeps the rest
//
// How much there is nobody knows before it was seen. What is known is when the effort or the budget
// is used up.
#pragma once

#include <chrono>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "check/budget.h"
#include "domain/scenario.h"

namespace clew::drive {

class Pace {
 public:
  // So many states or paths were seen within other bounds, of those that may be seen.
  Pace(size_t before, size_t most, const check::Budget& budget)
      : before_(before), most_(most), budget_(budget) {}

  // What the program has told: states or paths, and moves. `seconds`: of all runs together, if
  // there were others before this one.
  std::string line(const SourcePart::Within& within, const nlohmann::json& told, double seconds);

 private:
  using Clock = std::chrono::steady_clock;
  struct Seen {
    Clock::time_point when;
    size_t count = 0, moves = 0;
  };

  std::string left(const Seen& now) const;

  size_t before_, most_;
  const check::Budget& budget_;
  std::optional<Seen> first_;  // of what this process has told
};

// "40 s", "12 min", "3 h"
std::string length_in_words(double seconds);

}  // namespace clew::drive
