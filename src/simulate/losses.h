// What the Faults of one run do, by node number: the world that domain/delivery.h asks.
//
//   Losses losses(3);                               // of three nodes; nothing goes wrong
//   losses.set(faults, number_of);                  // "a>b@2" and "c@4", where a is node 0
//   losses.omitted(0, 1, 2);                        // true
//   losses.crashed(2, 5);                           // true
//   first_omission_difference(losses, Losses(3));   // 2
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "domain/scenario.h"

namespace clew::simulate {

class Losses {
 public:
  static constexpr Tick kNever = INT32_MAX;

  explicit Losses(size_t nodes) : crash_ticks_(nodes, kNever) {}

  // `number_of` tells the number of a node, given its name.
  template <class NumberOf>
  void set(const FaultSet& faults, const NumberOf& number_of) {
    std::ranges::fill(crash_ticks_, kNever);
    omissions_.clear();
    for (const Crash& crash : faults.of<Crash>()) crash_ticks_[number_of(crash.node)] = crash.tick;
    for (const Omission& lost : faults.of<Omission>()) {
      omissions_.push_back(key(number_of(lost.from), number_of(lost.to), lost.tick));
    }
    std::ranges::sort(omissions_);
  }

  bool omitted(size_t from, size_t to, Tick tick) const;
  bool crashed(size_t node, Tick tick) const { return crash_ticks_[node] <= tick; }
  Tick crash_tick(size_t node) const { return crash_ticks_[node]; }  // or kNever

  // The first tick that is about an omission, or a crash, of one of the two only; or kNever.
  friend Tick first_omission_difference(const Losses& a, const Losses& b);
  friend Tick first_crash_difference(const Losses& a, const Losses& b);

 private:
  // An omission as a number that orders by tick, then by sender and receiver.
  static uint64_t key(size_t from, size_t to, Tick tick);
  static Tick tick_of(uint64_t key) { return static_cast<Tick>(key >> 32U); }

  std::vector<Tick> crash_ticks_;    // by node
  std::vector<uint64_t> omissions_;  // sorted
};

Tick first_omission_difference(const Losses& a, const Losses& b);
Tick first_crash_difference(const Losses& a, const Losses& b);

}  // namespace clew::simulate
