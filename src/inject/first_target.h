// A first target file and first rules, from what two runs of a command without failures show.
//
//   const FirstCommand command{.words = {"./counter.sh"}, .folder = here, .file_folder = here};
//   const Result<Target> watched = target_to_watch(command);    // to be run twice
//   const Status fine = went_well(command, one);
//   const FirstTarget first = first_target(command, one, two);  // texts of both files
//
// The runs have a copy of the folder that the command is called in; what they write there makes the
// state of the target: for each folder below, the smallest that holds all of it. What is called
// otherwise in the second run than in the first is random, and gets a [[rename]]. Whatever is only
// likely is a comment in the text.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "inject/observed.h"
#include "inject/target.h"

namespace clew::inject {

struct FirstCommand {
  std::vector<std::string> words;
  std::string folder;                // where it is called: absolute
  std::string file_folder;           // where the target file will be: absolute
  std::string rules = "target.ded";  // as the target file names it
  std::vector<std::string> more{};   // folders elsewhere that runs have a copy of, too
};

struct FirstTarget {
  std::string target, rules;
  std::vector<std::string> notes{};  // what its user should know, a line each
};

// A command that still runs after this long is a server.
constexpr double kFirstRunSeconds = 5;

// An Error says what cannot be run.
Result<Target> target_to_watch(const FirstCommand& command);

// Folders elsewhere in which the run could not write; without those that nobody can write to.
std::vector<std::string> folders_refused(const FirstCommand& command, const Observed& seen);

// Whether the command has run as it should, and there is something to inject.
Status went_well(const FirstCommand& command, const Observed& seen);

// Requires that both went well.
FirstTarget first_target(const FirstCommand& command, const Observed& one, const Observed& two);

}  // namespace clew::inject
