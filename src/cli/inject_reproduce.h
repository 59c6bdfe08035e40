// clew inject --reproduce: a folder for each cause, with what shows it again.
#pragma once

#include <string>

#include "base/result.h"
#include "base/source.h"
#include "inject/target.h"
#include "service/report.h"

namespace clew::cli {

// Nothing, or an empty folder: what is there is never overwritten. Empty: none is wanted.
Status check_reproduction_folder(const std::string& folder);

// Writes FOLDER/cause-1, and so on; all of them, or nothing. `sources`: the rules, as they were
// read.
Status write_reproductions(const inject::Target& target, const SourceSet& sources,
                           const service::Report& report, const std::string& folder);

}  // namespace clew::cli
