// Random is the project's only source of randomness: a seed in, the same choices out, on every
// platform and compiler (nothing of <random>'s distributions, which differ between libraries).
//
//   Random random(7);
//   if (random.chance(0.25)) ...
//   size_t die = random.uniform_below(6);          // 0 to 5
//   const std::string& node = random.pick(nodes);  // nodes must not be empty
//   random.shuffle(order);
//
// The generator is SplitMix64: 64 bits of state, which every call advances by a fixed odd step and
// then scrambles. Equal seeds give equal sequences; neighbouring seeds give unrelated ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/check.h"

namespace clew {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  // The seed that goes on from here.
  uint64_t seed() const { return state_; }

  // All 64 bits, uniformly.
  uint64_t next() {
    state_ += 0x9e3779b97f4a7c15U;
    uint64_t bits = state_;
    bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9U;
    bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebU;
    return bits ^ (bits >> 31U);
  }

  // 0 to n - 1, uniformly; n must not be 0. Values from the incomplete last run of n are redrawn.
  uint64_t uniform_below(uint64_t n) {
    CHECK(n > 0, "a number below 0 was asked for");
    const uint64_t surplus = (0 - n) % n;  // 2^64 modulo n
    uint64_t bits = next();
    while (bits < surplus) bits = next();
    return bits % n;
  }

  // first to last, both included, uniformly.
  int64_t uniform_in(int64_t first, int64_t last) {
    CHECK(first <= last, "no number from {} to {}", first, last);
    const uint64_t width = static_cast<uint64_t>(last) - static_cast<uint64_t>(first) + 1;
    const uint64_t offset = width == 0 ? next() : uniform_below(width);
    return static_cast<int64_t>(static_cast<uint64_t>(first) + offset);
  }

  // True with this probability: never for 0, always for 1.
  bool chance(double probability) {
    constexpr double kUnit = 1.0 / 9007199254740992.0;  // 2^-53: exact in a double
    return static_cast<double>(next() >> 11U) * kUnit < probability;
  }

  template <class T>
  const T& pick(const std::vector<T>& choices) {
    return choices[uniform_below(choices.size())];
  }

  template <class T>
  void shuffle(std::vector<T>& items) {
    for (size_t left = items.size(); left > 1; --left) {
      std::swap(items[left - 1], items[uniform_below(left)]);
    }
  }

 private:
  uint64_t state_;
};

}  // namespace clew
