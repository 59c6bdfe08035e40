// Timers in real time, by a clock that never goes back.
//
//   Timers timers;
//   timers.set("election", now + 150ms);        // anew, if it is set already
//   timers.cancel("election");
//   while (auto name = timers.due(now)) fire(*name);   // earliest first; no longer set
//   timers.next()                                // when the next one is due, if there is one
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace clew::host {

using Clock = std::chrono::steady_clock;

// Whatever a node asks for: so that no time is too far away to be told.
inline constexpr std::chrono::milliseconds kLeastTimer{1};
inline constexpr std::chrono::milliseconds kMostTimer = std::chrono::hours(24 * 365 * 100);

class Timers {
 public:
  void set(std::string_view name, Clock::time_point when);
  void cancel(std::string_view name);
  std::optional<std::string> due(Clock::time_point now);
  std::optional<Clock::time_point> next() const;
  size_t size() const { return when_.size(); }

 private:
  std::map<std::string, Clock::time_point, std::less<>> when_;
  std::set<std::pair<Clock::time_point, std::string>> order_;
};

}  // namespace clew::host
