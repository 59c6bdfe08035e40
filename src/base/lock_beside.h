// That a file is one process's alone, for as long as it works on it.
//
//   std::optional<LockBeside> lock = LockBeside::take("kept");   // kept.lock; nothing: it is taken
//
// The kernel drops the lock with the process, however it ends. Where nothing can be locked, there
// is no lock.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "base/descriptor.h"

namespace clew {

class LockBeside {
 public:
  // Nothing if somebody else has it.
  static std::optional<LockBeside> take(const std::string& path);
  LockBeside(LockBeside&&) noexcept = default;
  LockBeside& operator=(LockBeside&&) = delete;
  ~LockBeside();  // removes the file of the lock

 private:
  LockBeside(std::string path, Descriptor lock) : path_(std::move(path)), lock_(std::move(lock)) {}

  std::string path_;  // of the lock
  Descriptor lock_;
};

}  // namespace clew
