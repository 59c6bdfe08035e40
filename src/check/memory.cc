// Two lines of defence. The one that is meant to hold: every few milliseconds somebody who asks
// anyway looks how much is resident, and from eight tenths of the limit on the answer is that it is
// used up. The other one: the system refuses to give more data than nine tenths, operator new
// throws, and from then on it is used up as well. The last tenth is for stacks and the program.
//
// Who has been interrupted leaves what it frees where it is (base/freeing.h), up to half of that.
#include "check/memory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cmath>
#include <map>
#include <new>
#include <optional>

#include "base/freeing.h"
#include "base/sanitized.h"

namespace clew::check {

namespace {

constexpr uint64_t kLeast = uint64_t{128} << 20U;
constexpr rlim_t kMostStack = rlim_t{8} << 20U;

// Sanitizers take far more than the program does.
constexpr bool kSanitized = CLEW_SANITIZED != 0;
constexpr int64_t kPause = 2'000'000;  // nanoseconds between two looks

std::atomic<uint64_t> g_soft = 0;  // 0: no limit
std::atomic<bool> g_used_up = false;
std::atomic<int64_t> g_last_look = 0;

// Bytes; nothing if the system does not tell.
std::optional<uint64_t> resident() {
  static const int kFile = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  char text[128];
  const ssize_t size = kFile < 0 ? -1 : pread(kFile, text, sizeof text, 0);
  if (size <= 0) return std::nullopt;
  const char* at = std::find(text, text + size, ' ');
  uint64_t pages = 0;
  if (at == text + size) return std::nullopt;
  std::from_chars(at + 1, text + size, pages);
  return pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

// What is in use, without what was freed and has not been given back.
uint64_t in_use() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

// operator new calls it when there is nothing left.
void on_no_memory() {
  thread_local bool tried = false;
  resume_freeing();
  if (!tried && malloc_trim(0) != 0) {
    tried = true;
    return;
  }
  tried = false;
  g_used_up = true;
  throw std::bad_alloc();
}

bool look() {
  const std::optional<uint64_t> now = resident();
  if (!now) return false;
  if (*now > g_soft / 2) resume_freeing();
  if (*now < g_soft) return false;
  // Freed memory that the allocator keeps is no reason to end.
  return in_use() >= g_soft / 8 * 7;
}

}  // namespace

Result<uint64_t> parse_size(const std::string& text) {
  static const std::map<std::string, double> kUnits = {
      {"", 0},   {"K", 10},  {"KB", 10},  {"KiB", 10}, {"M", 20},  {"MB", 20}, {"MiB", 20},
      {"G", 30}, {"GB", 30}, {"GiB", 30}, {"T", 40},   {"TB", 40}, {"TiB", 40}};
  double number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto unit = kUnits.find(std::string(end, text.data() + text.size()));
  constexpr double kMost = 1e15;
  const bool good = error == std::errc{} && unit != kUnits.end() && number > 0 &&
                    number * std::exp2(unit->second) < kMost;
  if (!good) {
    return Error{fmt::format("\"{}\" is not an amount of memory", text),
                 "write it as 512M, 2G or 2GiB"};
  }
  const auto bytes = static_cast<uint64_t>(number * std::exp2(unit->second));
  if (bytes < kLeast) {
    return Error{fmt::format("{} of memory is too little to work with", text),
                 "give it 128M or more; a plain number is one of bytes"};
  }
  return bytes;
}

void limit_memory(uint64_t bytes, size_t threads) {
  g_soft = bytes / 10 * 8;
  std::set_new_handler(on_no_memory);
  if (kSanitized) return;
  rlimit limit{};
  rlimit stack{};
  if (getrlimit(RLIMIT_DATA, &limit) != 0 || getrlimit(RLIMIT_STACK, &stack) != 0) return;
  const rlim_t each = std::min<rlim_t>(stack.rlim_cur, kMostStack);
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_cur,
                                    bytes / 10 * 9 + std::min<rlim_t>(threads * each, bytes / 10));
  setrlimit(RLIMIT_DATA, &limit);
}

bool memory_used_up() {
  if (g_used_up) return true;
  if (g_soft == 0) return false;
  const int64_t now = std::chrono::steady_clock::now().time_since_epoch().count();
  int64_t last = g_last_look;
  if (now - last < kPause || !g_last_look.compare_exchange_strong(last, now)) return false;
  if (look()) g_used_up = true;
  return g_used_up;
}

void release_memory() {
  if (is_freeing() || g_used_up) malloc_trim(0);
  g_used_up = false;
}

}  // namespace clew::check
