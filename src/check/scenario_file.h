// Scenarios on disk: docs/formats/scenario.md. There, program files are named relative to the
// scenario.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "domain/scenario.h"

namespace clew::check {

Status save_scenario(Scenario scenario, const std::string& path);

struct SavedScenario {
  Scenario scenario;
  std::vector<std::string> inputs;  // of its program, its sources, or its target: can be opened
};

Result<SavedScenario> read_scenario(const std::string& path);

}  // namespace clew::check
