// The stack of a stopped thread, read in a few large pieces.
//
//   StackMemory memory;
//   memory.begin(thread, sp);
//   const std::optional<uint64_t> word = memory.word(sp + 8);
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>

#include "inject/surface/memory.h"

namespace clew::inject {

class StackMemory {
 public:
  void begin(pid_t thread, uint64_t sp) {
    thread_ = thread;
    pieces_ = 0;
    read(sp);
  }

  // Nothing if there is none, or if it lies in more places than a stack does.
  std::optional<uint64_t> word(uint64_t address) {
    if (!holds(address) && pieces_ < kMostPieces) read(address);
    if (!holds(address)) return std::nullopt;
    uint64_t value = 0;
    std::memcpy(&value, bytes_.data() + (address - begin_), sizeof value);
    return value;
  }

 private:
  static constexpr size_t kPieceBytes = 4096;
  static constexpr int kMostPieces = 40;

  bool holds(uint64_t address) const {
    return address >= begin_ && size_ >= sizeof(uint64_t) &&
           address - begin_ <= size_ - sizeof(uint64_t);
  }
  void read(uint64_t address) {
    ++pieces_;
    begin_ = address;
    size_ = read_some(thread_, address, bytes_);
  }

  pid_t thread_ = 0;
  uint64_t begin_ = 0;
  size_t size_ = 0;
  int pieces_ = 0;
  std::array<char, kPieceBytes> bytes_;
};

}  // namespace clew::inject
