// What several of our JSON formats say in the same words: faults, bounds.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "domain/fault_model.h"

namespace clew::report {

// {"omissions": [...], "crashes": [...]}, as in docs/formats/scenario.md
nlohmann::ordered_json json_faults(const FaultSet& faults);
// {"eot": 6, "eff": 4, "crashes": 1}
nlohmann::ordered_json json_bounds(const FaultModel& model);

}  // namespace clew::report
