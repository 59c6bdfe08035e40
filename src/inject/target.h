// What is run, what may fail in it, and what must hold: a target file (docs/inject.md), in TOML.
//
//   state = "state"                      # every run gets a fresh copy of this folder, at this path
//   spec = ["lost.ded"]
//
//   [[node]]
//   name = "master"
//   command = ["./master", "state"]
//   ready = { line = "ready" }
//
//   [workload]
//   command = ["./client", "add", "f1", "f2"]
//
//   [check]                              # afterwards, when nothing fails any more
//   command = ["./master", "--list", "state"]
//
//   [[fact]]
//   from = "workload"
//   line = "added (\\w+)"
//   is = 'userFiles("$1")'
//
//   Result<Target> target = read_target("target.toml");   // the Error names line and column
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "inject/failure.h"
#include "inject/observed.h"

namespace clew::inject {

// When a node may be used.
struct Ready {
  std::string line{};  // it has printed a line with this in it (a regular expression)
  std::string file{};  // this file is there
  int port = 0;        // it listens here
  bool at_once() const { return line.empty() && file.empty() && port == 0; }
};

struct CommandSpec {
  std::vector<std::string> words;  // the program, by its absolute path, and its arguments
  std::string folder{};            // where it runs; empty: the folder of the target file
  std::map<std::string, std::string> environment{};  // besides PATH, HOME, LANG=C, TZ=UTC
  std::string user{};                                // empty: whoever runs Clew
};

enum class Restart { kNever, kAtOnce, kAfterWorkload };

struct NodeSpec {
  std::string name;
  CommandSpec command;
  Ready ready{};
  // When its processes are gone: after an injected failure, or by itself. After the workload it is
  // started anyway if it is not there and this is not kNever, so that the check finds it.
  Restart restart = Restart::kAtOnce;
  uint32_t most_restarts = 3;
  bool runs_to_end = false;  // it is no server: the run waits for it, as for the workload
  bool inject = true;
  std::vector<std::string> files{};  // folders a power cut takes back; default: the state
};

// A fact from something that a run shows.
struct FactRule {
  // `workload`, `check`, or a node: its lines. Else empty, and `command` or `file` is set.
  std::string from{};
  std::vector<std::string> command{};  // run at the end; its lines
  std::string file{};                  // at the end; its lines
  std::string line{};  // a regular expression (ECMAScript) that a whole line matches
  std::string is{};    // `acked("$1", $2)`: numbers without quotes
};

// Which points count, by patterns with * and ?; all that are given must match.
struct Filter {
  std::string node{}, call{}, object{}, function{}, thread{};
};

// Makes names equal that differ from run to run.
struct Rename {
  std::string
      pattern;  // a regular expression, matched anywhere in a path, host:port or thread name
  std::string becomes;
};

struct Target {
  std::string path;                  // of the target file
  std::string folder;                // absolute: relative paths of the file are below it
  std::vector<std::string> state{};  // absolute folders
  std::vector<std::string> spec{};   // Dedalus files
  std::vector<NodeSpec> nodes{};
  std::optional<CommandSpec> workload{};
  bool inject_workload = false;
  std::optional<CommandSpec> check{};
  std::vector<FactRule> facts{};
  std::map<std::string, uint32_t> tells{};  // relations of facts that processes tell, and columns

  Kinds kinds{};
  uint32_t most_failures = 1;  // of one run
  uint32_t occurrences = 1;    // of a point: the first so many
  std::vector<Filter> only{};  // none: all
  std::vector<Filter> never{};
  std::vector<Rename> renames{};
  double run_seconds = 10;  // then it hangs
  double ready_seconds = 5;
  bool isolate = true;       // in namespaces of its own
  bool gate = false;         // calls that are known already do not stop (surface/gate.h)
  uint64_t memory = 0;       // of one run; 0: 1 GiB
  uint32_t processes = 256;  // of one run
  // What is not as its user may think; sorted, distinct.
  std::vector<Warning> warnings{};
};

// All paths are absolute, all programs and folders are there. The Error begins with the file, line
// and column of the first mistake.
Result<Target> read_target(const std::string& path);
// Of a text that `path` is to have: relative paths begin at its folder.
Result<Target> parse_target(std::string_view text, const std::string& path);

}  // namespace clew::inject
