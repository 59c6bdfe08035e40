// What must be true of every text that is read as a scenario.
#pragma once

#include <string_view>

#include "base/check.h"
#include "domain/scenario.h"

namespace clew {

// Whatever decodes is valid, and survives being written and read again. True if it decoded.
inline bool check_scenario_property(std::string_view text) {
  const Result<Scenario> read = scenario_from_json(text);
  if (!read.ok()) {
    CHECK(!read.error().message.empty());
    CHECK(!read.error().remedy.empty());
    return false;
  }
  CHECK(validate(*read).ok());
  const Result<Scenario> again = scenario_from_json(to_json(*read));
  CHECK(again.ok(), "{}", again.error().message);
  CHECK(*again == *read);
  return true;
}

}  // namespace clew
