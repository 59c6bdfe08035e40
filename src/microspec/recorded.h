// Facts that somebody has recorded, to be judged: a Run as `clew run --json` prints it, or, from
// whatever else can write a line, one JSON object a line (docs/formats/facts.md):
//
//   {"tick": 1, "relation": "acked", "values": ["w1"]}
//   {"tick": 2, "relation": "log", "values": ["b", 7]}
//   {"relation": "lost", "columns": 2}                   // that there is none of it is known, too
//   {"ticks": 5}                                         // the last tick, if nothing happens there
//
//   Result<Recorded> recorded = read_recorded(text);
//   recorded->relations;                               // {"acked", 1}, {"log", 2}, {"lost", 2}
//   Run run = to_run(*std::move(recorded));
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "dedalus/program.h"
#include "domain/run.h"

namespace clew::microspec {

struct Recorded {
  dedalus::GivenRelations relations;     // those of the facts, and those that are declared
  std::vector<std::vector<Fact>> facts;  // by tick - 1: at least one tick; sorted, distinct
};

inline constexpr size_t kMostRecordedBytes = 64 << 20;

// Of a Run, what its own promises are made of is left out: others judge it here. An Error says
// where, such as `line 3` or `ticks[2].facts[0].values[1]`.
Result<Recorded> read_recorded(std::string_view text);

// A Run of which nothing else is known.
Run to_run(Recorded recorded);

}  // namespace clew::microspec
