#include "base/temporary.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <string_view>
#include <thread>
#include <vector>

#include "base/patience.h"

namespace clew {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = ".clew-";
constexpr int kAttempts = 1000;

std::string temporary_path(const std::string& folder, int number) {
  return (fs::path(folder) / fmt::format("{}{}-{}", kPrefix, ::getpid(), number)).string();
}

// As above, and nothing that somebody else might have thought of.
bool is_temporary(std::string_view name) {
  if (!name.starts_with(kPrefix)) return false;
  name.remove_prefix(kPrefix.size());
  const size_t dash = name.find('-');
  if (dash == std::string_view::npos || dash == 0 || dash + 1 == name.size()) return false;
  const auto is_number = [](std::string_view text) {
    return text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  return is_number(name.substr(0, dash)) && is_number(name.substr(dash + 1));
}

// The name means this file, and no other one by now.
bool is_named(int descriptor, const std::string& path) {
  struct stat file {};
  struct stat named {};
  return ::fstat(descriptor, &file) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         file.st_dev == named.st_dev && file.st_ino == named.st_ino;
}

// Between making and locking something another writer may take it for a leftover: then it is made
// once more. Where nothing can be locked, nobody takes anything for a leftover either.
bool lock_new(int descriptor, const std::string& path) {
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return false;
  return is_named(descriptor, path);
}

void remove_leftover(const fs::path& path) {
  constexpr int kFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  const Descriptor found(::open(path.c_str(), kFlags));
  struct stat status {};
  if (!found.valid() || ::fstat(found.number(), &status) != 0) return;
  if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) return;
  if (::flock(found.number(), LOCK_EX | LOCK_NB) != 0) return;
  // It may have got its place, and be a leftover no more.
  std::error_code ignored;
  if (is_named(found.number(), path.string())) fs::remove_all(path, ignored);
}

bool give_name(int descriptor, const std::string& path) {
  const std::string self = fmt::format("/proc/self/fd/{}", descriptor);
  return ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

}  // namespace

void remove_leftovers(const std::string& folder) {
  std::error_code ignored;
  std::vector<fs::path> found;
  fs::directory_iterator at(folder.empty() ? "." : folder, ignored);
  for (; !ignored && at != fs::directory_iterator(); at.increment(ignored)) {
    if (is_temporary(at->path().filename().native())) found.push_back(at->path());
  }
  for (const fs::path& path : found) remove_leftover(path);
}

TemporaryFile TemporaryFile::without_name(const std::string& folder) {
  const char* place = folder.empty() ? "." : folder.c_str();
  Descriptor file(::open(place, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666));
  return {folder, std::move(file), std::nullopt};
}

TemporaryFile TemporaryFile::with_name(const std::string& folder) {
  errno = EEXIST;
  for (int i = 0; i < kAttempts && errno == EEXIST; ++i) {
    std::string path = temporary_path(folder, i);
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (!file.valid()) continue;
    if (lock_new(file.number(), path)) return {folder, std::move(file), std::move(path)};
    errno = EEXIST;
  }
  return {folder, Descriptor(), std::nullopt};
}

TemporaryFile::~TemporaryFile() {
  if (valid() && name_) ::unlink(name_->c_str());
}

bool TemporaryFile::take_place_of(const std::string& path) {
  if (!name_) {
    if (give_name(file_.number(), path)) return true;
    if (errno != EEXIST) return false;
    // What has no name can get one that is free; only what has one can take that of an old file.
    ::flock(file_.number(), LOCK_EX | LOCK_NB);
    errno = EEXIST;
    for (int i = 0; i < kAttempts && errno == EEXIST && !name_; ++i) {
      std::string name = temporary_path(folder_, i);
      if (give_name(file_.number(), name)) name_ = std::move(name);
    }
  }
  if (!name_ || ::rename(name_->c_str(), path.c_str()) != 0) return false;
  name_.reset();
  return true;
}

Result<Descriptor> lock_folder(const std::string& folder, Access access) {
  constexpr std::chrono::milliseconds kPoll{5};
  const auto begin = std::chrono::steady_clock::now();
  Descriptor lock(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const int how = (access == Access::kRead ? LOCK_SH : LOCK_EX) | LOCK_NB;
  while (lock.valid() && ::flock(lock.number(), how) != 0 && errno == EWOULDBLOCK) {
    const auto most = patience();
    if (std::chrono::steady_clock::now() - begin > most) {
      return Error{
          fmt::format("{} has been in use by another process for {}", folder, in_words(most)),
          "wait until it has ended, or name another folder"};
    }
    std::this_thread::sleep_for(kPoll);
  }
  return lock;
}

TemporaryFolder::TemporaryFolder(const std::string& folder) {
  errno = EEXIST;
  for (int i = 0; i < kAttempts && errno == EEXIST; ++i) {
    path_ = temporary_path(folder, i);
    if (::mkdir(path_.c_str(), 0777) != 0) continue;
    Descriptor made(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!made.valid() && errno != ENOENT) return;
    if (made.valid() && lock_new(made.number(), path_)) {
      lock_ = std::move(made);
      return;
    }
    errno = EEXIST;
  }
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (valid()) fs::remove_all(path_, ignored);
}

}  // namespace clew
