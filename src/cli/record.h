// Keeps what a campaign left behind, for reports.
#pragma once

#include "cli/program_input.h"
#include "report/record.h"

namespace clew::cli {

// `input` outlives the Record.
report::Record make_record(const ProgramInput& input, const report::CheckReport& check);
// After a check that failed: without runs, and nothing can be replayed.
report::Record make_failed_record(const ProgramInput& input, const report::CheckReport& check);

}  // namespace clew::cli
