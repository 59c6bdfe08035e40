// Whether the violations of counterexamples go away if the run lasts longer. Within bounds that the
// user has fixed they count all the same, but it is said.
#pragma once

#include <functional>
#include <memory>

#include "dedalus/lowered_program.h"
#include "report/check_report.h"

namespace clew::check {

// Fills `gone_at` of the report's counterexamples; those of one group are alike. Once `stop` says
// so, of no further ones.
void look_further(const std::shared_ptr<const dedalus::LoweredProgram>& program,
                  const std::function<bool()>& stop, report::CheckReport& report);

}  // namespace clew::check
