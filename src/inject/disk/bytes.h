// The bytes that files consist of: what was written, kept once however many crash states hold it,
// and what was in files of the base, which stay where they are.
//
//   Bytes bytes;
//   const Piece written = bytes.keep("abc", 4096);   // at 4096 in some file
//   const uint32_t source = bytes.add_file(path);
//   const Piece old{0, 3, source, 100};              // 3 bytes of it, from 100 on
//   bytes.read(old, to);                             // where there is room for old.length
//
// A Piece says which bytes stand somewhere in a file; it has no bytes of its own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"

namespace clew::inject {

struct Piece {
  uint64_t at = 0;  // in the file that it is part of
  uint64_t length = 0;
  uint32_t source = 0;  // of Bytes
  uint64_t from = 0;    // in the source

  uint64_t end() const { return at + length; }
  friend bool operator==(const Piece&, const Piece&) = default;
};

class Bytes {
 public:
  Piece keep(std::string_view bytes, uint64_t at);
  uint32_t add_file(std::string path);

  Status read(const Piece& piece, char* to);
  // Into an open file, at piece.at.
  Status write(const Piece& piece, int descriptor);
  uint64_t kept() const { return kept_; }  // bytes in memory

 private:
  struct Source {
    std::string path{};  // empty: in memory
    std::string bytes{};
  };

  Status open(uint32_t source);

  std::vector<Source> sources_;
  uint64_t kept_ = 0;
  size_t filling_ = SIZE_MAX;  // what is written goes there, while there is room
  uint32_t opened_ = 0;
  Descriptor file_;  // of source `opened_`
};

}  // namespace clew::inject
