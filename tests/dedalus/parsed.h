// One text, parsed.
#pragma once

#include <string>

#include "base/diagnostic.h"
#include "dedalus/parse.h"
#include "dedalus/print.h"

namespace clew::dedalus {

struct Parsed {
  SourceSet sources;
  Diagnostics diagnostics;
  File file;

  std::string errors() const { return diagnostics.render(sources); }
};

inline Parsed parse_text(std::string text) {
  Parsed result;
  FileId id = result.sources.add("t.ded", std::move(text));
  result.file = parse(id, result.sources, result.diagnostics);
  return result;
}

// The clauses that could be read, one a line.
inline std::string printed_clauses(const File& file) {
  std::string text;
  for (const Clause& clause : file.clauses) text += print(clause) + "\n";
  return text;
}

}  // namespace clew::dedalus
