// Supports: the minimal sets of elements that meet a demand.
//
//   Supports supports = minimal_sets(demand, root);
//   supports.sets       // {{0}, {3}, {1, 2}}: element 0 alone would have been enough, and so on
//
// After "Lineage-driven Fault Injection" (Alvaro, Rosen, Hellerstein; SIGMOD 2015), section 4: a
// firing needs all that it used, a fact needs one of its firings; elements are the messages that
// bring facts. good_supports.h says what else is demanded of a run.
#pragma once

#include <cstdint>
#include <vector>

namespace clew::lineage {

// An and-or graph: a node is met by one of its ways, a way needs all its nodes and all its
// elements. A node without a way cannot be met. A node that is met anyway has a way that needs
// nothing.
struct Demand {
  struct Way {
    std::vector<uint32_t> nodes;
    std::vector<uint32_t> elements;
  };
  std::vector<std::vector<Way>> ways;  // by node
};

struct SupportLimits {
  size_t most_sets = 64;
  size_t most_work = 50'000'000;  // elements looked at
};

struct Supports {
  std::vector<std::vector<uint32_t>> sets;  // sorted; the smallest first; none contains another
  bool complete = true;                     // there is no other minimal set
};

// Takes time in proportion to the size of the graph and to `most_work`, whatever the number of
// supports. If not complete, a set may be larger than need be.
Supports minimal_sets(const Demand& demand, uint32_t node, SupportLimits limits = {});

}  // namespace clew::lineage
