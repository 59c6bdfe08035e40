#include "ground/fault_atoms.h"

#include <algorithm>

#include "base/check.h"
#include "domain/delivery.h"
#include "formula/admissible.h"

namespace clew::ground {

using formula::kFalse;
using formula::kTrue;
using formula::Literal;

FaultAtoms::FaultAtoms(const FaultModel& model, formula::Rules& rules)
    : model_(model), rules_(rules), crashed_(model.nodes.size()) {}

void FaultAtoms::require_admissible() {
  if (open_ended()) return;
  formula::require_few_crashes(model_, rules_,
                               [this](size_t node, Tick tick) { return crashed(node, tick); });
}

Literal FaultAtoms::crash(size_t node, Tick tick) {
  const bool never = !model_.may_crash(model_.nodes[node]);
  if (never || tick < 1 || tick > model_.last_fault()) return kFalse;
  return rules_.fault(Crash{model_.nodes[node], tick});
}

Literal FaultAtoms::crashed(size_t node, Tick tick) {
  std::vector<Literal>& known = crashed_[node];
  tick = std::min(tick, model_.last_fault());
  if (!model_.may_crash(model_.nodes[node]) || tick < 1) return kFalse;
  if (known.empty()) known.push_back(kFalse);
  while (known.size() <= static_cast<size_t>(tick)) {
    const Literal both[] = {known.back(), crash(node, static_cast<Tick>(known.size()))};
    // Nobody crashes twice.
    if (open_ended() && both[0] != kFalse) rules_.require({!both[0], !both[1]});
    known.push_back(rules_.any(both));
  }
  return known[static_cast<size_t>(tick)];
}

Literal FaultAtoms::lost(size_t from, size_t to, Tick tick) {
  auto [at, is_new] = lost_.try_emplace({tick, from, to}, kFalse);
  if (!is_new) return at->second;
  std::vector<Literal> ways;
  each_peril(model_.crash_model, *this, from, to, tick,
             [&](Message::Fate, Literal peril) { ways.push_back(peril); });
  return at->second = rules_.any(ways);
}

Literal FaultAtoms::omitted(size_t from, size_t to, Tick tick) {
  const bool never = !model_.may_lose(model_.nodes[from], model_.nodes[to]);
  if (never || tick >= model_.end_of_losses()) return kFalse;
  CHECK(!some_omission_.contains(tick), "what is sent at tick {} was known already", tick);
  omissions_[tick].push_back(rules_.fault(Omission{model_.nodes[from], model_.nodes[to], tick}));
  return omissions_[tick].back();
}

Literal FaultAtoms::some_omission(Tick tick) {
  auto [at, is_new] = some_omission_.try_emplace(tick, kFalse);
  if (is_new) at->second = rules_.any(omissions_[tick]);
  return at->second;
}

Literal FaultAtoms::some_crash(Tick tick) {
  std::vector<Literal> crashes;
  for (size_t node = 0; node < model_.nodes.size(); ++node) crashes.push_back(crash(node, tick));
  return rules_.any(crashes);
}

Literal FaultAtoms::more_crashes(size_t most, Tick tick) {
  if (most >= model_.nodes.size()) return kFalse;
  std::vector<Literal> by_then;
  for (size_t node = 0; node < model_.nodes.size(); ++node) by_then.push_back(crashed(node, tick));
  return rules_.at_least(by_then, most)[most + 1];
}

}  // namespace clew::ground
