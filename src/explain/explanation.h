// Why a Run violates the Spec although the run without faults keeps it: what `clew check` and the
// report page say about a counterexample.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "domain/run.h"

namespace clew::explain {

struct Explanation {
  Fact goal;                         // the tuple of `pre` that this is about
  std::vector<std::string> summary;  // a few sentences, the most important first

  // What followed from the faults, in the order of time.
  struct Consequence {
    Tick tick = 1;
    std::string text;
  };
  std::vector<Consequence> consequences;

  // A set of messages that sufficed for the good outcome in the run without faults, beside what
  // both runs have.
  struct Support {
    std::vector<std::string> messages;  // `a sends log("b", "data") to b at tick 1`
    std::vector<std::string> cut_by;    // the faults that take it away, as `drop a>b@1`
  };
  std::string supported;          // what they sufficed for: `post("b", "data")`
  std::vector<Support> supports;  // the smallest first
  size_t more_supports = 0;       // that are not listed
  bool all_counted = true;        // otherwise there are even more

  // The first Fact, among those that matter to the goal, that only one of the two runs has.
  struct Parting {
    Tick tick = 1;
    Fact fact;
    bool in_good_run = true;  // the run without faults has it, the other does not
    std::string text;
  };
  std::optional<Parting> parting;

  // Where redundancy is missing.
  struct Hint {
    enum class Kind {
      kTime,       // a message is sent once
      kSpace,      // all supports start at one node
      kKnowledge,  // a decision rests on an absence that a lost message can fake
    };
    Kind kind = Kind::kTime;
    std::string text;
    Rule rule;  // that could be mended; without a path: no particular one
  };
  std::vector<Hint> hints;
};

const char* to_string(Explanation::Hint::Kind kind);  // "time", "space", "knowledge"

}  // namespace clew::explain
