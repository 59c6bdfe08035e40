// What all subcommands share: exit codes, and how they are added to the command line.
//
// A subcommand is one file. add_NAME() describes its arguments and what it does, which gives back
// an ExitCode.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "check/memory.h"
#include "check/notes.h"
#include "check/scenario_file.h"
#include "cli/flags.h"

namespace clew::cli {

// Part of the manual: docs/manual.md.
enum ExitCode {
  kOk = 0,           // the spec holds, or the run is vacuous; or nothing was judged
  kBug = 1,          // a bug of ours
  kInputError = 2,   // usage or input
  kViolated = 10,    // a counterexample
  kBudgetUsed = 20,  // the budget was used up before there was an answer
};

void add_analyze(CommandLine& line);
void add_call(CommandLine& line);
void add_check(CommandLine& line);
void add_explain(CommandLine& line);
void add_explore(CommandLine& line);
void add_fmt(CommandLine& line);
void add_host(CommandLine& line);
void add_inject(CommandLine& line);
void add_judge(CommandLine& line);
void add_new_node(CommandLine& line);
void add_replay(CommandLine& line);
void add_run(CommandLine& line);
void add_verify(CommandLine& line);

// What src/check says goes to stderr; with a line that shows how far it is, if that is a terminal.
check::Notes notes_on_stderr();

// What a subcommand may take, as its flags say it.
struct Allowance {
  static constexpr const char* kAllTime = "(none)";  // none was given

  std::string memory = check::kDefaultMemory;
  std::string budget = kAllTime;

  void add_to(Command& command);
};

void add_memory(Command& command, std::string& memory);

// From now on the first Ctrl-C ends the work (Budget::catch_interrupts), and a later one the
// process, with a line on stderr that ends with `when_ended`.
void catch_interrupts(std::string when_ended = {});

// Does the work within the memory and the time, if that is limited. If one of them is used up, or
// if the work looks out for Ctrl-C (Budget::must_end) and ends because of it, says so and returns
// kBudgetUsed. Until it looks out (catch_interrupts), Ctrl-C and the end of the time end
// the process in the same way.
int work_within(const Allowance& allowance, const std::function<int()>& work, size_t threads = 2);

// The same for work that has no Budget of its own: while its loops look (base/watched.h), the first
// Ctrl-C, the time and the memory end it.
int work_until_stopped(const Allowance& allowance, const std::function<int()>& work);

// Replays a Scenario of nodes in C++, and says what mattered in it; also on a page, unless `report`
// is empty.
int replay_nodes(const check::SavedScenario& saved, bool json, const std::string& report,
                 const Allowance& allowance);
// Recordings of clew host and the sources of their nodes, in any order.
int replay_recordings(const std::vector<std::string>& files, bool as_json,
                      const Allowance& allowance);

// Runs a Scenario of processes some times, and says how often it violates its promise.
int replay_target(const check::SavedScenario& saved, bool json, const std::string& report,
                  const Allowance& allowance);

// Says what is wrong and what to do, on stderr. Returns kInputError.
int fail(const Error& error);
// Of each; requires that there is one.
int fail_all(const std::vector<Error>& errors);

}  // namespace clew::cli
