#include "inject/surface/alarm.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/check.h"

namespace clew::inject {
namespace {

using std::chrono::nanoseconds;

constexpr nanoseconds kAgain = std::chrono::milliseconds(2);

timespec to_timespec(nanoseconds time) {
  constexpr int64_t kSecond = 1'000'000'000;
  return {time.count() / kSecond, time.count() % kSecond};
}

}  // namespace

Alarm::Alarm() {
  struct sigaction action {};
  action.sa_handler = [](int) {};
  sigaction(SIGRTMAX, &action, &before_);
  sigset_t alone;
  sigemptyset(&alone);
  sigaddset(&alone, SIGRTMAX);
  pthread_sigmask(SIG_UNBLOCK, &alone, nullptr);
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGRTMAX;
  event._sigev_un._tid = static_cast<pid_t>(syscall(SYS_gettid));
  CHECK(timer_create(CLOCK_MONOTONIC, &event, &timer_) == 0, "timer_create: {}", strerror(errno));
}

Alarm::~Alarm() {
  timer_delete(timer_);
  sigaction(SIGRTMAX, &before_, nullptr);
}

void Alarm::set(Time time) {
  if (set_to_ && *set_to_ <= time) return;  // early is well enough
  set_to_ = time;
  itimerspec spec{};
  spec.it_value = to_timespec(std::max(nanoseconds(1), nanoseconds(time.time_since_epoch())));
  spec.it_interval = to_timespec(kAgain);
  CHECK(timer_settime(timer_, TIMER_ABSTIME, &spec, nullptr) == 0);
}

void Alarm::stop() {
  set_to_.reset();
  const itimerspec never{};
  CHECK(timer_settime(timer_, 0, &never, nullptr) == 0);
}

}  // namespace clew::inject
