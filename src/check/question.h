// A question about a run, as in log("b", "data")@4, and its answer: why the fact holds, or why not.
#pragma once

#include <optional>
#include <string>

#include "base/diagnostic.h"
#include "base/source.h"
#include "check/program_input.h"
#include "domain/run.h"
#include "report/why.h"

namespace clew::check {

struct Question {
  Pattern pattern;
  int64_t tick = 0;  // 0: the last one
};

// Requires valid UTF-8. Nothing if `diagnostics` say what is wrong; they refer to `sources`.
std::optional<Question> read_question(const std::string& text, const dedalus::Program& program,
                                      SourceSet& sources, Diagnostics& diagnostics);

// Requires a run of the program, with firings.
report::Answer answer(const ProgramInput& input, const Run& run, const Question& question);

// The first few ticks at which such facts hold, as in "2, 3".
std::string ticks_of(const Run& run, const Pattern& pattern);

}  // namespace clew::check
