// The Watch over all that a thread does, for work whose loops are many calls away from whoever can
// stop it:
//
//   Watched watched(stop);         // from here to the end of the scope
//   report::page(record);          // whose loops say look(), and throw Stopped once `stop` says so
//
// Where nothing watches, look() does nothing. Once it has thrown, every later one does, until the
// scope ends: whoever goes on with what is left of the work is not kept long. What can be stopped
// in the middle leaves nothing behind: it gives back what it makes, and whoever has that writes it.
//
// Work that several threads share, or that keeps part of what it has when it is stopped, has a
// Watch of its own (stop.h).
#pragma once

#include <cstddef>

#include "base/stop.h"

namespace clew {

class Watched {
 public:
  // A step takes a fraction of a microsecond: `stop` is asked at the first one, then every so many.
  static constexpr size_t kSteps = 10'000;

  // Until it goes, it takes the place of the one before.
  explicit Watched(Stop stop, size_t steps = kSteps);
  ~Watched() { current = before_; }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

 private:
  friend void look(size_t steps);

  void ask();

  static inline constinit thread_local Watched* current = nullptr;

  Stop stop_;
  size_t steps_;
  size_t left_ = 0;
  bool stopped_ = false;
  Watched* before_;
};

// This thread is about to do so many steps more.
inline void look(size_t steps = 1) {
  Watched* const watched = Watched::current;
  if (watched == nullptr) return;
  if (steps < watched->left_) {
    watched->left_ -= steps;
  } else {
    watched->ask();
  }
}

}  // namespace clew
