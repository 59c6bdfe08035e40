// The atoms of the FaultModel: when a node has crashed, when a message is lost.
#pragma once

#include <map>
#include <tuple>

#include "domain/fault_model.h"
#include "formula/rules.h"

namespace clew::ground {

// The EOT and EFF of a model that leaves its bounds open: faults may happen at every tick. What
// bounds ask for is then said by the literals below.
inline constexpr Tick kOpenEnd = INT32_MAX / 2;

class FaultAtoms {
 public:
  // Both outlive this.
  FaultAtoms(const FaultModel& model, formula::Rules& rules);

  // Adds what the model requires of every FaultSet. Once, before anything is asked; if the bounds
  // are open, it comes as ticks do.
  void require_admissible();

  bool open_ended() const { return model_.eot == kOpenEnd; }
  bool stop() const { return model_.crash_model == CrashModel::kStop; }
  formula::Literal crash(size_t node, Tick tick);
  // What may happen, in the words of domain/delivery.h.
  formula::Literal omitted(size_t from, size_t to, Tick tick);
  formula::Literal crashed(size_t node, Tick tick);
  // A message sent at `tick` does not arrive.
  formula::Literal lost(size_t from, size_t to, Tick tick);

  // Some message is lost by an omission at `tick`. Requires that all that is sent at it is known.
  formula::Literal some_omission(Tick tick);
  formula::Literal some_crash(Tick tick);
  // More than `most` nodes have crashed by `tick`.
  formula::Literal more_crashes(size_t most, Tick tick);

 private:
  const FaultModel& model_;
  formula::Rules& rules_;
  std::vector<std::vector<formula::Literal>> crashed_;  // by node and tick
  std::map<std::tuple<Tick, size_t, size_t>, formula::Literal> lost_;
  std::map<Tick, std::vector<formula::Literal>> omissions_;
  std::map<Tick, formula::Literal> some_omission_;  // of the ticks that are complete
};

}  // namespace clew::ground
