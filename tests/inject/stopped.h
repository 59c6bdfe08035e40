// A process of the tests that stops at its calls, without a Tracer.
//
//   Stopped child({"build/dev/tests/stacked", "work"});
//   const std::optional<StoppedCall> call = child.next(SYS_fsync);   // before it is made
//   child.result();                                                  // it is made
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "inject/surface/tracer.h"

namespace clew::inject {

class Stopped {
 public:
  explicit Stopped(const std::vector<std::string>& words);
  // Runs this in a copy of the test itself.
  explicit Stopped(const std::function<void()>& work);
  ~Stopped();  // kills it
  Stopped(const Stopped&) = delete;
  Stopped& operator=(const Stopped&) = delete;

  // The next call with this number, of any of its threads. Nothing: it has ended.
  std::optional<StoppedCall> next(long number);
  // Lets the call that next() gave be made.
  int64_t result();
  pid_t process() const { return process_; }

 private:
  bool is_at_entry(pid_t thread, int status, long number);
  void begin();

  pid_t process_ = 0;
  pid_t at_ = 0;  // the thread that has stopped at a call
};

}  // namespace clew::inject
