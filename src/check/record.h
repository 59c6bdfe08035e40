// Keeps what a campaign left behind, for reports.
#pragma once

#include <memory>

#include "base/stop.h"
#include "check/program_input.h"
#include "dedalus/lowered_program.h"
#include "report/record.h"

namespace clew::check {

// Without runs, and nothing can be replayed: all that there is after a check that failed.
report::Record make_record(const ProgramInput& input, report::CheckReport check);
// What was tried, and replay(). Once `stop` says so, both throw Stopped; the Record is as before
// then, and there is no replay(). `input` outlives the Record.
void add_runs(const ProgramInput& input, std::shared_ptr<const dedalus::LoweredProgram> program,
              const Stop& stop, report::Record& record);

}  // namespace clew::check
