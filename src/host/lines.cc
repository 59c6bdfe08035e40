#include "host/lines.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <ctime>

namespace clew::host {

namespace {

constexpr uint64_t kMostInASecond = 10;

std::string value_text(std::string_view value) {
  const auto plain = [](unsigned char c) {
    return (c < 128 && std::isalnum(c) != 0) ||
           std::string_view("._:/-+").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (!value.empty() && std::ranges::all_of(value, plain)) return std::string(value);
  std::string text = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') text += '\\';
    text += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  }
  return text + '"';
}

std::string time_text() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  const auto seconds = static_cast<std::time_t>(milliseconds / 1000);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", parts.tm_year + 1900,
                     parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                     milliseconds % 1000);
}

}  // namespace

bool Lines::write(std::string_view line) const {
  pollfd waits{.fd = descriptor_, .events = POLLOUT, .revents = 0};
  if (::poll(&waits, 1, 0) != 1 || (waits.revents & POLLOUT) == 0) return false;
  return ::write(descriptor_, line.data(), line.size()) == static_cast<ssize_t>(line.size());
}

void Lines::say(std::string_view event, Values values) {
  const auto now = Clock::now();
  auto at = paces_.find(event);
  if (at == paces_.end()) at = paces_.emplace(std::string(event), Pace{now}).first;
  Pace& pace = at->second;
  if (now - pace.since > std::chrono::seconds(1)) pace.since = now, pace.said = 0;
  if (++pace.said > kMostInASecond) {
    ++pace.left_out;
    return;
  }
  std::string line = fmt::format("time={} node={} event={}", time_text(), value_text(node_), event);
  for (const auto& [key, value] : values) line += fmt::format(" {}={}", key, value_text(value));
  if (pace.left_out > 0) line += fmt::format(" left_out={}", pace.left_out);
  line += '\n';
  pace.left_out = write(line) ? 0 : pace.left_out + 1;
}

}  // namespace clew::host
