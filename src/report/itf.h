// A Run in the Informal Trace Format, which Apalache, Quint and their viewers read:
// docs/formats/itf.md.
//
//   {"#meta": {"format": "ITF", ...}, "vars": ["clew::tick", ..., "log"], "states": [
//     {"#meta": {"index": 0}, "clew::tick": {"#bigint": "1"},
//      "log": {"#set": [{"#tup": ["b", "data"]}]}}]}
#pragma once

#include <string>

#include "domain/run.h"

namespace clew::report {

// One state a tick, each on a line of its own. `description` says what the run is.
std::string itf(const Run& run, const std::string& description);

}  // namespace clew::report
