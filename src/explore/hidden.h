// What a node remembers outside of its fields, where only properties see it.
//
//   if (const auto hidden = find_hidden(cluster, stop)) throw Mistake(*hidden);
//
// A handler that does something else because of a member that is no Field is noticed wherever it
// runs (steps.h). A member that handlers write and only properties read changes no handler. But
// engines ask properties about nodes that are made anew from their fields, so such a member has
// what it began with, and the property says nothing about it.
//
// So here a few runs are taken at random. After each step that was not seen before, every property
// is asked twice: about nodes made anew, and with the node that has just taken the step, which has
// taken others before. If it says something else, that node has more than its fields.
//
// What no property looks at on these runs is not found, nor is it in nodes that do not declare
// their state.
#pragma once

#include <optional>
#include <string>

#include "base/stop.h"
#include "explore/cluster.h"

namespace clew::explore {

// The node and the property, for whoever wrote them. Stays within the Limits of the cluster.
std::optional<std::string> find_hidden(const Cluster& cluster, const Stop& stop);

}  // namespace clew::explore
