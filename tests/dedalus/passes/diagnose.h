// What the parser and the passes say of a program, one line each, for tables of
// {source, diagnostics}:
//
//   3:1 error arity-clash: `log` has 3 arguments here but 2 elsewhere
//     2:1 here it has 2
//     help: give every use of `log` the same number of arguments
#pragma once

#include <fmt/format.h>

#include <string>

#include "dedalus/parse.h"
#include "dedalus/program.h"

namespace clew::dedalus {

inline std::string place_in(const SourceSet& sources, Span span) {
  Place place = sources.place(span.file, span.begin);
  return fmt::format("{}:{}", place.line, place.column);
}

inline std::string one_per_line(const Diagnostics& diagnostics, const SourceSet& sources) {
  std::string text;
  for (const Diagnostic& each : diagnostics.all()) {
    bool is_error = each.severity == Severity::kError;
    text += fmt::format("{} {} {}: {}\n", place_in(sources, each.span),
                        is_error ? "error" : "warning", each.code, each.message);
    for (const Note& note : each.notes) {
      text += fmt::format("  {} {}\n", place_in(sources, note.span), note.message);
    }
    if (!each.help.empty()) text += fmt::format("  help: {}\n", each.help);
  }
  return text;
}

inline std::string diagnose(const std::string& source) {
  SourceSet sources;
  Diagnostics diagnostics;
  FileId file = sources.add("test.ded", source);
  check_program({parse(file, sources, diagnostics)}, diagnostics);
  return one_per_line(diagnostics, sources);
}

struct Case {
  const char* source;
  const char* diagnostics;
};

}  // namespace clew::dedalus
