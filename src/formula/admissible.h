// What a FaultModel requires of every FaultSet, as requirements of Rules.
#pragma once

#include <functional>

#include "domain/fault_model.h"
#include "formula/rules.h"

namespace clew::formula {

// Every node crashes once at most, and no more nodes crash than may. `crashed` says of a node, by
// its number, that it has crashed by a tick: it is asked for in long runs only.
void require_few_crashes(const FaultModel& model, Rules& rules,
                         const std::function<Literal(size_t, Tick)>& crashed);

// The same, and an atom for every Fault that the model admits.
void require_admissible(const FaultModel& model, Rules& rules);

}  // namespace clew::formula
