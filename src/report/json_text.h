// JSON values to text and back. Only json_text.cc makes the compiler go through the library's
// parser and printer, which takes it seconds each time.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "domain/fault_model.h"

namespace clew::report {

// On one line if `indent` is negative. What is not UTF-8 is replaced.
std::string json_text(const nlohmann::ordered_json& value, int indent = -1);
// Requires valid JSON.
nlohmann::ordered_json json_value(const std::string& text);

// {"eot": 6, "eff": 4, "crashes": 1}, and "eventually" if it is asked for.
nlohmann::ordered_json json_bounds(const FaultModel& model);

}  // namespace clew::report
