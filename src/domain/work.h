// How much a search has done, counted so that it is the same on every machine.
//
//   Work work{.ticks = 40};
//   work += {.ticks = 2, .clauses = 300};
//   work.exceeds({.ticks = 100, .clauses = 200});    // in one of the two: it does
#pragma once

#include <cstdint>

namespace clew {

struct Work {
  uint64_t ticks = 0;    // that were run, or ground with all faults open
  uint64_t clauses = 0;  // that a solver was given, or has learned

  Work& operator+=(const Work& other) {
    ticks += other.ticks;
    clauses += other.clauses;
    return *this;
  }
  bool exceeds(const Work& most) const { return ticks > most.ticks || clauses > most.clauses; }
  friend bool operator==(const Work&, const Work&) = default;
};

}  // namespace clew
