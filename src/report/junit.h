// A verdict as JUnit XML, for continuous integration: docs/formats/junit.md.
//
//   <testsuite name="kafka" tests="1" failures="1" ...>
//     <testcase classname="kafka" name="spec within EOT 6, EFF 4, 1 crash" ...>
//       <failure type="broken" message="tick 2: b crashes">...
#pragma once

#include <span>
#include <string>

#include "report/record.h"

namespace clew::report {

// One suite with one case for each promise. Of a Record whose check failed, `replay` is not called.
std::string junit(std::span<const Record> records);
inline std::string junit(const Record& record) { return junit({&record, 1}); }

}  // namespace clew::report
