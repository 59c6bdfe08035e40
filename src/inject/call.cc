#include "inject/call.h"

#include <fmt/format.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>

namespace clew::inject {
namespace {

// What each call can really return when all that is wrong is the world outside: a disk, a peer, a
// limit. The ones that teach most come first.
constexpr int kOpening[] = {EIO, ENOSPC, EACCES, EMFILE, ENFILE, EROFS, EDQUOT, ENOMEM};
constexpr int kReading[] = {EIO, ECONNRESET, ETIMEDOUT};
constexpr int kReadingAt[] = {EIO};
constexpr int kWriting[] = {EIO, ENOSPC, EPIPE, ECONNRESET, EDQUOT, EROFS, EFBIG, ETIMEDOUT};
constexpr int kWritingAt[] = {EIO, ENOSPC, EDQUOT, EROFS, EFBIG};
constexpr int kSyncing[] = {EIO, ENOSPC, EDQUOT, EROFS};
constexpr int kMapSyncing[] = {EIO};
constexpr int kNaming[] = {EIO, ENOSPC, EROFS, EDQUOT, EACCES, ENOMEM};
constexpr int kUnnaming[] = {EIO, EROFS, EACCES, ENOMEM};
constexpr int kSizing[] = {EIO, ENOSPC, EROFS, EDQUOT, EFBIG};
constexpr int kCopying[] = {EIO, ENOSPC, EPIPE, ECONNRESET, EDQUOT, ENOMEM};
constexpr int kClosing[] = {EIO, ENOSPC, EDQUOT};
constexpr int kConnecting[] = {ECONNREFUSED, ETIMEDOUT, EHOSTUNREACH, ENETUNREACH, EADDRNOTAVAIL};
constexpr int kAccepting[] = {ECONNABORTED, EMFILE, ENFILE, ENOBUFS, ENOMEM};
constexpr int kSending[] = {EPIPE, ECONNRESET, ETIMEDOUT, EHOSTUNREACH, ENETUNREACH, ENOBUFS};
constexpr int kReceiving[] = {ECONNRESET, ETIMEDOUT, ECONNREFUSED, EHOSTUNREACH};
constexpr int kShutting[] = {ENOTCONN};
constexpr int kForking[] = {EAGAIN, ENOMEM};
constexpr int kExecuting[] = {EIO, ENOMEM, EAGAIN, EACCES};

constexpr std::span<const int> kNothing{};

// The words that rows are written with.
namespace words {

using enum Io;
using enum CallRow::Shape;

// By number. Columns as in CallRow:
//   descriptor, descriptor2, path, path2, buffer, count, offset, shape, errors
constexpr CallRow kCalls[] = {
    {SYS_read, "read", kRead, 0, -1, -1, -1, 1, 2, -1, kBytes, kReading},
    {SYS_write, "write", kWrite, 0, -1, -1, -1, 1, 2, -1, kBytes, kWriting},
    {SYS_open, "open", kOpen, -1, -1, 0, -1, -1, -1, -1, kNone, kOpening},
    {SYS_close, "close", kClose, 0, -1, -1, -1, -1, -1, -1, kNone, kClosing},
    {SYS_mmap, "mmap", kOther, 4, -1, -1, -1, -1, 1, 5, kNone, kNothing},
    {SYS_ioctl, "ioctl", kOther, 0, -1, -1, -1, -1, -1, -1, kNone, kNothing},
    {SYS_pread64, "pread64", kRead, 0, -1, -1, -1, 1, 2, 3, kBytes, kReadingAt},
    {SYS_pwrite64, "pwrite64", kWrite, 0, -1, -1, -1, 1, 2, 3, kBytes, kWritingAt},
    {SYS_readv, "readv", kRead, 0, -1, -1, -1, 1, 2, -1, kVector, kReading},
    {SYS_writev, "writev", kWrite, 0, -1, -1, -1, 1, 2, -1, kVector, kWriting},
    {SYS_pipe, "pipe", kOther, -1, -1, -1, -1, -1, -1, -1, kNone, kNothing},
    {SYS_msync, "msync", kSync, -1, -1, -1, -1, -1, -1, -1, kNone, kMapSyncing},
    {SYS_dup, "dup", kOther, 0, -1, -1, -1, -1, -1, -1, kNone, kNothing},
    {SYS_dup2, "dup2", kOther, 0, 1, -1, -1, -1, -1, -1, kNone, kNothing},
    {SYS_sendfile, "sendfile", kCopy, 0, 1, -1, -1, -1, 3, -1, kNone, kCopying},
    {SYS_socket, "socket", kOther, -1, -1, -1, -1, -1, -1, -1, kNone, kNothing},
    {SYS_connect, "connect", kConnect, 0, -1, -1, -1, -1, -1, -1, kNone, kConnecting},
    {SYS_accept, "accept", kAccept, 0, -1, -1, -1, -1, -1, -1, kNone, kAccepting},
    {SYS_sendto, "sendto", kSend, 0, -1, -1, -1, 1, 2, -1, kBytes, kSending},
    {SYS_recvfrom, "recvfrom", kReceive, 0, -1, -1, -1, 1, 2, -1, kBytes, kReceiving},
    {SYS_sendmsg, "sendmsg", kSend, 0, -1, -1, -1, 1, -1, -1, kMessage, kSending},
    {SYS_recvmsg, "recvmsg", kReceive, 0, -1, -1, -1, 1, -1, -1, kMessage, kReceiving},
    {SYS_shutdown, "shutdown", kShutdown, 0, -1, -1, -1, -1, -1, -1, kNone, kShutting},
    {SYS_bind, "bind", kOther, 0, -1, -1, -1, -1, -1, -1, kNone, kNothing},
    {SYS_listen, "listen", kOther, 0, -1, -1, -1, -1, -1, -1, kNone, kNothing},
    {SYS_socketpair, "socketpair", kOther, -1, -1, -1, -1, -1, -1, -1, kNone, kNothing},
    {SYS_clone, "clone", kProcess, -1, -1, -1, -1, -1, -1, -1, kNone, kForking},
    {SYS_fork, "fork", kProcess, -1, -1, -1, -1, -1, -1, -1, kNone, kForking},
    {SYS_vfork, "vfork", kProcess, -1, -1, -1, -1, -1, -1, -1, kNone, kForking},
    {SYS_execve, "execve", kProcess, -1, -1, 0, -1, -1, -1, -1, kNone, kExecuting},
    {SYS_exit, "exit", kProcess, -1, -1, -1, -1, -1, -1, -1, kNone, kNothing},
    {SYS_wait4, "wait4", kProcess, -1, -1, -1, -1, -1, -1, -1, kNone, kNothing},
    {SYS_fcntl, "fcntl", kOther, 0, -1, -1, -1, -1, -1, -1, kNone, kNothing},
    {SYS_fsync, "fsync", kSync, 0, -1, -1, -1, -1, -1, -1, kNone, kSyncing},
    {SYS_fdatasync, "fdatasync", kSync, 0, -1, -1, -1, -1, -1, -1, kNone, kSyncing},
    {SYS_truncate, "truncate", kSize, -1, -1, 0, -1, -1, 1, -1, kNone, kSizing},
    {SYS_ftruncate, "ftruncate", kSize, 0, -1, -1, -1, -1, 1, -1, kNone, kSizing},
    {SYS_chdir, "chdir", kOther, -1, -1, 0, -1, -1, -1, -1, kNone, kNothing},
    {SYS_fchdir, "fchdir", kOther, 0, -1, -1, -1, -1, -1, -1, kNone, kNothing},
    {SYS_rename, "rename", kNames, -1, -1, 0, 1, -1, -1, -1, kNone, kNaming},
    {SYS_mkdir, "mkdir", kNames, -1, -1, 0, -1, -1, -1, -1, kNone, kNaming},
    {SYS_rmdir, "rmdir", kNames, -1, -1, 0, -1, -1, -1, -1, kNone, kUnnaming},
    {SYS_creat, "creat", kOpen, -1, -1, 0, -1, -1, -1, -1, kNone, kOpening},
    {SYS_link, "link", kNames, -1, -1, 0, 1, -1, -1, -1, kNone, kNaming},
    {SYS_unlink, "unlink", kNames, -1, -1, 0, -1, -1, -1, -1, kNone, kUnnaming},
    {SYS_symlink, "symlink", kNames, -1, -1, 1, -1, -1, -1, -1, kNone, kNaming},
    {SYS_mknod, "mknod", kNames, -1, -1, 0, -1, -1, -1, -1, kNone, kNaming},
    {SYS_chroot, "chroot", kOther, -1, -1, 0, -1, -1, -1, -1, kNone, kNothing},
    {SYS_sync, "sync", kSync, -1, -1, -1, -1, -1, -1, -1, kNone, kNothing},
    {SYS_exit_group, "exit_group", kProcess, -1, -1, -1, -1, -1, -1, -1, kNone, kNothing},
    {SYS_waitid, "waitid", kProcess, -1, -1, -1, -1, -1, -1, -1, kNone, kNothing},
    {SYS_openat, "openat", kOpen, 0, -1, 1, -1, -1, -1, -1, kNone, kOpening},
    {SYS_mkdirat, "mkdirat", kNames, 0, -1, 1, -1, -1, -1, -1, kNone, kNaming},
    {SYS_mknodat, "mknodat", kNames, 0, -1, 1, -1, -1, -1, -1, kNone, kNaming},
    {SYS_unlinkat, "unlinkat", kNames, 0, -1, 1, -1, -1, -1, -1, kNone, kUnnaming},
    {SYS_renameat, "renameat", kNames, 0, 2, 1, 3, -1, -1, -1, kNone, kNaming},
    {SYS_linkat, "linkat", kNames, 0, 2, 1, 3, -1, -1, -1, kNone, kNaming},
    {SYS_symlinkat, "symlinkat", kNames, 1, -1, 2, -1, -1, -1, -1, kNone, kNaming},
    {SYS_splice, "splice", kCopy, 2, 0, -1, -1, -1, 4, -1, kNone, kCopying},
    {SYS_tee, "tee", kCopy, 1, 0, -1, -1, -1, 2, -1, kNone, kNothing},
    {SYS_sync_file_range, "sync_file_range", kSync, 0, -1, -1, -1, -1, 2, 1, kNone, kSyncing},
    {SYS_vmsplice, "vmsplice", kCopy, 0, -1, -1, -1, 1, 2, -1, kVector, kNothing},
    {SYS_fallocate, "fallocate", kSize, 0, -1, -1, -1, -1, 3, 2, kNone, kSizing},
    {SYS_accept4, "accept4", kAccept, 0, -1, -1, -1, -1, -1, -1, kNone, kAccepting},
    {SYS_dup3, "dup3", kOther, 0, 1, -1, -1, -1, -1, -1, kNone, kNothing},
    {SYS_pipe2, "pipe2", kOther, -1, -1, -1, -1, -1, -1, -1, kNone, kNothing},
    {SYS_preadv, "preadv", kRead, 0, -1, -1, -1, 1, 2, 3, kVector, kReadingAt},
    {SYS_pwritev, "pwritev", kWrite, 0, -1, -1, -1, 1, 2, 3, kVector, kWritingAt},
    {SYS_recvmmsg, "recvmmsg", kReceive, 0, -1, -1, -1, 1, 2, -1, kMessages, kReceiving},
    {SYS_open_by_handle_at, "open_by_handle_at", kOpen, 0, -1, -1, -1, -1, -1, -1, kNone, kOpening},
    {SYS_syncfs, "syncfs", kSync, 0, -1, -1, -1, -1, -1, -1, kNone, kSyncing},
    {SYS_sendmmsg, "sendmmsg", kSend, 0, -1, -1, -1, 1, 2, -1, kMessages, kSending},
    {SYS_renameat2, "renameat2", kNames, 0, 2, 1, 3, -1, -1, -1, kNone, kNaming},
    {SYS_execveat, "execveat", kProcess, 0, -1, 1, -1, -1, -1, -1, kNone, kExecuting},
    {SYS_copy_file_range, "copy_file_range", kCopy, 2, 0, -1, -1, -1, 4, -1, kNone, kWritingAt},
    {SYS_preadv2, "preadv2", kRead, 0, -1, -1, -1, 1, 2, 3, kVector, kReading},
    {SYS_pwritev2, "pwritev2", kWrite, 0, -1, -1, -1, 1, 2, 3, kVector, kWriting},
    {SYS_clone3, "clone3", kProcess, -1, -1, -1, -1, -1, -1, -1, kNone, kForking},
    {SYS_close_range, "close_range", kOther, -1, -1, -1, -1, -1, -1, -1, kNone, kNothing},
    {SYS_openat2, "openat2", kOpen, 0, -1, 1, -1, -1, -1, -1, kNone, kOpening},
};

}  // namespace words

using words::kCalls;

static_assert(std::ranges::is_sorted(kCalls, {}, &CallRow::number));

}  // namespace

const char* to_string(Io io) {
  using enum Io;
  switch (io) {
    case kOpen:
      return "open";
    case kRead:
      return "read";
    case kWrite:
      return "write";
    case kSync:
      return "sync";
    case kNames:
      return "names";
    case kSize:
      return "size";
    case kCopy:
      return "copy";
    case kClose:
      return "close";
    case kConnect:
      return "connect";
    case kAccept:
      return "accept";
    case kSend:
      return "send";
    case kReceive:
      return "receive";
    case kShutdown:
      return "shutdown";
    case kProcess:
      return "process";
    case kOther:
      return "other";
  }
  return "other";
}

const CallRow* find_call(long number) {
  const CallRow* found = std::ranges::lower_bound(kCalls, number, {}, &CallRow::number);
  return found != std::end(kCalls) && found->number == number ? found : nullptr;
}

std::span<const CallRow> all_calls() { return kCalls; }

std::string error_name(int error) {
  const char* name = strerrorname_np(error);
  return name != nullptr && error > 0 ? name : fmt::format("errno {}", error);
}

int error_number(std::string_view name) {
  constexpr int kLast = EHWPOISON;
  for (int error = 1; error <= kLast; ++error) {
    const char* known = strerrorname_np(error);
    if (known != nullptr && name == known) {
      return error;
    }
  }
  // The other names of the same numbers.
  if (name == "EWOULDBLOCK") {
    return EWOULDBLOCK;
  }
  return name == "ENOTSUP" ? ENOTSUP : 0;
}

}  // namespace clew::inject
