// Writes a certificate: why no admissible faults violate the spec, for clew verify.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "check/program_input.h"
#include "ground/grounder.h"

namespace clew::check {

// Solves the Formula of `grounder` once more, from the beginning and with a proof, and replaces the
// files of the certificate in the folder `path`. Requires that it has no solution. Throws
// Stopped once `stop` says so; the folder is as it was before then.
Status write_certificate(const ground::Grounder& grounder, const ProgramInput& input,
                         const std::string& path, const std::function<bool()>& stop);

}  // namespace clew::check
