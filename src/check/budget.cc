#include "check/budget.h"

#include <fmt/format.h>
#include <sys/time.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <csignal>
#include <map>

#include "base/freeing.h"
#include "base/patience.h"
#include "check/memory.h"

namespace clew::check {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kGrace{250};
constexpr std::chrono::milliseconds kSameInterrupt{500};  // signals that come together

std::atomic<bool> g_interrupted = false;
std::atomic<bool> g_out_of_time = false;
std::atomic<Clock::rep> g_first_signal = 0;
void (*g_last_words)(int signal) = nullptr;
std::atomic<Clock::rep> g_noticed = 0;  // when somebody first saw that; 0: nobody has

// The time since it was first noticed.
Clock::duration since_interrupted() {
  const Clock::rep now = Clock::now().time_since_epoch().count();
  Clock::rep never = 0;
  g_noticed.compare_exchange_strong(never, now);
  return Clock::duration(now - g_noticed);
}

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};

// A terminal and a supervisor may both send one.
void on_interrupt(int signal) {
  const Clock::rep now = Clock::now().time_since_epoch().count();
  Clock::rep first = 0;
  if (g_first_signal.compare_exchange_strong(first, now)) {
    g_interrupted = true;
    hurry();
    stop_freeing();
  } else if (Clock::duration(now - first) > kSameInterrupt) {
    g_last_words(signal);
    std::signal(signal, SIG_DFL);
    ::raise(signal);  // which ends the process once this handler has returned
  }
}

void on_alarm(int) { g_out_of_time = true; }

void handle_with(void (*handler)(int)) {
  for (const int signal : kSignals) {
    // As nohup does, and a shell for what runs in the background.
    if (std::signal(signal, handler) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

}  // namespace

Result<std::chrono::milliseconds> parse_duration(const std::string& text) {
  static const std::map<std::string, double> kUnits = {
      {"ms", 1}, {"", 1000}, {"s", 1000}, {"m", 60'000}, {"min", 60'000}, {"h", 3'600'000}};
  double number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  auto unit = kUnits.find(std::string(end, text.data() + text.size()));
  constexpr double kMost = 1e12;
  const bool good =
      error == std::errc{} && unit != kUnits.end() && number > 0 && number * unit->second < kMost;
  if (!good) {
    return Error{fmt::format("\"{}\" is not a length of time", text),
                 "write it as 90s, 2m, 1h or 500ms"};
  }
  return std::chrono::milliseconds(static_cast<int64_t>(number * unit->second));
}

Budget::Budget(std::chrono::milliseconds length) : length_(length) {}

void Budget::end_on_interrupts(void (*end)(int signal)) {
  handle_with(end);
  std::signal(SIGALRM, end);
}

void Budget::catch_interrupts(void (*last_words)(int signal)) {
  g_last_words = last_words;
  handle_with(on_interrupt);
  std::signal(SIGALRM, on_alarm);
}

bool Budget::interrupted() { return g_interrupted; }

void Budget::limit_time(std::chrono::milliseconds length) {
  using std::chrono::microseconds;
  constexpr int64_t kSecond = 1'000'000;
  const int64_t all = microseconds(length).count();
  itimerval timer{};
  timer.it_value = {.tv_sec = all / kSecond, .tv_usec = all % kSecond};
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

bool Budget::out_of_time() { return g_out_of_time; }

bool Budget::must_end() { return g_interrupted || g_out_of_time || memory_used_up(); }

bool Budget::used_up() const {
  const bool over = (g_interrupted && (!follows_ || since_interrupted() > kGrace)) ||
                    Clock::now() - start_ > length_ || memory_used_up();
  if (over && follows_) hurry();
  return over;
}

std::string Budget::why() const {
  if (g_interrupted) return "it was interrupted";
  return memory_used_up() ? "the memory was used up; --memory gives it more"
                          : "the budget was used up";
}

Budget Budget::rest() const {
  Budget rest = *this;
  const auto used = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start_);
  if (length_ < used + kGrace) {
    rest.length_ = used + kGrace;
    hurry();
  }
  rest.follows_ = true;
  return rest;
}

double Budget::seconds_used() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

double Budget::seconds_left() const {
  return std::chrono::duration<double>(length_).count() - seconds_used();
}

}  // namespace clew::check
