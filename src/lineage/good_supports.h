// What the run without faults had, and a given bad run lacks, to keep the Spec: supports with
// regard to one counterexample.
//
// Where the good outcome rests on facts, these are the supports of the facts. Where it rests on an
// absence that the bad run does not have (nobody is `missing` the message), it rests on whatever
// kept those facts from being derived that the bad run derives: their derivations all rely on
// absences, at last, of facts that the good run has, and these have supports. What both runs have
// is taken for granted.
#pragma once

#include <cstdint>
#include <vector>

#include "lineage/difference.h"
#include "lineage/supports.h"

namespace clew::lineage {

// An element is a message of the good run, or, from `first_fault` on, that a fault does not strike.
struct GoodSupports {
  Demand demand;
  uint32_t root = 0;
  uint32_t first_fault = 0;  // element `first_fault + n`: fault n of the bad run does not strike
  Supports supports;
};

// `node`: what is missing, or what is extra, in the bad run.
GoodSupports good_supports(const Difference& difference, uint32_t node);

// Whether there would be a support without any message from this node.
bool can_do_without(const GoodSupports& all, const Run& good, const NodeName& node);

}  // namespace clew::lineage
