// How one sequence of bytes becomes another, in few bytes: what the log keeps of a field that has
// changed a little.
//
//   Delta delta = delta_of(before, after);      // say, one entry more in a large map
//   std::optional<std::string> again = applied(delta, before);      // after
//
// It is found in one pass, in time proportional to both: common beginnings, common ends, and in
// between small pieces that were replaced, inserted or left out (a counter, an entry, a length).
// What it does not recognize is written anew as a whole. So a delta is never wrong, only long.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "node/fields.h"

namespace clew::host {

struct Edit {
  uint64_t keep = 0;   // so many bytes stay,
  uint64_t skip = 0;   // so many are left out,
  std::string insert;  // and these come instead
  CLEW_FIELDS(Edit, keep, skip, insert)
};

// What follows the last Edit stays.
using Delta = std::vector<Edit>;

Delta delta_of(std::string_view before, std::string_view after);
// Nothing if it is of other bytes: too few of them.
std::optional<std::string> applied(const Delta& delta, std::string_view before);

}  // namespace clew::host
