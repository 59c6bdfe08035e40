// What every picture of a difference marks, as lineage/difference.h finds it: DOT, SVG and the page
// ask here, so that they mark the same.
//
//   const Mark mark = mark_failed(difference, step);   // a step that only the good run has
//   mark.cut;                                          // "omitted": its message was lost
//   find_breakers(difference, absence, true);          // what the bad run has of an absence
#pragma once

#include <string>
#include <vector>

#include "lineage/difference.h"

namespace clew::report {

struct Mark {
  // What took the head away although all that the step needs was there; empty if something else is
  // to blame, and for steps of the bad run.
  std::string cut{};
  // What only the other run has, and the step is what it is for lack of: what an aggregate did not
  // count.
  std::vector<Firing::Absence> lacks{};
};

// Of a step of the good run that the bad one has not.
Mark mark_failed(lineage::Difference& difference, const lineage::Graph::Step& step);
// Of a step of the bad run that the good one has not.
Mark mark_fired(lineage::Difference& difference, const lineage::Graph::Step& step);

// What there is in one of the runs although the other relies on its absence:
// Difference::new_matches, with each crash once, though every node observes it.
std::vector<lineage::PointId> find_breakers(const lineage::Difference& difference,
                                            const Firing::Absence& absence, bool in_bad,
                                            size_t most = SIZE_MAX);

}  // namespace clew::report
