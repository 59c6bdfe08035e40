// What was seen in one run of a target: all that happened, in one order.
//
//   Observed seen = runner.next().observed;
//   for (const Happening& one : seen.happenings) ...
//   seen.reached;                   // which failures of the plan struck, in order
//   seen.ending;                    // done, hung, ...
//
// The order is the one in which the kernel stopped at the calls: of two that a node's processes
// make at the same time, one comes first. A Happening's number is its index, from 1, and is what
// the facts of a run call `At` (facts.h).
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "inject/failure.h"

namespace clew::inject {

// One whole line that a command printed. `who` is a node's name, `workload` or `check`.
struct Line {
  std::string who;
  std::string text;
};

// What became of a node, or of the workload or check.
struct Change {
  enum class Kind {
    kStarted,    // its command runs
    kReady,      // as its ready check says
    kExited,     // by itself; `number` is its status
    kKilled,     // by a signal that nobody injected; `number` is which
    kCrashed,    // killed by an injected failure
    kPowerCut,   // likewise, and its files went back to a crash state
    kRestarted,  // started again
    kStopped,    // ended by Clew, at the end
    kHung,       // did not end, or not get ready, in time
  };
  Kind kind = Kind::kStarted;
  std::string who;
  int number = 0;
};

const char* to_string(Change::Kind kind);  // "started", "ready", ...

// A failure of the plan strikes, at the call that comes next, or that came last.
struct Struck {
  uint32_t failure = 0;  // the index in the plan
};

// A fact that a process told through include/clew/facts.h, as text: `log("a", 7)`.
struct Told {
  std::string who;
  std::string fact;
};

using Happening = std::variant<Call, Line, Change, Struck, Told>;

// Something that is not modelled, or not as it should be. Never passed over in silence.
struct Warning {
  std::string what;  // "writes outside of its state: /etc/foo"
  std::string remedy;
  friend bool operator==(const Warning&, const Warning&) = default;
  friend auto operator<=>(const Warning&, const Warning&) = default;
};

// A command listens: on a TCP port, or at a path (`@name` if it is no file).
struct Listening {
  std::string who;
  uint16_t port = 0;
  std::string path{};
  friend bool operator==(const Listening&, const Listening&) = default;
};

struct Observed {
  enum class Ending {
    kDone,         // the workload and the check ended
    kHung,         // something did not end in time: an outcome like any other
    kCannotStart,  // a command could not be started, or a node does not get ready without failures
    kFailed,       // Clew could not run it: see `trouble`
  };

  Ending ending = Ending::kDone;
  std::string trouble{};  // what could not be started, and why; without failures also what hung
  std::vector<Point> points{};
  std::vector<std::string> nodes{};  // names; Call::node is an index
  std::vector<Happening> happenings{};
  std::vector<uint32_t> reached{};  // indices in the plan, in the order in which they struck
  std::vector<Warning> warnings{};  // sorted, distinct
  // Of each power cut of the plan that struck: the other crash states that there were at this
  // moment, by name (disk::Choice), distinct in content.
  std::vector<std::vector<std::string>> crash_states{};
  // What the check's extractor commands printed, by the index of the fact rule in the target.
  std::vector<std::pair<uint32_t, std::string>> extracted{};
  std::vector<Listening> listening{};  // in the order in which they began
  double seconds = 0;                  // for people; decides nothing
  uint64_t passed = 0;                 // calls that did not stop (surface/gate.h); likewise
};

}  // namespace clew::inject
