#include "base/lock_beside.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace clew {

std::optional<LockBeside> LockBeside::take(const std::string& path) {
  std::string name = path + ".lock";
  while (true) {
    Descriptor lock(::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
    if (!lock.valid()) return LockBeside(std::move(name), std::move(lock));
    if (::flock(lock.number(), LOCK_EX | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK) return std::nullopt;
      return LockBeside(std::move(name), Descriptor());
    }
    // Who had it before may have removed it just now.
    struct stat file {};
    struct stat named {};
    const bool is_named = ::fstat(lock.number(), &file) == 0 && ::stat(name.c_str(), &named) == 0 &&
                          file.st_ino == named.st_ino;
    if (is_named) return LockBeside(std::move(name), std::move(lock));
  }
}

LockBeside::~LockBeside() {
  if (lock_.valid()) ::unlink(path_.c_str());
}

}  // namespace clew
