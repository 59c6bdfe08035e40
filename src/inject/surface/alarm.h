// Ends a blocking call of this thread at some time, with EINTR.
//
//   Alarm alarm;
//   alarm.set(deadline);
//   if (waitpid(-1, &status, __WALL) < 0 && errno == EINTR) ...   // perhaps it is time
//
// It rings again and again after that time, since it may ring just before the call; and it may ring
// early. Uses SIGRTMAX, without a handler that does anything.
#pragma once

#include <signal.h>
#include <time.h>

#include <chrono>
#include <optional>

namespace clew::inject {

class Alarm {
 public:
  using Time = std::chrono::steady_clock::time_point;

  Alarm();
  ~Alarm();
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

  void set(Time time);
  void rang() { set_to_.reset(); }  // after EINTR: set() sets it anew
  void stop();

 private:
  timer_t timer_{};
  std::optional<Time> set_to_;
  struct sigaction before_ {};
};

}  // namespace clew::inject
