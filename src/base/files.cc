#include "base/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <optional>

#include "base/descriptor.h"
#include "base/patience.h"
#include "base/stop.h"
#include "base/temporary.h"
#include "base/text.h"

namespace clew {

namespace {

constexpr size_t kChunk = 64U << 10U;
constexpr std::chrono::milliseconds kPause{20};

using Clock = std::chrono::steady_clock;

Error cannot_read(const std::string& path, const std::string& why, const std::string& remedy) {
  return {fmt::format("cannot read {}: {}", path, why), remedy};
}

Error cannot_read(const std::string& path, int code) {
  return cannot_read(path, why_not(code), remedy_for(code));
}

Error too_large(const std::string& path, uint64_t most) {
  return cannot_read(path, fmt::format("it has more than {}", count_noun(most, "byte")),
                     "check that it is the file you mean, or split it");
}

// Until the descriptor is ready for `what`, or `most` has passed: then false. Throws Stopped if a
// signal that somebody looks out for comes first.
bool wait_for(int descriptor, short what, std::optional<Clock::duration> most) {
  struct pollfd one {
    descriptor, what, 0
  };
  using std::chrono::milliseconds;
  const int timeout =
      most ? static_cast<int>(std::chrono::duration_cast<milliseconds>(*most).count()) : -1;
  const int ready = ::poll(&one, 1, timeout);
  if (ready < 0 && errno == EINTR) throw Stopped();
  return ready != 0;
}

// Not even /dev/fd/63, which the shell makes of <(...).
bool has_name(int pipe) {
  struct statfs system {};
  return ::fstatfs(pipe, &system) == 0 && system.f_type != PIPEFS_MAGIC;
}

class Reader {
 public:
  Reader(int descriptor, const struct stat& status)
      : descriptor_(descriptor),
        expects_writer_(S_ISFIFO(status.st_mode) && has_name(descriptor)) {}

  // How many bytes were put into `chunk`: 0 at the end, -1 if errno says why there are none.
  ssize_t read(std::string& chunk) {
    while (true) {
      const ssize_t count = ::read(descriptor_, chunk.data(), chunk.size());
      const bool must_wait = count < 0 && errno == EAGAIN;
      if (count > 0 || must_wait) expects_writer_ = false;
      if (count == 0 && expects_writer_) {
        if (!wait_for_writer()) return -1;
      } else if (must_wait) {
        wait_for(descriptor_, POLLIN, std::nullopt);
      } else if (count >= 0 || errno != EINTR) {
        return count;
      }
    }
  }

 private:
  // The pipe is at its end, but perhaps only because nobody has begun yet.
  bool wait_for_writer() {
    if (wait_for(descriptor_, POLLIN, kPause)) expects_writer_ = false;
    errno = ENXIO;
    return Clock::now() - begin_ < patience();
  }

  int descriptor_;
  bool expects_writer_;
  Clock::time_point begin_ = Clock::now();
};

Result<std::string> read_all(const std::string& path, Reader& reader, uint64_t stated,
                             uint64_t most) {
  // The stated size is only a hint: pipes and devices state 0, and files grow.
  std::string text;
  text.reserve(stated);
  std::string chunk(kChunk, '\0');
  while (true) {
    const ssize_t count = reader.read(chunk);
    if (count < 0 && errno == ENXIO) {
      return cannot_read(path, "it is a pipe that nobody writes to", "write to it, or name a file");
    }
    if (count < 0) return cannot_read(path, errno);
    if (count == 0) return text;
    if (text.size() + static_cast<size_t>(count) > most) return too_large(path, most);
    text.append(chunk, 0, static_cast<size_t>(count));
  }
}

// The new file takes the owner and the mode of the old one.
bool take_after(int descriptor, const struct stat& old) {
  if (old.st_uid != ::geteuid() || old.st_gid != ::getegid()) {
    // Only the superuser may give files away; anyone else's copy becomes their own.
    if (::fchown(descriptor, old.st_uid, old.st_gid) != 0) errno = 0;
  }
  return ::fchmod(descriptor, old.st_mode & 0777U) == 0;
}

bool fill(int descriptor, const struct stat* old, std::string_view text) {
  if (!write_all(descriptor, text)) return false;
  if (old != nullptr && !take_after(descriptor, *old)) return false;
  return sync_to_disk(descriptor);
}

Status replace_file(const std::string& path, const std::string& target, const struct stat* old,
                    std::string_view text) {
  const char* kept = old != nullptr ? "it is as it was before" : "nothing was written";
  const std::string folder = std::filesystem::path(target).parent_path().string();
  remove_leftovers(folder);
  TemporaryFile file = TemporaryFile::without_name(folder);
  if (file.valid()) {
    if (!fill(file.descriptor(), old, text)) return cannot_write(path, errno, kept);
    if (file.take_place_of(target)) return Nothing{};
  }
  // Not every file system knows files without names.
  TemporaryFile named = TemporaryFile::with_name(folder);
  if (!named.valid()) return cannot_write(path, errno);
  const bool done = fill(named.descriptor(), old, text) && named.take_place_of(target);
  if (!done) return cannot_write(path, errno, kept);
  return Nothing{};
}

// A pipe can be opened as soon as there is somebody who reads it.
Descriptor open_stream(const std::string& path) {
  constexpr int kFlags = O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  const Clock::time_point begin = Clock::now();
  while (true) {
    Descriptor file(::open(path.c_str(), kFlags));
    if (file.valid() || errno != ENXIO || Clock::now() - begin > patience()) return file;
    wait_for(-1, 0, kPause);
  }
}

Status write_stream(const std::string& path, std::string_view text) {
  const auto unread = [&](const std::string& why) {
    return Error{fmt::format("cannot write {}: {}", path, why), "read from it, or name a file"};
  };
  const Descriptor file = open_stream(path);
  if (!file.valid() && errno == ENXIO) return unread("it is a pipe that nobody reads");
  if (!file.valid()) return cannot_write(path, errno);
  while (!text.empty()) {
    const ssize_t written = ::write(file.number(), text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<size_t>(written));
    } else if (errno == EAGAIN) {
      const auto most = patience();
      if (!wait_for(file.number(), POLLOUT, most)) {
        return unread(fmt::format("for {} nobody has read what is in the pipe", in_words(most)));
      }
    } else if (errno != EINTR) {
      return cannot_write(path, errno, "a part of the text may be there");
    }
  }
  return Nothing{};
}

// Which of stdout and stderr is this file, as it is with /dev/stdout.
std::optional<int> find_own_stream(const struct stat& file) {
  for (const int number : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat own {};
    if (::fstat(number, &own) != 0) continue;
    if (own.st_dev == file.st_dev && own.st_ino == file.st_ino) return number;
  }
  return std::nullopt;
}

Status write_in_place(const std::string& path, const struct stat& status, std::string_view text) {
  const auto refuse = [&](const char* why) {
    return Error{fmt::format("cannot write {}: {}", path, why), "name a file"};
  };
  // What was printed there before stays.
  if (const std::optional<int> own = find_own_stream(status)) {
    if (write_all(*own, text)) return Nothing{};
    return cannot_write(path, errno, "a part of the text may be there");
  }
  if (S_ISBLK(status.st_mode)) return refuse("it is a disk");
  if (S_ISSOCK(status.st_mode)) return refuse("it is a socket");
  try {
    return write_stream(path, text);
  } catch (const Stopped&) {
    return refuse("interrupted before all was read");
  }
}

}  // namespace

