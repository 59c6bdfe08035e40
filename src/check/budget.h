// How long a subcommand may take, how much memory (memory.h), and whether the user has interrupted
// it: three reasons to end its work, of which Budget is the one place.
#pragma once

#include <chrono>
#include <string>

#include "base/result.h"

namespace clew::check {

// "90s", "2m", "500ms", "1h", or a plain number of seconds.
Result<std::chrono::milliseconds> parse_duration(const std::string& text);

class Budget {
 public:
  explicit Budget(std::chrono::milliseconds length);
  // From now on Ctrl-C, SIGTERM and SIGHUP call `end`, a handler of signals that ends the process:
  // there is nothing to show yet, nor anything to tidy up. Those that are ignored stay so. The end
  // of the time (limit_time) calls it with SIGALRM.
  static void end_on_interrupts(void (*end)(int signal));
  // From now on they end the work instead. Those that come within half a second are one; whichever
  // comes later ends the process after `last_words`, a handler of signals.
  static void catch_interrupts(void (*last_words)(int signal));
  static bool interrupted();
  // So much time has the process from now on, for work that has no Budget of its own; 0: no limit.
  static void limit_time(std::chrono::milliseconds length);
  static bool out_of_time();
  // For such work: it was interrupted, or its time or the memory is used up.
  static bool must_end();

  bool used_up() const;
  // "it was interrupted", "the memory was used up" or "the budget was used up".
  std::string why() const;
  // For what follows the search: what is left of the time, and a quarter of a second in any case;
  // after Ctrl-C, that and no more. Where that is all, and once it is used up, the process is in a
  // hurry (base/patience.h).
  Budget rest() const;
  double seconds_used() const;
  double seconds_left() const;

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::milliseconds length_;
  bool follows_ = false;  // the search has ended: there is a quarter of a second after Ctrl-C
};

}  // namespace clew::check
