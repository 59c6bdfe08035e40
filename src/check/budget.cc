#include "check/budget.h"

#include <fmt/format.h>

#include <atomic>
#include <charconv>
#include <csignal>
#include <map>

namespace clew::check {

namespace {

std::atomic<bool> g_interrupted = false;

void on_interrupt(int signal) {
  g_interrupted = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

Result<std::chrono::milliseconds> parse_duration(const std::string& text) {
  static const std::map<std::string, double> kUnits = {
      {"ms", 1}, {"", 1000}, {"s", 1000}, {"m", 60'000}, {"min", 60'000}, {"h", 3'600'000}};
  double number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  auto unit = kUnits.find(std::string(end, text.data() + text.size()));
  constexpr double kMost = 1e12;
  bool good =
      error == std::errc{} && unit != kUnits.end() && number > 0 && number * unit->second < kMost;
  if (!good) {
    return Error{fmt::format("\"{}\" is not a length of time", text),
                 "write it as 90s, 2m, 1h or 500ms"};
  }
  return std::chrono::milliseconds(static_cast<int64_t>(number * unit->second));
}

Budget::Budget(std::chrono::milliseconds length) : length_(length) {}

void Budget::catch_interrupts() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
}

bool Budget::interrupted() { return g_interrupted; }

bool Budget::used_up() const {
  return g_interrupted || std::chrono::steady_clock::now() - start_ > length_;
}

double Budget::seconds_used() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

double Budget::seconds_left() const {
  return std::chrono::duration<double>(length_).count() - seconds_used();
}

}  // namespace clew::check
