// Diagrams as standalone SVG, light or dark as the reader prefers: docs/formats/dot.md.
//
// A space-time diagram has nodes as vertical lines and ticks as rows; what is sent at one tick
// arrives at the next. A lineage diagram has causes at the top and what they lead to below, in rows
// by tick.
#pragma once

#include <string>

#include "domain/run.h"
#include "report/provenance.h"

namespace clew::report {

// Stretches of ticks in which nothing happens become one row. A very long run is cut, and says so.
std::string space_time_svg(const Run& run);

// `title` says what it is about.
std::string lineage_svg(const Provenance& provenance, const std::string& title);

}  // namespace clew::report
