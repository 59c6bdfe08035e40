// Keeps what a campaign left behind, for reports.
#pragma once

#include <memory>

#include "base/stop.h"
#include "check/program_input.h"
#include "dedalus/lowered_program.h"
#include "report/record.h"

namespace clew::check {

// `input` outlives the Record. Its replay() throws Stopped once `stop` says so.
report::Record make_record(const ProgramInput& input,
                           std::shared_ptr<const dedalus::LoweredProgram> program,
                           const report::CheckReport& check, const Stop& stop);
// After a check that failed: without runs, and nothing can be replayed.
report::Record make_failed_record(const ProgramInput& input, const report::CheckReport& check);

}  // namespace clew::check
