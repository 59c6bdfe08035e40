// How long a subcommand may take, and whether the user has interrupted it.
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
  // From now on Ctrl-C ends the work instead of the process; a second one ends the process.
  static void catch_interrupts();
  static bool interrupted();

  bool used_up() const;
  double seconds_used() const;
  double seconds_left() const;

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::milliseconds length_;
};

}  // namespace clew::check
