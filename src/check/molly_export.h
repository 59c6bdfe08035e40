// clew check --molly DIR: the runs of the search as Molly's output directory,
// docs/formats/molly.md.
//
// A search can make many thousand runs, each of which takes files of its own. So only the first
// kMostMollyRuns are written, the one without faults and all counterexamples among them, as far as
// there is time. The folder is complete in either case, and a note says what was left out.
#pragma once

#include <string>

#include "base/result.h"
#include "base/stop.h"
#include "check/notes.h"
#include "check/progress.h"
#include "report/record.h"

namespace clew::check {

constexpr size_t kMostMollyRuns = 1000;

// Throws Stopped if there is no time for the first one.
Status write_molly(const std::string& path, const report::Record& record, Progress& progress,
                   const Stop& stop, const Notes& notes);
// Removes what an earlier time has left there.
Status clear_molly(const std::string& path);

}  // namespace clew::check
