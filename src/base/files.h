// Reading and writing files, with limits and without half-written results.
//
// A pipe may have nobody at its other end. Both wait ten seconds for somebody to come, and writing
// for bytes to be taken, and no longer; in a hurry (patience.h) half a second.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace clew {

// The whole file. More than `most` bytes, a directory, or anything unreadable is an Error; memory
// stays bounded by `most` even for endless files such as /dev/zero. Throws Stopped if a signal
// comes while it waits for a pipe or a terminal.
Result<std::string> read_file(const std::string& path, uint64_t most);

// Readers see the old text or the new one, and no other file (see temporary.h). Devices, pipes, and
// what stdout or stderr goes to are written to as they are.
Status write_file_atomically(const std::string& path, std::string_view text);

// What has been written is on the disk, and outlives a machine that crashes now. On a busy disk
// that takes seconds, so in a hurry (patience.h) nobody waits for it: what is written outlives the
// process all the same. False leaves the reason in errno.
bool sync_to_disk(int descriptor);

// What is written to as it is, so that there are no further files beside it, such as NAME.2.json.
bool is_stream(const std::string& path);

// Why a system call has failed, in words, and what to do about it (may be empty).
std::string why_not(int code);
std::string remedy_for(int code);

// For what cannot be written to `path`; `kept` says what is there now.
Error cannot_write(const std::string& path, int code, const std::string& kept = "");

// The whole text; false leaves the reason in errno.
bool write_all(int descriptor, std::string_view text);

}  // namespace clew
