// How much memory the process may take: a budget like time.
//
// It belongs to the process, as memory does. memory_used_up() is true soon before the limit is
// reached, and whoever asks ends his work. Beyond the limit allocations fail, which ends the work
// at hand (see unless_stopped() in base/stop.h) and counts as used up, too.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace clew::check {

inline constexpr const char* kDefaultMemory = "2GiB";

// "512M", "2G", "2GiB", "1500MB": at least 128 MiB. K, M, G and T are powers of 1024.
Result<uint64_t> parse_size(const std::string& text);

// Once, before the work begins. A limit that the system has set already stays if it is lower.
// Stacks of so many threads count, too, though little of them is ever used.
void limit_memory(uint64_t bytes, size_t threads = 2);

// Any thread may ask, as often as it likes.
bool memory_used_up();

// The work that used it up has ended: gives back what it held, so that the next may begin.
void release_memory();

}  // namespace clew::check
