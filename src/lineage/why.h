// Why a fact holds: one derivation, as a tree.
//
//   log("b", "data")@4, since tick 2          Why: how kDerived, since 2
//     sent by a at tick 1                       senders
//     from bcast("a", "data")@1, given          from: how kGiven
//     from node("a", "b")@1, given
//
// The leaves are given: facts of the program, or crashes. What was told before is not told again.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "lineage/graph.h"

namespace clew::lineage {

struct Why {
  enum class How {
    kGiven,    // a fact of the program
    kCrash,    // a fault of the run
    kDerived,  // by a rule
    kSeen,     // told above
    kCut,      // not told: there is too much
  };
  struct Sender {
    NodeName from;
    Tick sent_at = 1;
  };

  Fact fact;
  Tick tick = 1;
  Tick since = 1;  // it has persisted since then, and is explained as of then
  How how = How::kGiven;
  const Rule* rule = nullptr;  // kDerived: of the run's table
  std::vector<Sender> senders{};
  std::vector<Why> from{};
  std::vector<Firing::Absence> without{};
};

const char* to_string(Why::How how);  // "given", "crash", "derived", "see-above", "cut"

// Tells several facts, each derivation once.
class WhyTeller {
 public:
  // `graph` outlives the teller.
  explicit WhyTeller(const Graph& graph, size_t most_facts = 500)
      : graph_(graph), left_(most_facts) {}

  Why tell(PointId point) { return tell(point, 0); }

 private:
  Why tell(PointId point, int depth);

  const Graph& graph_;
  size_t left_;
  std::set<PointId> told_;
};

}  // namespace clew::lineage
