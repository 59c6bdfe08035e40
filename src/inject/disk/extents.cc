#include "inject/disk/extents.h"

#include <algorithm>

namespace clew::inject {

namespace {

Piece part_of(const Piece& piece, uint64_t begin, uint64_t end) {
  begin = std::max(begin, piece.at);
  end = std::min(end, piece.end());
  return {begin, end - begin, piece.source, piece.from + (begin - piece.at)};
}

// The first one that ends behind `at`.
template <class Pieces>
auto first_behind(Pieces& pieces, uint64_t at) {
  return std::ranges::partition_point(pieces,
                                      [at](const Piece& piece) { return piece.end() <= at; });
}

}  // namespace

// Nothing is left between `at` and the end of the gap; gives back where a piece there belongs.
Extents::Place Extents::open_gap(uint64_t at, uint64_t length) {
  const uint64_t end = at + length;
  Place first = first_behind(pieces_, at);
  if (first != pieces_.end() && first->at < at) {
    const Piece whole = *first;
    *first = part_of(whole, whole.at, at);
    ++first;
    if (whole.end() > end) return pieces_.insert(first, part_of(whole, end, whole.end()));
  }
  Place last = first;
  while (last != pieces_.end() && last->end() <= end) ++last;
  if (last != pieces_.end() && last->at < end) *last = part_of(*last, end, last->end());
  return pieces_.erase(first, last);
}

void Extents::write(uint64_t at, uint64_t length, const std::vector<Piece>& pieces) {
  if (length == 0) return;
  grow(at + length);
  Place place = open_gap(at, length);
  for (Piece piece : pieces) {
    piece.at += at;
    const bool goes_on = place != pieces_.begin() && std::prev(place)->end() == piece.at &&
                         std::prev(place)->source == piece.source &&
                         std::prev(place)->from + std::prev(place)->length == piece.from;
    if (goes_on) {
      std::prev(place)->length += piece.length;
    } else {
      place = std::next(pieces_.insert(place, piece));
    }
  }
}

void Extents::grow(uint64_t size) { size_ = std::max(size_, size); }

void Extents::resize(uint64_t size) {
  if (size < size_) open_gap(size, size_ - size);
  size_ = size;
}

void Extents::clear(uint64_t at, uint64_t length) {
  if (length > 0 && at < size_) open_gap(at, std::min(length, size_ - at));
}

std::vector<Piece> Extents::slice(uint64_t at, uint64_t length) const {
  std::vector<Piece> result;
  if (length == 0) return result;
  for (auto one = first_behind(pieces_, at); one != pieces_.end() && one->at < at + length; ++one) {
    result.push_back(part_of(*one, at, at + length));
    result.back().at -= at;
  }
  return result;
}

}  // namespace clew::inject
