// What all subcommands share: exit codes, and how they are added to the command line.
//
// A subcommand is one file. add_NAME() describes its arguments and what it does; when it is called,
// it puts an ExitCode into `exit_code`.
#pragma once

#include <CLI/CLI.hpp>
#include <vector>

#include "base/result.h"

namespace clew::cli {

// Part of the manual: docs/manual.md.
enum ExitCode {
  kOk = 0,           // the spec holds, or the run is vacuous; or nothing was judged
  kBug = 1,          // a bug of ours
  kInputError = 2,   // usage or input
  kViolated = 10,    // a counterexample
  kBudgetUsed = 20,  // the budget was used up before there was an answer
};

void add_check(CLI::App& app, int& exit_code);
void add_explain(CLI::App& app, int& exit_code);
void add_fmt(CLI::App& app, int& exit_code);
void add_replay(CLI::App& app, int& exit_code);
void add_run(CLI::App& app, int& exit_code);
void add_verify(CLI::App& app, int& exit_code);

// An empty path, as from a shell variable that is not set, is a mistake.
void refuse_empty(CLI::Option& option);

// Says what is wrong and what to do, on stderr. Returns kInputError.
int fail(const Error& error);
// Of each; requires that there is one.
int fail_all(const std::vector<Error>& errors);

}  // namespace clew::cli
