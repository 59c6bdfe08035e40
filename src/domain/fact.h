// Values and Facts as people read them.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace clew {

using Tick = int32_t;  // the first tick is 1
using NodeName = std::string;

// Integers order before strings.
using Datum = std::variant<int64_t, std::string>;

// `7` or `"data"`.
std::string to_string(const Datum& datum);

// One tuple of one relation, true at one Node (its first column) at one Tick.
struct Fact {
  std::string relation;
  std::vector<Datum> values;

  friend bool operator==(const Fact&, const Fact&) = default;
  friend auto operator<=>(const Fact&, const Fact&) = default;
};

// `log("b", "data")`
std::string to_string(const Fact& fact);

}  // namespace clew
