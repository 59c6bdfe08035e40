// The memory of a stopped process.
//
//   uint64_t word = 0;
//   if (read_exactly(thread, address, &word, sizeof word)) use(word);
//   read_some(thread, sp, bytes);          // as much of it as there is
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace clew::inject {

// How much could be read: all of it, or up to a page that is not there.
size_t read_some(pid_t thread, uint64_t address, std::span<char> to);
bool read_exactly(pid_t thread, uint64_t address, void* to, size_t size);
// Up to a zero; nothing if there is none among the first `most` bytes.
std::optional<std::string> read_string(pid_t thread, uint64_t address, size_t most = 4096);

}  // namespace clew::inject
