#include "inject/trees.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <filesystem>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/files.h"

namespace clew::inject {

namespace {

constexpr size_t kMostSmallFiles = 100;

Error cannot_copy(const std::string& path, int code) {
  return {fmt::format("cannot copy {}: {}", path, why_not(code)), remedy_for(code)};
}

// Names in a folder but for `.` and `..`, sorted; false leaves the reason in errno.
bool names_in(const std::string& folder, std::vector<std::string>& names) {
  DIR* const open = ::opendir(folder.c_str());
  if (open == nullptr) return false;
  errno = 0;
  while (const dirent* entry = ::readdir(open)) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  const int code = errno;
  ::closedir(open);
  std::ranges::sort(names);
  errno = code;
  return code == 0;
}

struct Amount {
  uint64_t bytes = 0;
  size_t files = 0;
};

bool add_up(const std::string& folder, uint64_t most_bytes, Amount& amount) {
  std::vector<std::string> names;
  if (!names_in(folder, names)) return false;
  for (const std::string& name : names) {
    const std::string path = folder + "/" + name;
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0) return false;
    ++amount.files;
    if (S_ISREG(status.st_mode)) amount.bytes += static_cast<uint64_t>(status.st_size);
    if (amount.files > kMostSmallFiles || amount.bytes > most_bytes) return false;
    if (S_ISDIR(status.st_mode) && !add_up(path, most_bytes, amount)) return false;
  }
  return true;
}

// Holes stay holes, so that a file that is large on paper alone stays so.
bool copy_range(int from, int to, off_t begin, off_t end) {
  if (::lseek(to, begin, SEEK_SET) < 0) return false;
  off_t at = begin;
  while (at < end) {
    const ssize_t count = ::sendfile(to, from, &at, static_cast<size_t>(end - at));
    if (count < 0 && errno != EINTR) return false;
    if (count == 0) break;
  }
  return true;
}

bool copy_bytes(int from, int to, off_t size) {
  off_t at = 0;
  while (at < size) {
    const off_t data = ::lseek(from, at, SEEK_DATA);
    if (data < 0 && errno == ENXIO) break;
    const off_t begin = data < 0 ? at : data;
    const off_t hole = data < 0 ? size : ::lseek(from, begin, SEEK_HOLE);
    const off_t end = hole < 0 ? size : hole;
    if (!copy_range(from, to, begin, end)) return false;
    at = end;
  }
  return ::ftruncate(to, size) == 0;
}

class Copier {
 public:
  // False leaves the reason in errno, and the place in failed().
  bool folder(const std::string& from, const std::string& to) {
    struct stat status {};
    if (::lstat(from.c_str(), &status) != 0) return fails(from);
    if (::mkdir(to.c_str(), 0700) != 0 && errno != EEXIST) return fails(to);
    std::vector<std::string> names;
    if (!names_in(from, names)) return fails(from);
    for (const std::string& name : names) {
      if (!entry(from + "/" + name, to + "/" + name)) return false;
    }
    return dress(status, to);
  }

  const std::string& failed() const { return failed_; }

 private:
  bool fails(const std::string& path) {
    failed_ = path;
    return false;
  }

  bool entry(const std::string& from, const std::string& to) {
    struct stat status {};
    if (::lstat(from.c_str(), &status) != 0) return fails(from);
    if (S_ISDIR(status.st_mode)) return folder(from, to);
    if (S_ISSOCK(status.st_mode)) return true;
    if (status.st_nlink > 1) {
      const auto [known, is_new] = links_.try_emplace({status.st_dev, status.st_ino}, to);
      if (!is_new) return ::link(known->second.c_str(), to.c_str()) == 0 || fails(to);
    }
    if (S_ISLNK(status.st_mode)) return link(from, to, status);
    if (!S_ISREG(status.st_mode)) {
      if (::mknod(to.c_str(), status.st_mode, status.st_rdev) != 0) return fails(to);
      return dress(status, to);
    }
    return file(from, to, status);
  }

  bool link(const std::string& from, const std::string& to, const struct stat& status) {
    std::string text(PATH_MAX, '\0');
    const ssize_t size = ::readlink(from.c_str(), text.data(), text.size());
    if (size < 0) return fails(from);
    text.resize(static_cast<size_t>(size));
    if (::symlink(text.c_str(), to.c_str()) != 0) return fails(to);
    return dress(status, to);
  }

  bool file(const std::string& from, const std::string& to, const struct stat& status) {
    const Descriptor source(::open(from.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
    if (!source.valid()) return fails(from);
    const Descriptor target(::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!target.valid()) return fails(to);
    if (!copy_bytes(source.number(), target.number(), status.st_size)) return fails(to);
    return dress(status, to);
  }

  // Who is not root cannot give files away, and needs not.
  bool dress(const struct stat& status, const std::string& path) {
    const bool given = ::lchown(path.c_str(), status.st_uid, status.st_gid) == 0 || errno == EPERM;
    if (!given && errno != EINVAL) return fails(path);
    if (!S_ISLNK(status.st_mode) && ::chmod(path.c_str(), status.st_mode & 07777U) != 0) {
      return fails(path);
    }
    const timespec times[2] = {status.st_atim, status.st_mtim};
    return ::utimensat(AT_FDCWD, path.c_str(), times, AT_SYMLINK_NOFOLLOW) == 0 || fails(path);
  }

  std::map<std::pair<dev_t, ino_t>, std::string> links_;
  std::string failed_;
};

}  // namespace

bool is_small(const std::string& folder, uint64_t most_bytes) {
  Amount amount;
  return add_up(folder, most_bytes, amount);
}

Status copy_tree(const std::string& from, const std::string& to) {
  Copier copier;
  if (copier.folder(from, to)) return Nothing();
  return cannot_copy(copier.failed(), errno);
}

Status empty_folder(const std::string& folder) {
  std::vector<std::string> names;
  if (!names_in(folder, names)) return cannot_copy(folder, errno);
  for (const std::string& name : names) {
    std::error_code code;
    std::filesystem::remove_all(folder + "/" + name, code);
    if (code) return cannot_copy(folder + "/" + name, code.value());
  }
  return Nothing();
}

}  // namespace clew::inject
