// The faults of a Run in words, as one would tell them.
//
//   ticks 2 to 3: a partition: b and c are cut off from a and d
//   tick 4: a one-way partition: nothing from a reaches b, c and d
//   tick 5: what a sends to b is lost
//   tick 6: a crashes
//
// Omissions that lose all messages between two groups of nodes for some ticks, or all in one
// direction, are told as a partition.
#pragma once

#include <string>
#include <vector>

#include "domain/run.h"

namespace clew::report {

// One entry for each sentence, in the order of time; none if there are no faults.
std::vector<std::string> tell_faults(const Run& run);

// The same, or where there is no time for it (base/watched.h) the faults as they are.
std::vector<std::string> list_faults(const Run& run);

// Between the nodes of `group` and all others, at the ticks `first` to `last`.
struct Partition {
  Tick first = 1;
  Tick last = 1;
  std::vector<NodeName> group;
  bool one_way = false;
};

// Those that tell_faults tells as such.
std::vector<Partition> partitions_of(const Run& run);

}  // namespace clew::report
