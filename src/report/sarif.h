// A verdict as SARIF 2.1.0, for code scanning: docs/formats/sarif.md.
//
// Each group of counterexamples is one result, placed at the rule of the promise that is broken,
// with the messages of the run as its code flow. A robust protocol has no results.
#pragma once

#include <span>
#include <string>

#include "report/record.h"

namespace clew::report {

// A Record for each promise. Of a Record whose check failed, `replay` is not called. Absolute paths
// below `root` become relative to it, as scanners want them.
std::string sarif(std::span<const Record> records, const std::string& root);
inline std::string sarif(const Record& record, const std::string& root) {
  return sarif({&record, 1}, root);
}

// A path as a URI reference, relative to `root` if it is below it.
std::string uri(const std::string& path, const std::string& root);

}  // namespace clew::report
