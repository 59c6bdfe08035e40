#include "base/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>

#include "base/text.h"

namespace clew {

namespace {

constexpr size_t kChunk = 64U << 10U;

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  bool valid() const { return number_ >= 0; }
  int number() const { return number_; }
  bool close() {
    const int number = number_;
    number_ = -1;
    return number < 0 || ::close(number) == 0;
  }

 private:
  int number_;
};

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
      return "make room on the disk";
    case EROFS:
      return "choose a place that can be written to";
    case EMFILE:
    case ENFILE:
      return "close some files and try again";
    default:
      return "";
  }
}

Error cannot(const char* verb, const std::string& path, int code) {
  std::string why = code == ENOENT   ? "there is no such file or folder"
                    : code == EISDIR ? "it is a directory"
                                     : std::strerror(code);
  return {fmt::format("cannot {} {}: {}", verb, path, why), remedy_for(code)};
}

Error too_large(const std::string& path, uint64_t most) {
  return {fmt::format("cannot read {}: it has more than {}", path, count_noun(most, "byte")),
          "check that it is the file you mean, or split it"};
}

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    text.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

// A new file beside `target`, with the mode that any new file gets; `temporary` becomes its path.
int create_beside(const std::string& target, std::string& temporary) {
  constexpr int kAttempts = 1000;
  const std::filesystem::path folder = std::filesystem::path(target).parent_path();
  for (int i = 0; i < kAttempts; ++i) {
    temporary = (folder / fmt::format(".clew-{}-{}", ::getpid(), i)).string();
    const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

// The new file takes the owner and the mode of the old one.
bool take_after(int descriptor, const struct stat& old) {
  if (old.st_uid != ::geteuid() || old.st_gid != ::getegid()) {
    // Only the superuser may give files away; anyone else's copy becomes their own.
    if (::fchown(descriptor, old.st_uid, old.st_gid) != 0) errno = 0;
  }
  return ::fchmod(descriptor, old.st_mode & 0777U) == 0;
}

// Fills the temporary file and gives it the place of `target`; false leaves the reason in errno.
bool fill_and_rename(Descriptor& file, const std::string& temporary, const std::string& target,
                     const struct stat* old, std::string_view text) {
  if (!write_all(file.number(), text)) return false;
  if (old != nullptr && !take_after(file.number(), *old)) return false;
  if (::fsync(file.number()) != 0 || !file.close()) return false;
  return ::rename(temporary.c_str(), target.c_str()) == 0;
}

Status replace_file(const std::string& path, const std::string& target, const struct stat* old,
                    std::string_view text) {
  std::string temporary;
  Descriptor file(create_beside(target, temporary));
  if (!file.valid()) return cannot("write", path, errno);
  if (!fill_and_rename(file, temporary, target, old, text)) {
    const int code = errno;
    ::unlink(temporary.c_str());
    return cannot("write", path, code);
  }
  return Nothing{};
}

// Devices and pipes have no old text to protect, and must not be replaced by a file.
Status write_in_place(const std::string& path, std::string_view text) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.valid()) return cannot("write", path, errno);
  if (!write_all(file.number(), text) || !file.close()) return cannot("write", path, errno);
  return Nothing{};
}

}  // namespace

Result<std::string> read_file(const std::string& path, uint64_t most) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) return cannot("read", path, errno);
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) return cannot("read", path, errno);
  if (S_ISDIR(status.st_mode)) return cannot("read", path, EISDIR);
  auto stated = static_cast<uint64_t>(std::max<off_t>(status.st_size, 0));
  if (stated > most) return too_large(path, most);

  // The stated size is only a hint: pipes and devices state 0, and files grow.
  std::string text;
  text.reserve(stated);
  std::string chunk(kChunk, '\0');
  while (true) {
    const ssize_t count = ::read(file.number(), chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return cannot("read", path, errno);
    if (count == 0) return text;
    if (text.size() + static_cast<size_t>(count) > most) return too_large(path, most);
    text.append(chunk, 0, static_cast<size_t>(count));
  }
}

Status write_file_atomically(const std::string& path, std::string_view text) {
  struct stat old {};
  if (::stat(path.c_str(), &old) != 0) {
    if (errno != ENOENT) return cannot("write", path, errno);
    return replace_file(path, path, nullptr, text);
  }
  if (S_ISDIR(old.st_mode)) return cannot("write", path, EISDIR);
  if (!S_ISREG(old.st_mode)) return write_in_place(path, text);
  // A link stays a link: the file behind it is replaced.
  std::error_code failure;
  const std::string target = std::filesystem::canonical(path, failure).string();
  if (failure) return cannot("write", path, failure.value());
  return replace_file(path, target, &old, text);
}

}  // namespace clew
