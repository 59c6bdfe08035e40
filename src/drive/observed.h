// What handlers were observed to do while the nodes were explored, and what of it an analysis had
// not predicted (explore/predictions.h).
#pragma once

#include <array>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>

#include "base/result.h"

namespace clew::drive {

struct Observed {
  // The class, the handler, the message or request, the set (read, update, send, disk; assign where
  // a field was to be only added to), the field.
  using Entry = std::array<std::string, 5>;
  // A step that was not predicted.
  struct Step {
    std::string state;
    std::string input;
  };

  size_t steps = 0;
  std::set<Entry> seen{};
  std::map<Entry, Step> unpredicted{};
  std::set<std::string> unknown{};  // classes that were not analysed

  void add(const nlohmann::json& told);
};

// What `clew analyze --json` has written into a file.
Result<std::string> read_analysis(const std::string& path);

}  // namespace clew::drive
