#include "simulate/losses.h"

#include <algorithm>

namespace clew::simulate {

static_assert(kMostNodes <= UINT16_MAX, "the number of a node has 16 bits of an omission's key");

uint64_t Losses::key(size_t from, size_t to, Tick tick) {
  return uint64_t{static_cast<uint32_t>(tick)} << 32U | from << 16U | to;
}

bool Losses::omitted(size_t from, size_t to, Tick tick) const {
  return std::ranges::binary_search(omissions_, key(from, to, tick));
}

Tick first_omission_difference(const Losses& a, const Losses& b) {
  const auto [in_a, in_b] = std::ranges::mismatch(a.omissions_, b.omissions_);
  Tick first = Losses::kNever;
  if (in_a != a.omissions_.end()) first = Losses::tick_of(*in_a);
  if (in_b != b.omissions_.end()) first = std::min(first, Losses::tick_of(*in_b));
  return first;
}

Tick first_crash_difference(const Losses& a, const Losses& b) {
  Tick first = Losses::kNever;
  for (size_t node = 0; node < a.crash_ticks_.size(); ++node) {
    const Tick in_a = a.crash_ticks_[node];
    const Tick in_b = b.crash_ticks_[node];
    if (in_a != in_b) first = std::min({first, in_a, in_b});
  }
  return first;
}

}  // namespace clew::simulate
