// The atoms of the FaultModel: when a node has crashed, when a message is lost.
#pragma once

#include <map>
#include <tuple>

#include "domain/fault_model.h"
#include "formula/rules.h"

namespace clew::ground {

class FaultAtoms {
 public:
  // Adds what the model requires of every FaultSet. Both outlive this.
  FaultAtoms(const FaultModel& model, formula::Rules& rules);

  bool stop() const { return model_.crash_model == CrashModel::kStop; }
  formula::Literal crash(size_t node, Tick tick);
  // What may happen, in the words of domain/delivery.h.
  formula::Literal omitted(size_t from, size_t to, Tick tick);
  formula::Literal crashed(size_t node, Tick tick);
  // A message sent at `tick` does not arrive.
  formula::Literal lost(size_t from, size_t to, Tick tick);
  // Some node is left, under stop.
  formula::Literal somebody(Tick tick);

 private:
  void require_few_crashes();

  const FaultModel& model_;
  formula::Rules& rules_;
  std::vector<std::vector<formula::Literal>> crashed_;  // by node and tick
  std::map<std::tuple<Tick, size_t, size_t>, formula::Literal> lost_;
};

}  // namespace clew::ground
