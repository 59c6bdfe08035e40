// Diagrams for Graphviz: docs/formats/dot.md.
//
//   digraph spacetime {
//     rankdir=TB; ...
//     node_a_1 -> node_b_2 [label="log", ...];
#pragma once

#include <string>

#include "domain/run.h"
#include "report/provenance.h"

namespace clew::report {

// The ids of Molly's diagrams: node_NAME_TICK, in quotation marks if the name needs them.
std::string space_time_dot(const Run& run);

// Goals are ellipses, rules boxes; ids are goal0, rule0 and so on, in the order of the Provenance.
std::string provenance_dot(const Provenance& provenance);

}  // namespace clew::report
