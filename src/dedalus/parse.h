// Text to clauses. The parser never stops at an error: it reports it, skips to the next `;` and
// goes on, so that one reading shows every mistake.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"
#include "dedalus/ast.h"

namespace clew::dedalus {

// Parses one text of `sources`. The result holds the clauses that could be read.
File parse(FileId file, const SourceSet& sources, Diagnostics& diagnostics);

// Reads the files at `paths` and, depth first, what they include, each once. An include is looked
// for beside the including file, then beside the first of `paths`. Included clauses stand in place
// of the include clause. Limits: kMostFileBytes for each file, kMostProgramBytes together.
std::vector<File> load_files(const std::vector<std::string>& paths, SourceSet& sources,
                             Diagnostics& diagnostics);

inline constexpr uint64_t kMostFileBytes = 16U << 20U;
inline constexpr uint64_t kMostProgramBytes = 64U << 20U;

}  // namespace clew::dedalus
