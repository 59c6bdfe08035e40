// The failure surface: the system calls at which something may fail, and what is known of one.
//
//   const CallRow* row = find_call(SYS_pwrite64);
//   row->name;                           // "pwrite64"
//   row->io;                             // Io::kWrite
//   row->errors;                         // EIO, ENOSPC, ...: what the call can really return
//
// One table says all of it: what the filter traces, what arguments mean, what may be injected, and
// the table of docs/failure-surface.md, which a test compares. Of mmap, fcntl and ioctl only those
// are part of it that change what a file is called or how it changes: shared and executable maps of
// files, F_DUPFD, F_DUPFD_CLOEXEC, F_SETFL, FICLONE, FICLONERANGE.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clew::inject {

// What a call is for.
enum class Io {
  kOpen,   // opens or creates a file
  kRead,   // from a file
  kWrite,  // to a file
  kSync,   // fsync, fdatasync, sync_file_range, msync, syncfs, sync
  kNames,  // rename, unlink, link, symlink, mkdir, rmdir: what a folder says
  kSize,   // ftruncate, truncate, fallocate
  kCopy,   // copy_file_range, sendfile, splice
  kClose,
  kConnect,
  kAccept,
  kSend,
  kReceive,
  kShutdown,
  kProcess,  // fork, vfork, clone, exec, exit, wait
  kOther,    // followed only: dup, fcntl, socket, bind, mmap, chdir, ...
};

const char* to_string(Io io);  // "open", "read", "write", ...

// Which argument (0 to 5) is what; -1: there is none.
struct CallRow {
  long number;
  const char* name;
  Io io;
  int8_t descriptor = -1;   // what it works on
  int8_t descriptor2 = -1;  // what it copies from or to; of a pair of folders, the second
  int8_t path = -1;         // relative to `descriptor`, if there is one, else to the folder
  int8_t path2 = -1;        // relative to `descriptor2`
  int8_t buffer = -1;       // bytes, or an iovec or msghdr, as `shape` says
  int8_t count = -1;        // of bytes, or of iovecs and messages; of truncate the new size
  int8_t offset = -1;
  enum class Shape : uint8_t { kNone, kBytes, kVector, kMessage, kMessages } shape = Shape::kNone;
  std::span<const int> errors{};  // what tells most first; empty: nothing is injected
};

const CallRow* find_call(long number);  // null: not part of the surface
std::span<const CallRow> all_calls();   // by number

// "EIO"; an unknown number as "errno 999".
std::string error_name(int error);
int error_number(std::string_view name);  // 0: there is no such

// What a call is about, as a run without differences in names, ports and pids calls it (names.h).
struct Object {
  // kSocket: of a stream, or not known. The last has come last, so that ids of points stay.
  enum class Kind : uint8_t { kNone, kFile, kFolder, kSocket, kPipe, kOutput, kOther, kDatagrams };
  Kind kind = Kind::kNone;
  std::string name;     // a path below the state or an absolute one; `NODE:PORT` of a peer
  std::string exact{};  // the same before names were made equal

  friend bool operator==(const Object&, const Object&) = default;
};

// One call as it happened. Numbers refer to the Observed run (observed.h) that it is part of.
struct Call {
  uint32_t node = 0;
  uint32_t process = 0;  // of the node, in the order in which they began, from 0
  uint32_t thread = 0;   // of the process, likewise
  const CallRow* row = nullptr;
  uint32_t point = 0;       // Observed::points
  uint32_t life = 1;        // of its node, which begins with its how many-th start
  uint32_t occurrence = 1;  // of this point in its thread: 1 is the first
  Object object{};
  Object object2{};       // of rename, link, copies
  uint64_t offset = 0;    // where the file is read or written, as far as that is known
  uint64_t size = 0;      // what was asked for
  int64_t result = 0;     // negative: an error
  bool finished = false;  // false: the process died in it
  bool injected = false;  // something was made to go wrong here
};

}  // namespace clew::inject
