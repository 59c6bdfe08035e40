// What clew check writes for other tools, besides its own output.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/stop.h"
#include "check/notes.h"
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
  bool any_of_runs() const;  // what write_runs() writes
};

// What a promise gets that is one of several: what is written into folders goes into one of its own
// inside of these, and the page shows all promises together.
Outputs outputs_of(const Outputs& outputs, const std::string& promise);
// Removes what an earlier check of one promise has left in these folders.
std::vector<Error> clear_runs(const Outputs& outputs);

// What CI looks at, with a Record for each promise; also after a check that failed, so that the
// files of an earlier one do not pass for its verdict.
std::vector<Error> write_verdicts(const Outputs& outputs, std::span<const report::Record> records);
// The page, with a Record for each promise.
Status write_page(const std::string& path, std::span<const report::Record> records,
                  const Stop& stop, const Notes& notes);
// What else shows runs. All go on after a failure, and give back all of them. What `stop` leaves no
// time for is left out, which a note says.
std::vector<Error> write_runs(const Outputs& outputs, const report::Record& record,
                              Progress& progress, const Stop& stop, const Notes& notes);

}  // namespace clew::check
