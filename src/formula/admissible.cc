#include "formula/admissible.h"

namespace clew::formula {

namespace {

constexpr size_t kFewTicks = 64;

}  // namespace

void require_few_crashes(const FaultModel& model, Rules& rules,
                         const std::function<Literal(size_t, Tick)>& crashed) {
  if (model.crashes == 0 || model.last_fault() < 1) return;
  std::vector<Literal> ever;
  for (size_t node = 0; node < model.nodes.size(); ++node) {
    if (!model.may_crash(model.nodes[node])) continue;
    std::vector<Literal> ticks;
    for (Tick tick = 1; tick <= model.last_fault(); ++tick) {
      ticks.push_back(rules.fault(Crash{model.nodes[node], tick}));
    }
    // Pairs are easiest to follow in a certificate, but their number grows with the square.
    const bool few = ticks.size() <= kFewTicks;
    for (size_t i = 0; i < ticks.size(); ++i) {
      if (!few) rules.require({!crashed(node, static_cast<Tick>(i)), !ticks[i]});
      for (size_t j = i + 1; few && j < ticks.size(); ++j) rules.require({!ticks[i], !ticks[j]});
    }
    ever.push_back(rules.any(ticks));
  }
  const auto most = static_cast<size_t>(model.crashes);
  if (most >= ever.size()) return;
  rules.require({!rules.at_least(ever, most)[most + 1]});
}

void require_admissible(const FaultModel& model, Rules& rules) {
  for (const Fault& fault : all_faults(model)) rules.fault(fault);
  require_few_crashes(model, rules, [&](size_t node, Tick tick) {
    std::vector<Literal> until;
    for (Tick at = 1; at <= tick; ++at) until.push_back(rules.fault(Crash{model.nodes[node], at}));
    return rules.any(until);
  });
}

}  // namespace clew::formula
