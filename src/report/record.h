// The Record of a Campaign: what reports and other tools are written from.
//
// A campaign can have many thousand runs, so only their faults and outcomes are kept; `replay` runs
// one again with everything one may want to know of it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "domain/run.h"
#include "explain/explanation.h"
#include "report/check_report.h"

namespace clew::report {

struct Record {
  CheckReport check;

  struct Execution {
    FaultSet faults;
    Outcome::Kind outcome = Outcome::Kind::kHolds;
    std::optional<size_t> counterexample{};  // index into check.counterexamples
  };
  // The one without faults first, then in the order of the search, each FaultSet once.
  std::vector<Execution> runs;
  size_t runs_left_out = 0;  // that the search made beyond these

  struct ProgramText {
    std::string path;
    std::string text;
  };
  std::vector<ProgramText> program;  // the input files, then what they include
  size_t inputs = 0;                 // how many of them are input files

  // At the verdict's bounds, with firings.
  std::function<Run(const FaultSet&)> replay;
};

}  // namespace clew::report
