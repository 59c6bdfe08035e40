// From FaultSets to counterexamples that can be shown: replayed, saved, grouped.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "base/stop.h"
#include "check/notes.h"
#include "check/program_input.h"
#include "dedalus/lowered_program.h"
#include "report/check_report.h"

namespace clew::check {

// Fills report.counterexamples from the verdict. Each is run again by the simulator and by its
// independent twin, which must both see the violation; then it is saved: the first one as `path`,
// the others with a number before the extension. The first of each group is explained. The report
// is complete even if saving fails.
//
// Of what `stop` leaves no time to confirm, the first few are saved, and none is shown. If that is
// all, the verdict becomes kUnknown and says so; else a note does.
Status show_counterexamples(const ProgramInput& input,
                            std::shared_ptr<const dedalus::LoweredProgram> program,
                            const std::string& path, const Stop& stop, const Notes& notes,
                            report::CheckReport& report);

Scenario to_scenario(const ProgramInput& input, const FaultModel& model, const FaultSet& faults);

}  // namespace clew::check
