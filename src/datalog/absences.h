// What a firing relied on being absent. It is not stored: the rule and the rows used tell.
#pragma once

#include <optional>
#include <vector>

#include "datalog/engine.h"

namespace clew::datalog {

// No row of `relation` has these values; a column without one could have held anything.
struct Absence {
  RelationId relation = 0;
  std::vector<std::optional<Value>> columns;
};

// In the order of the rule's body. Not for aggregating rules, which rely on no absence themselves.
std::vector<Absence> absences(const Firing& firing, Engine& engine);

}  // namespace clew::datalog
