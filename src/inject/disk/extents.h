// What a file contains: its size, and which Pieces stand where. What lies between them is a hole,
// which reads as zeros.
//
//   Extents file;
//   file.write(0, 4, {piece});      // of 3 bytes: the fourth is zero
//   file.resize(2);
//   file.slice(0, 2);               // the pieces there, cut to fit
//
// Pieces are sorted, do not overlap, and end within the size.
#pragma once

#include <cstdint>
#include <vector>

#include "inject/disk/bytes.h"

namespace clew::inject {

class Extents {
 public:
  Extents() = default;
  Extents(uint64_t size, std::vector<Piece> pieces) : size_(size), pieces_(std::move(pieces)) {}
  bool operator==(const Extents&) const = default;

  uint64_t size() const { return size_; }
  const std::vector<Piece>& pieces() const { return pieces_; }

  // From `at` on so many bytes become these, whose places count from there; the rest is zero. The
  // file grows if it has to.
  void write(uint64_t at, uint64_t length, const std::vector<Piece>& pieces);
  void grow(uint64_t size);  // if it is smaller
  void resize(uint64_t size);
  void clear(uint64_t at, uint64_t length);  // zeros; it does not grow

  // Places count from `at`.
  std::vector<Piece> slice(uint64_t at, uint64_t length) const;

 private:
  using Place = std::vector<Piece>::iterator;

  Place open_gap(uint64_t at, uint64_t length);

  uint64_t size_ = 0;
  std::vector<Piece> pieces_;
};

}  // namespace clew::inject
