// A Scenario is all that is decided before a Run. Saved, it replays.
//
// On disk it is the JSON object that docs/formats/scenario.md describes. Program files are named by
// path and fingerprint, so that a scenario can be replayed against a program that has been mended
// since, and says so.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "domain/fault.h"
#include "domain/limits.h"

namespace clew {

struct ProgramFile {
  std::string path;         // as given on the command line; on disk relative to the scenario file
  std::string fingerprint;  // of the file's text; see base/text.h

  friend bool operator==(const ProgramFile&, const ProgramFile&) = default;
};

// The choices that fix how a Run interleaves, in order, as people read them; empty where nothing is
// left to choose.
struct Schedule {
  std::vector<std::string> choices;

  friend bool operator==(const Schedule&, const Schedule&) = default;
};

// What an Adversary decides of a Scenario.
struct Choice {
  FaultSet faults{};
  Schedule schedule{};

  friend bool operator==(const Choice&, const Choice&) = default;
};

inline constexpr Tick kMostTicks = 100'000;
inline constexpr size_t kMostNodes = 1'000;

// The part that is about a Dedalus program.
struct ProgramPart {
  std::vector<ProgramFile> files;  // the input files, then what they include
  size_t inputs = 0;               // how many of `files` are input files
  Tick eot = 1;                    // the last tick
  CrashModel crash_model = CrashModel::kSilent;

  friend bool operator==(const ProgramPart&, const ProgramPart&) = default;
};

// The part that is about nodes in C++.
struct SourcePart {
  std::vector<ProgramFile> files{};  // none: the Scenario is not about such nodes
  std::string property{};            // that the Run violates
  // What the schedule was found within: how many requests of clients at the same time, and how
  // often which fault strikes. Each is at most kMostOften, which is no limit.
  struct Within {
    uint32_t requests = 0, crashes = 0, restarts = 0, losses = 0, duplicates = 0, early_timers = 0;
    uint32_t faults = 0;  // all but restarts together

    friend bool operator==(const Within&, const Within&) = default;
  };
  Within within{};
  // The choice of the schedule, from 1 on, with which a loop begins that ends with the last one:
  // what may go on for ever. 0: there is none.
  uint32_t loop = 0;

  friend bool operator==(const SourcePart&, const SourcePart&) = default;
};
inline constexpr uint32_t kMostOften = 255;

// The part that is about unmodified processes.
struct TargetPart {
  std::vector<ProgramFile> files{};     // the target file, then the rules that judge; none: no such
  std::string promise{};                // that the Run violates
  std::vector<std::string> failures{};  // that strike, as they are printed (inject/failure.h)

  friend bool operator==(const TargetPart&, const TargetPart&) = default;
};

struct Scenario {
  ProgramPart program{};
  SourcePart source{};
  TargetPart target{};
  std::vector<NodeName> nodes{};  // sorted, distinct
  std::vector<Fact> inputs{};     // what clients ask for, in order
  FaultSet faults{};
  Schedule schedule{};
  uint64_t seed = 0;  // of all that is random
  // What the faults were chosen within; a Run does not care. About nodes of the run.
  Limits limits{};

  friend bool operator==(const Scenario&, const Scenario&) = default;
};

// The Scenario with what was decided.
Scenario complete(Scenario base, Choice choice);

// The faults that the limits rule out.
FaultSet beyond_limits(const Scenario& scenario);

// When the node crashes, if it does.
std::optional<Tick> crash_of(const Scenario& scenario, const NodeName& node);
// Whether the node has crashed by then under kStop, so that nothing exists there.
bool has_stopped(const Scenario& scenario, const NodeName& node, Tick tick);

// What a Run may rely on: there are nodes, sorted, distinct, at most kMostNodes, each with a name
// that can be printed; 1 <= eot <= kMostTicks; every fault names nodes of the run and a tick from 1
// to eot - 1; no omission towards oneself; no node crashes twice; limits name nodes of the run. The
// Error names the first that does not hold, with a remedy. `prefix` is what the names `nodes`,
// `eot`, `drop` and `crash` begin with where the user writes them: `--` on a command line.
Status validate(const Scenario& scenario, std::string_view prefix = "");

inline constexpr size_t kMostScenarioBytes = 16 << 20;
inline constexpr int kScenarioVersion = 1;  // of the format on disk

// Requires a valid scenario: of a program, which leaves no schedule, inputs or seed to choose, of
// nodes in C++, whose faults are part of the schedule, or of a target. Ends in a newline.
std::string to_json(const Scenario& scenario);
// Accepts what to_json writes, in any layout and order, if it names an input file and is valid;
// everything else is an Error that says where, such as `faults.omissions[2].tick`.
Result<Scenario> scenario_from_json(std::string_view text);

}  // namespace clew
