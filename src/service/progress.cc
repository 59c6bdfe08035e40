#include "service/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace clew::service {

namespace {

std::string length_of(double seconds) {
  constexpr double kMinute = 60, kHour = 3'600;
  if (seconds < 2 * kMinute) return fmt::format("{:.0f} s", seconds);
  if (seconds < 2 * kHour) return fmt::format("{:.0f} min", seconds / kMinute);
  return fmt::format("{:.0f} h", seconds / kHour);
}

}  // namespace

std::string line_of(const Far& far, double seconds, double seconds_left) {
  std::string line =
      fmt::format("{} at once: {} tried, {} left", count_noun(far.failures, "failure"),
                  count_noun(far.tried, "combination"), with_thousands(far.left));
  line = fmt::format("{}, {}", count_noun(far.ids, "id"), line);
  if (far.covered > 0) line += fmt::format(", {} covered", with_thousands(far.covered));
  if (far.causes > 0) line += ", " + count_noun(far.causes, "cause");
  if (seconds > 0 && far.runs > 0) {
    const double pace = static_cast<double>(far.runs) / seconds;
    line += fmt::format("; {:.{}f} runs/s", pace, pace < 10 ? 1 : 0);
    const double needed = static_cast<double>(far.left) / pace;
    line += fmt::format("; {} {} left", needed < seconds_left ? "about" : "at most",
                        length_of(std::max(0.0, std::min(needed, seconds_left))));
  }
  return line + "; Ctrl-C keeps what was found";
}

Progress::Progress(const check::Budget& budget, check::Notes notes)
    : budget_(budget), notes_(std::move(notes)) {}

void Progress::show(const Far& far) {
  const Clock::time_point now = Clock::now();
  if (!notes_.shows_progress || now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  drawn_ = true;
  const double seconds = std::chrono::duration<double>(now - begin_).count();
  notes_.tell("\r\033[K{}", line_of(far, seconds, budget_.seconds_left()));
}

void Progress::clear() {
  if (drawn_) notes_.tell("\r\033[K");
  drawn_ = false;
}

}  // namespace clew::service
