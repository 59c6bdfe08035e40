// The Faults of a Run, numbered: a number is an index into its FaultSet, and what a number stands
// for is asked here.
//
//   FaultList faults(run.scenario);
//   for (uint32_t fault : faults.on("a", "b", 1)) ...   // that lose what a sends to b at tick 1
//   faults.text(0)                                      // "drop a>b@1"
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "domain/run.h"

namespace clew::lineage {

class FaultList {
 public:
  // `scenario` outlives the list.
  explicit FaultList(const Scenario& scenario) : scenario_(scenario) {}

  size_t size() const { return scenario_.faults.size(); }
  const Crash* crash(uint32_t fault) const;  // null if it is no crash
  std::string text(uint32_t fault) const;    // "drop a>b@1", "crash c@2"
  FaultSet without(uint32_t fault) const { return scenario_.faults.without(fault); }

  // Those that lose what is sent from one node to the other at this tick, ascending.
  std::vector<uint32_t> on(const NodeName& from, const NodeName& to, Tick sent_at) const;
  // What becomes of it: the first fate that applies.
  Message::Fate fate(const NodeName& from, const NodeName& to, Tick sent_at) const;
  // Crashes up to this tick under the stop model: nothing exists at their nodes then.
  std::vector<uint32_t> stops(Tick tick) const;

  // What the Faults do, in the words of domain/delivery.h.
  std::vector<uint32_t> omitted(const NodeName& from, const NodeName& to, Tick tick) const;
  std::vector<uint32_t> crashed(const NodeName& node, Tick tick) const;

 private:
  template <class Strikes>
  std::vector<uint32_t> that(Strikes strikes) const;

  const Scenario& scenario_;
};

}  // namespace clew::lineage
