// Where redundancy is missing: in time, in space, or in knowledge.
#pragma once

#include <vector>

#include "explain/explanation.h"
#include "explain/story.h"
#include "lineage/good_supports.h"

namespace clew::explain {

using lineage::GoodSupports;

std::vector<Explanation::Hint> hints(const Difference& difference, const Story& story,
                                     const GoodSupports& supports);

// Only those about conclusions from an absence.
std::vector<Explanation::Hint> hints_of_knowledge(const Difference& difference, const Story& story);

}  // namespace clew::explain
