// Provenance: a part of a Run's lineage as a graph of goals and rules, for diagrams and other
// tools.
//
//   post("b", "data")@4                         goal 0, a root
//     rule 0: post(N, P) :- log(N, P), notin missing(_, P);
//       log("b", "data")@2..4                   goal 1; @next rules that only keep it are folded
//         rule 1: log(N, P)@async :- ...        from a to b
//           bcast("a", "data")@1                goal 3
//       missing(_, "data")@4                    goal 2, absent
//
// The difference of two runs draws what lineage/difference.h finds: it follows only what one of
// them has and the other has not. Where a goal that was absent from one run is there in the other,
// the step between the two is a rule of kind kContrary; so is what an aggregate did not count. It
// ends at the messages that the faults took: those rules are `cut`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "domain/run.h"
#include "lineage/graph.h"

namespace clew::report {

struct Provenance {
  // Which run it is true of. A graph of one run has kBoth everywhere.
  enum class Side { kBoth, kGood, kBad };
  enum class Kind { kDeductive, kNext, kAsync, kContrary };

  struct Goal {
    std::string relation;
    std::vector<std::string> columns;  // as printed; `_` where an absence does not care
    Tick tick = 1;                     // the first one, if folded
    Tick last = 1;
    bool absent = false;
    Side side = Side::kBoth;
    std::vector<size_t> rules{};  // that derive it
  };
  struct Rule {
    std::string text;   // as written; empty for kContrary
    std::string where;  // "file:line"
    Kind kind = Kind::kDeductive;
    Side side = Side::kBoth;
    size_t head = 0;
    std::vector<size_t> goals{};   // that it used
    std::vector<NodeName> from{};  // kAsync: who sent, and to whom
    NodeName to{};
    std::string cut{};  // what took the head away although all was there: `omitted`
  };

  std::vector<size_t> roots;
  std::vector<Goal> goals;  // breadth first from the roots, what is only kept in one go
  std::vector<Rule> rules;
  size_t left_out = 0;  // goals that were not followed any further
};

struct FactAt {
  Fact fact;
  Tick tick = 1;
};

// `log("b", "data")`; an absence has a `no ` in front.
std::string text_of(const Provenance::Goal& goal);
// `@3`, or `@3..5`.
std::string when(const Provenance::Goal& goal);

// Everything that the roots rest on. At most `most_goals` are followed; one that
// is only kept from tick to tick counts once.
Provenance provenance_of(const lineage::Graph& graph, const std::vector<FactAt>& roots,
                         size_t most_goals = SIZE_MAX);

// What makes the difference for the roots, which may hold in either run.
Provenance difference_of(const lineage::Graph& good, const lineage::Graph& bad,
                         const std::vector<FactAt>& roots, size_t most_goals = SIZE_MAX);

// Puts what an @next rule merely keeps from tick to tick into one goal.
Provenance folded(const Provenance& all);

// The tuples of a relation at the last tick.
std::vector<FactAt> at_the_end(const Run& run, const std::string& relation);

// What a diagram of a run shows: without `good`, the lineage of the kept promises; else why the
// first promise of the bad run was broken.
Provenance lineage_of(const Run& good, const Run* bad, size_t most_goals);

}  // namespace clew::report
