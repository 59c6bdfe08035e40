// Reading and writing files, with limits and without half-written results.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace clew {

// The whole file. More than `most` bytes, a directory, or anything unreadable is an Error; memory
// stays bounded by `most` even for endless files such as /dev/zero.
Result<std::string> read_file(const std::string& path, uint64_t most);

// Writes a temporary file beside `path` and renames it: readers see the old text or the new one.
Status write_file_atomically(const std::string& path, std::string_view text);

}  // namespace clew
