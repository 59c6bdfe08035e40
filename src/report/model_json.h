// What several of our JSON formats say in the same words: faults, bounds, limits.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "domain/fault_model.h"

namespace clew::report {

// {"omissions": [...], "crashes": [...]}, as in docs/formats/scenario.md
nlohmann::ordered_json json_faults(const FaultSet& faults);
// {"eot": 6, "eff": 4, "crashes": 1}, and "eventually" if it is asked for.
nlohmann::ordered_json json_bounds(const FaultModel& model);

// {"reliable_nodes": [...], "reliable_links": [...], "no_crash": [...]}
nlohmann::ordered_json json_limits(const Limits& limits);

}  // namespace clew::report
