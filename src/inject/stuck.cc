#include "inject/stuck.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>

#include "base/columns.h"
#include "inject/call.h"
#include "inject/surface/process_files.h"
#include "inject/surface/tracer.h"

namespace clew::inject {

namespace {

constexpr size_t kMostStuck = 3;  // processes, and calls of each

// What programs wait in and is not part of the surface.
constexpr std::array<std::pair<long, const char*>, 16> kWaits = {
    {{SYS_poll, "poll"},
     {SYS_ppoll, "ppoll"},
     {SYS_select, "select"},
     {SYS_pselect6, "pselect6"},
     {SYS_epoll_wait, "epoll_wait"},
     {SYS_epoll_pwait, "epoll_pwait"},
     {SYS_futex, "futex"},
     {SYS_nanosleep, "nanosleep"},
     {SYS_clock_nanosleep, "clock_nanosleep"},
     {SYS_pause, "pause"},
     {SYS_rt_sigsuspend, "rt_sigsuspend"},
     {SYS_rt_sigtimedwait, "rt_sigtimedwait"},
     {SYS_flock, "flock"},
     {SYS_semop, "semop"},
     {SYS_msgrcv, "msgrcv"},
     {SYS_getrandom, "getrandom"}}};

std::string name_of(long number) {
  if (const CallRow* row = find_call(number)) return row->name;
  const auto* const wait =
      std::ranges::find_if(kWaits, [&](const auto& one) { return one.first == number; });
  return wait == kWaits.end() ? fmt::format("system call {}", number) : wait->second;
}

std::string what_is(const std::string& link) {
  if (link.empty()) return "a descriptor that is not open";
  if (link.starts_with("pipe:")) return "a pipe";
  return link.starts_with("socket:") ? "a socket" : printable(link);
}

// "read of a pipe", as /proc says: "running", or a number and arguments; empty: it is gone.
std::string call_of(pid_t process, const std::filesystem::path& task) {
  std::ifstream file(task / "syscall");
  std::string first;
  if (!(file >> first)) return "";
  if (first == "running") return "no call: it computes";
  const long number = std::strtol(first.c_str(), nullptr, 10);
  if (number < 0) return "";
  std::array<uint64_t, 6> arguments{};
  for (uint64_t& argument : arguments) file >> std::hex >> argument;
  const CallRow* const row = find_call(number);
  std::string of;
  if (row != nullptr && row->path >= 0) {
    const auto path = Tracer::read_text(process, arguments[static_cast<size_t>(row->path)]);
    of = printable(path.value_or("?"));
  } else if (row != nullptr && row->descriptor >= 0) {
    const uint64_t descriptor = arguments[static_cast<size_t>(row->descriptor)];
    of = what_is(link_of(process, static_cast<int>(descriptor)));
  }
  return of.empty() ? name_of(number) : fmt::format("{} of {}", name_of(number), of);
}

std::string program_of(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/comm", process));
  std::string name;
  std::getline(file, name);
  return printable(name);
}

// Of all threads, each once.
std::vector<std::string> calls_of(pid_t process) {
  std::vector<std::string> calls;
  std::error_code error;
  for (const auto& task :
       std::filesystem::directory_iterator(fmt::format("/proc/{}/task", process), error)) {
    std::string call = call_of(process, task.path());
    if (!call.empty() && std::ranges::find(calls, call) == calls.end()) {
      calls.push_back(std::move(call));
    }
  }
  if (calls.size() > kMostStuck) calls.resize(kMostStuck);
  return calls;
}

}  // namespace

std::string what_they_do(const std::vector<pid_t>& processes) {
  std::vector<std::string> told;
  size_t more = 0;
  for (const pid_t process : processes) {
    const std::vector<std::string> calls = calls_of(process);
    if (calls.empty()) continue;
    if (told.size() == kMostStuck) {
      ++more;
    } else {
      told.push_back(fmt::format("{} {}in {}", program_of(process), told.empty() ? "stands " : "",
                                 fmt::join(calls, " and ")));
    }
  }
  if (more > 0) told.push_back(fmt::format("and {} more", more));
  return fmt::format("{}", fmt::join(told, ", "));
}

}  // namespace clew::inject
