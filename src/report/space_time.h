// The space-time diagram of a Run in plain text, at most 80 columns wide.
//
//   tick  a              b              c
//      1  o              o              o
//         |--- log ----->|              |
//         |--- log ------+-----------x  |   lost: omitted
//      2  o              X crashed      o
//         |              :--- ack ---x  |   lost: sender crashed
//      3  o              :              o
//
// Nodes are columns, ticks are rows; what is sent at one tick and arrives at the next is an arrow
// between the two rows. Arrows that do not touch may share a row. Long stretches of ticks without
// messages become one row. With many nodes (layout.h) the labels move to the right margin, and what
// one node tells several is drawn at once; with very many the diagram becomes a list of messages.
#pragma once

#include <string>

#include "domain/run.h"

namespace clew::report {

// Linear in the size of the run. Ends in a newline.
std::string space_time(const Run& run);

}  // namespace clew::report
