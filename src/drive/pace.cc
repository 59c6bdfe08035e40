#include "drive/pace.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.h"

namespace clew::drive {

std::string length_in_words(double seconds) {
  constexpr double kMinute = 60, kHour = 3'600, kDay = 24 * kHour;
  if (seconds < 2 * kMinute) return fmt::format("{:.0f} s", seconds);
  if (seconds < 2 * kHour) return fmt::format("{:.0f} min", seconds / kMinute);
  if (seconds < 2 * kDay) return fmt::format("{:.0f} h", seconds / kHour);
  return fmt::format("{:.0f} days", seconds / kDay);
}

std::string Pace::line(const SourcePart::Within& within, const nlohmann::json& told,
                       double seconds) {
  const auto states = told.at("states").get<size_t>();
  const auto paths = told.at("paths").get<size_t>();
  const Seen now{Clock::now(), states + paths, told.at("moves").get<size_t>()};
  if (!first_) first_ = now;
  std::string text = "exploring ";
  if (within.requests != kMostOften) {
    text += fmt::format("{} at a time and ", count_noun(within.requests, "request"));
  }
  text += within.faults == kMostOften ? "faults" : count_noun(within.faults, "fault");
  text += ": " + count_noun(now.count, states > 0 ? "state" : "path");
  if (states > 0) {
    text += fmt::format(", {}% of them open", 100 * told.at("frontier").get<size_t>() / states);
  }
  const double spent = std::chrono::duration<double>(now.when - first_->when).count();
  if (spent > 0) {
    const double moves = static_cast<double>(now.moves - std::min(now.moves, first_->moves));
    text +=
        fmt::format(", {} moves a second", with_thousands(static_cast<uint64_t>(moves / spent)));
  }
  text += left(now);
  if (seconds > 0) text += fmt::format("; {} in all", length_in_words(seconds));
  return text + "; Ctrl-C keeps the rest";
}

// Until the first of what there is is used up.
std::string Pace::left(const Seen& now) const {
  constexpr double kForEver = 30 * 24 * 3'600.0;
  const double by_budget = budget_.seconds_left();
  const double spent = std::chrono::duration<double>(now.when - first_->when).count();
  const size_t more = now.count - std::min(now.count, first_->count);
  double by_effort = kForEver;
  if (spent > 0 && more > 0 && most_ != SIZE_MAX) {
    const size_t rest = most_ - std::min(most_, before_ + now.count);
    by_effort = static_cast<double>(rest) * spent / static_cast<double>(more);
  }
  const double least = std::max(0.0, std::min(by_budget, by_effort));
  if (least >= kForEver) return "";
  return fmt::format("; at most {} left{}", length_in_words(least),
                     by_effort < by_budget ? " at this pace" : "");
}

}  // namespace clew::drive
