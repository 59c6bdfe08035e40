// The messages of a Run as a list, for runs with too many nodes for a diagram.
//
//   t1  a  log("data")  -->  b  d  e
//   t1  a  log("data")  --x  c  lost: omitted
//   t2  c crashed
//   t2  d  ack(7)  -->  all 25 others
//
// What one node sends to several at one tick, with the same content and fate, is one entry. The
// content is shown without its first column, which is the receiver.
#pragma once

#include <string>

#include "report/arrows.h"

namespace clew::report {

// Ends in a newline.
std::string message_list(const Run& run, const Arrows& arrows);

}  // namespace clew::report