std::string why_not(int code) {
  switch (code) {
    case ENOENT:
      return "there is no such file or folder";
    case EISDIR:
      return "it is a directory";
    case ENOSPC:
      return "the disk is full";
    case EDQUOT:
      return "your share of the disk (quota) is used up";
    case EFBIG:
      return "it would be larger than a file may be (ulimit -f)";
    case EROFS:
      return "the disk can only be read";
    default:
      return std::strerror(code);
  }
}

std::string remedy_for(int code) {
  switch (code) {
    case ENOENT:
    case ENOTDIR:
      return "check the path";
    case EACCES:
    case EPERM:
      return "check the permissions of the file and of the folders above it";
    case EISDIR:
      return "name a file in it";
    case ENOSPC:
    case EDQUOT:
      return "make room on the disk, or choose a place on another one";
    case EFBIG:
      return "raise the limit: ulimit -f unlimited";
    case EROFS:
      return "choose a place that can be written to";
    case EMFILE:
    case ENFILE:
      return "close some files and try again";
    default:
      return "";
  }
}

Error cannot_write(const std::string& path, int code, const std::string& kept) {
  return {
      fmt::format("cannot write {}: {}{}{}", path, why_not(code), kept.empty() ? "" : "; ", kept),
      remedy_for(code)};
}

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<size_t>(written));
    } else if (errno == EAGAIN) {
      // Somebody who shares the stream does not want to wait for it; we do.
      struct pollfd one {
        descriptor, POLLOUT, 0
      };
      ::poll(&one, 1, -1);
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

bool sync_to_disk(int descriptor) { return in_a_hurry() || ::fsync(descriptor) == 0; }

Result<std::string> read_file(const std::string& path, uint64_t most) {
  // Opening a pipe or a modem must not wait for the other end.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!file.valid() && errno == ENXIO) {
    return cannot_read(path, "it is a socket, or a device that is not there", "name a file");
  }
  if (!file.valid()) return cannot_read(path, errno);
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) return cannot_read(path, errno);
  if (S_ISDIR(status.st_mode)) return cannot_read(path, EISDIR);
  const auto stated = static_cast<uint64_t>(std::max<off_t>(status.st_size, 0));
  if (stated > most) return too_large(path, most);
  Reader reader(file.number(), status);
  return read_all(path, reader, stated, most);
}

bool is_stream(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || S_ISDIR(status.st_mode)) return false;
  return !S_ISREG(status.st_mode) || find_own_stream(status);
}

Status write_file_atomically(const std::string& path, std::string_view text) {
  struct stat old {};
  if (::stat(path.c_str(), &old) != 0) {
    if (errno != ENOENT) return cannot_write(path, errno);
    return replace_file(path, path, nullptr, text);
  }
  if (S_ISDIR(old.st_mode)) return cannot_write(path, EISDIR);
  if (!S_ISREG(old.st_mode) || find_own_stream(old)) return write_in_place(path, old, text);
  // A link stays a link: the file behind it is replaced.
  std::error_code failure;
  const std::string target = std::filesystem::canonical(path, failure).string();
  if (failure) return cannot_write(path, failure.value());
  return replace_file(path, target, &old, text);
}

}  // namespace clew
