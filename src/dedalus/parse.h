// Text to clauses. The parser never stops at an error: it reports it, skips to the next `;` and
// goes on, so that one reading shows every mistake.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"
#include "dedalus/ast.h"

namespace clew::dedalus {

// What bounds memory: clauses, literals, terms and comments of one program, all together.
inline constexpr size_t kMostElements = 1'000'000;

// Parses one text of `sources`. The result holds the clauses that could be read. Reports at most
// one error for each clause, and gives up after kMostSyntaxErrors.
File parse(FileId file, const SourceSet& sources, Diagnostics& diagnostics,
           size_t most_elements = kMostElements);

inline constexpr size_t kMostSyntaxErrors = 100;

// Reads the files at `paths` and, depth first, what they include, each once. An include is looked
// for beside the including file, then beside the first of `paths`. Included clauses stand in place
// of the include clause: the including file comes back in parts, before and after. The input files
// come first in `sources`. Limits: kMostFileBytes for each file, kMostProgramBytes together.
std::vector<File> load_files(const std::vector<std::string>& paths, SourceSet& sources,
                             Diagnostics& diagnostics);

inline constexpr uint64_t kMostFileBytes = 16U << 20U;
inline constexpr uint64_t kMostProgramBytes = 64U << 20U;
inline constexpr int kMostIncludes = 64;  // one within the other

}  // namespace clew::dedalus
