#include "inject/surface/memory.h"

#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace clew::inject {

namespace {

constexpr size_t kPage = 4096;
constexpr size_t kMostAtOnce = 16;

}  // namespace

size_t read_some(pid_t thread, uint64_t address, std::span<char> to) {
  size_t done = 0;
  while (done < to.size()) {
    // A part for each page: what is read up to a page that is not there is told in whole parts.
    std::array<iovec, kMostAtOnce> parts;
    size_t count = 0;
    size_t wanted = 0;
    while (count < kMostAtOnce && done + wanted < to.size()) {
      const uint64_t at = address + done + wanted;
      const size_t size = std::min<size_t>(to.size() - done - wanted, kPage - at % kPage);
      parts[count++] = {reinterpret_cast<void*>(at), size};
      wanted += size;
    }
    const iovec local{to.data() + done, wanted};
    const ssize_t got = ::process_vm_readv(thread, &local, 1, parts.data(), count, 0);
    if (got <= 0) break;
    done += static_cast<size_t>(got);
    if (static_cast<size_t>(got) < wanted) break;
  }
  return done;
}

bool read_exactly(pid_t thread, uint64_t address, void* to, size_t size) {
  return read_some(thread, address, {static_cast<char*>(to), size}) == size;
}

std::optional<std::string> read_string(pid_t thread, uint64_t address, size_t most) {
  std::string text;
  while (text.size() < most) {
    std::array<char, 256> chunk;
    const size_t wanted = std::min(chunk.size(), most - text.size());
    const size_t got = read_some(thread, address + text.size(), {chunk.data(), wanted});
    const std::string_view part(chunk.data(), got);
    const size_t end = part.find('\0');
    text += part.substr(0, end);
    if (end != std::string_view::npos) return text;
    if (got < wanted) break;
  }
  return std::nullopt;
}

}  // namespace clew::inject
