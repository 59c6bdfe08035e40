// What the disk model (disk.h) has to know of a call, from the process that makes it.
//
//   DiskCall done = disk_call_before(call);          // when it stops before the call
//   disk_call_after(call, result, 1 << 20, done);    // when it has succeeded
//   disk.note(done);
#pragma once

#include <cstddef>
#include <cstdint>

#include "inject/disk.h"
#include "inject/surface/tracer.h"

namespace clew::inject {

// Paths, flags, and whether open makes a file: what can no longer be told afterwards.
DiskCall disk_call_before(const StoppedCall& call);

// Result, inodes, where it was written, and the bytes (at most so many: then `bytes` is shorter
// than `result`).
void disk_call_after(const StoppedCall& call, int64_t result, size_t most_bytes, DiskCall& done);

}  // namespace clew::inject
