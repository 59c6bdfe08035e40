// A Diagnostic tells a user what is wrong with a program, where, why, and what to do about it.
//
//   broadcast.ded:3:1: error: `log` has 3 arguments here but 2 elsewhere [arity-clash]
//     3 | log(A, B, C) :- bcast(A, B);
//       | ^^^
//   broadcast.ded:2:1: note: here it has 2
//     2 | log(A, B)@next :- log(A, B);
//       | ^^^
//     help: give every use of `log` the same number of arguments
//
// A Diagnostics collects them, so that all the mistakes of a program are shown in one go.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/source.h"

namespace clew {

enum class Severity { kError, kWarning };

struct Note {
  Span span;
  std::string message;
};

struct Diagnostic {
  Severity severity = Severity::kError;
  std::string code;  // as listed in docs/diagnostics.md
  Span span;
  std::string message;
  std::vector<Note> notes;
  std::string help;  // what to do about it; may be empty
};

// One Diagnostic as text, in the layout shown above, ending in a newline. Long source lines are cut
// to a window around the span; control characters in them are shown as spaces.
std::string render(const Diagnostic& diagnostic, const SourceSet& sources);

class Diagnostics {
 public:
  void add(Diagnostic diagnostic) { all_.push_back(std::move(diagnostic)); }
  // Returns the new diagnostic, so that notes can be added to it.
  Diagnostic& error(std::string code, Span span, std::string message, std::string help = {});
  Diagnostic& warning(std::string code, Span span, std::string message, std::string help = {});

  bool has_errors() const;
  const std::vector<Diagnostic>& all() const { return all_; }

  // Orders by file and place; equal ones are merged.
  void sort();

  // All of them as text, the first `most` in full, then how many were left out.
  std::string render(const SourceSet& sources, size_t most = 100) const;

 private:
  std::vector<Diagnostic> all_;
};

}  // namespace clew
