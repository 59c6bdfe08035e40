// The names of crash states, and the order in which they are worth a look.
//
//   const Selection keeps = *parse_selection("first-3-512", log);
//   to_string(keeps, log.count()) == "first-3-512";
//   for (const Selection& one : candidates(log, durable, true)) ...
//
// Of the operations that are not durable, `first-3` keeps the first three, `all-but-3` all but the
// third, `only-3` nothing but the third. `torn-3-512` keeps all, but of the third, a write, only
// the bytes up to the first multiple of 512 in the file; `torn-3-half` the first half of its bytes;
// `torn-3-zeros` the size that it gave the file, with zeros for the bytes. `torn-3-target` keeps of
// the third, a rename, only that the file which had the new name has lost it; `torn-3-names` only
// that both names are gone. `first-3-512` and so on: likewise, and nothing after the third.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "inject/disk/log.h"

namespace clew::inject {

std::string to_string(const Selection& keeps, size_t operations);
// An Error if it is no such name, or there are not so many operations.
Result<Selection> parse_selection(std::string_view name, const Log& log);

// None and all first, then of each kind in turn, and of a kind those far apart first.
std::vector<Selection> candidates(const Log& log, const Layer& durable, bool torn_renames);

}  // namespace clew::inject
