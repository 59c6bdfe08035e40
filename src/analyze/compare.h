// What was observed when the nodes were explored, held against what was predicted.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "analyze/analysis.h"

namespace clew::analyze {

// That a handler of a class does something with a field: `read`, `update`, `send` or `disk`.
struct Touch {
  std::string node;
  std::string handler;
  std::string input;
  std::string set;
  std::string field;

  friend auto operator<=>(const Touch&, const Touch&) = default;
};

// All that is predicted, whatever the guards.
std::set<Touch> touches(const Analysis& analysis);

// What is predicted and was never observed, with the place of the handler: a line for each handler.
std::vector<std::string> never_observed(const Analysis& analysis, const std::set<Touch>& observed);

}  // namespace clew::analyze
