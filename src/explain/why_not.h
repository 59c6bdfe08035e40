// Why a fact does not hold: for every rule that could have derived it, what was in the way.
//
//   log("b", "data") does not hold at ticks 1 to 4                            WhyNot
//     by log(Peer, Payload)@async :- bcast(Node, Payload), node(Node, Peer);     an Attempt
//       with bcast("a", "data")@1  node("a", "b")@1                                met
//       the message from a at tick 1 is lost: drop a>b@1                           reason kLost
//
// A fact that, once there, would have stayed is explained for all ticks before, too: for each rule
// the tick at which it got furthest is told.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dedalus/program.h"
#include "domain/pattern.h"
#include "explain/body_match.h"
#include "lineage/graph.h"
#include "lineage/why.h"

namespace clew::explain {

using lineage::Graph;
using lineage::Why;

struct WhyNot {
  enum class How {
    kTried,      // see the attempts; without any, nothing derives such a fact
    kBeyondEnd,  // the run ends before
    kSeen,       // told above
    kCut,        // not told: there is too much
  };
  struct Attempt {
    enum class Reason {
      kMissing,    // a fact that it needs: see `missing`
      kPresent,    // a fact whose absence it needs: see `present`
      kCondition,  // a comparison does not hold
      kLost,       // the message
      kValue,      // the result is another one
      kPlace,      // the rule does not fire there, or nothing can exist there
      kTime,       // not at this tick
      kGaveUp,     // nobody knows: there is too much to try
    };
    const Rule* rule = nullptr;  // of the run's table; null: a fact of the program, given at
                                 // other ticks only
    std::string where;           // "file:line" of the rule or fact
    Tick tick = 1;               // at which the rule was applied
    Reason reason = Reason::kMissing;
    std::string text;
    std::vector<Firing::Use> met;
    std::vector<WhyNot> missing;  // at most one
    std::vector<Why> present;     // at most one
  };

  Pattern pattern;
  Tick tick = 1;
  Tick since = 1;  // it does not hold at any tick from this one to `tick`
  How how = How::kTried;
  std::vector<Attempt> attempts{};
};

const char* to_string(WhyNot::How how);                 // "tried", "beyond-end", "see-above", "cut"
const char* to_string(WhyNot::Attempt::Reason reason);  // "missing", "present", ...

// Requires that no fact of the run, which has firings, matches at this tick. `sources` are the
// program's.
WhyNot why_not(const dedalus::Program& program, const SourceSet& sources, const Graph& graph,
               const Pattern& pattern, Tick tick);

}  // namespace clew::explain
