// The lineage of a Run as text, one firing a paragraph, in the order in which they happened.
//
//   log("b", "data")@2
//     by log(Peer, Payload)@async :- bcast(Node, Payload), node(Node, Peer);  (simple_deliv.ded:11)
//     from bcast("a", "data")@1  node("a", "b")@1
//     without ack("a", "b", "data")@1
#pragma once

#include <string>

#include "domain/run.h"

namespace clew::report {

std::string firings(const Run& run);

}  // namespace clew::report
