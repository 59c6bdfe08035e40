// Where a command writes, looked at before it begins: a long search should not end in vain, and
// nothing should be lost.
//
//   --report page.html --svg diagrams    fine
//   --report kafka.ded                   no: that is the program
//   --junit x --sarif ./x                no: one would overwrite the other
//   --junit none/x                       no: there is no folder `none`
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "domain/scenario.h"

namespace clew::check {

struct OutputPath {
  std::string flag;
  std::string path;         // empty: not wanted
  bool folder = false;      // folders are made if need be, files are not
  bool by_default = false;  // nobody asked for it, so it may never be written
};

// All that is wrong; folders that keep their files apart may be the same.
std::vector<Error> validate_outputs(const std::vector<OutputPath>& outputs,
                                    const std::vector<ProgramFile>& program);

}  // namespace clew::check
