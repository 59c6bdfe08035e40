// What clew check writes for other tools, besides its own output.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/stop.h"
#include "check/progress.h"
#include "report/record.h"

namespace clew::check {

// Files and folders; empty: not wanted.
struct Outputs {
  std::string report;
  std::string junit;
  std::string sarif;
  std::string itf;
  std::string shiviz;
  std::string molly;
  std::string dot;
  std::string svg;

  bool any() const;
};

// Writes what is wanted. Goes on after a failure, and gives back all of them. What `stop` leaves no
// time for is left out, which a note on stderr says.
std::vector<Error> write_outputs(const Outputs& outputs, const report::Record& record,
                                 Progress& progress, const Stop& stop);

// After a check that failed: in the files that CI looks at, so that those of an earlier check do
// not pass for its verdict. The other files stay as they are.
std::vector<Error> write_failure(const Outputs& outputs, const report::Record& record);

}  // namespace clew::check
