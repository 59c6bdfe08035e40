// Supports of a fact: the minimal sets of messages that suffice for it.
//
//   Supports supports = supports_of(graph, graph.find(post, eot));
//   supports.sets       // {{0}, {3}, {1, 2}}: message 0 alone would have been enough, and so on
//
// After "Lineage-driven Fault Injection" (Alvaro, Rosen, Hellerstein; SIGMOD 2015), section 4: a
// firing needs all that it used, a fact needs one of its firings. What a node tells itself costs
// nothing. A support relies on absences as well, which are taken to stay as they were: a message
// more or less could change that, and `Difference` looks at it.
//
// The same computation over any and-or graph is what `Demand` is for.
#pragma once

#include <cstdint>
#include <vector>

#include "lineage/graph.h"

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

// The elements are indexes into Run::messages. Every set is minimal, complete or not.
Supports supports_of(const Graph& graph, AtomId atom, SupportLimits limits = {});

}  // namespace clew::lineage
