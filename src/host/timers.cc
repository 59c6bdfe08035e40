#include "host/timers.h"

namespace clew::host {

void Timers::set(std::string_view name, Clock::time_point when) {
  cancel(name);
  when_.emplace(name, when);
  order_.emplace(when, name);
}

void Timers::cancel(std::string_view name) {
  const auto at = when_.find(name);
  if (at == when_.end()) return;
  order_.erase({at->second, at->first});
  when_.erase(at);
}

std::optional<std::string> Timers::due(Clock::time_point now) {
  if (order_.empty() || order_.begin()->first > now) return std::nullopt;
  std::string name = order_.begin()->second;
  cancel(name);
  return name;
}

std::optional<Clock::time_point> Timers::next() const {
  if (order_.empty()) return std::nullopt;
  return order_.begin()->first;
}

}  // namespace clew::host
