#include "domain/spec.h"

#include <algorithm>

#include "base/check.h"

namespace clew {

Outcome Promise::judge(const Run& run) const {
  CHECK(!run.facts.empty(), "a run without a tick");
  Outcome outcome{.spec = name()};
  outcome.defines_pre = relations_.defines_pre;
  outcome.pre = relations_.pre;
  outcome.post = relations_.post;
  outcome.every_tick = relations_.every_tick;
  if (relations_.every_tick) {
    Tick tick = 1;
    for (const std::vector<Fact>& facts : run.facts) judge_tick(facts, tick++, outcome);
  } else {
    judge_tick(run.facts.back(), run.scenario.program.eot, outcome);
  }
  for (const Outcome::Goal& goal : outcome.goals) {
    if (outcome.kind == Outcome::Kind::kVacuous) outcome.kind = Outcome::Kind::kHolds;
    if (!goal.post) outcome.kind = Outcome::Kind::kViolated;
  }
  return outcome;
}

void Promise::judge_tick(const std::vector<Fact>& facts, Tick tick, Outcome& outcome) const {
  auto at = std::ranges::lower_bound(facts, relations_.pre, {}, &Fact::relation);
  for (; at != facts.end() && at->relation == relations_.pre; ++at) {
    const Fact& fact = *at;
    const bool met = std::ranges::binary_search(facts, Fact{relations_.post, fact.values});
    auto known = std::ranges::lower_bound(outcome.goals, fact, {}, &Outcome::Goal::pre);
    if (known == outcome.goals.end() || known->pre != fact) {
      outcome.goals.insert(known, {fact, met, tick});
    } else if (known->post && !met) {
      *known = {fact, met, tick};
    }
  }
}

void judge(const Specs& specs, Run& run) {
  CHECK(!specs.empty(), "nothing to judge by");
  run.outcomes.clear();
  for (const std::shared_ptr<const Spec>& spec : specs) run.outcomes.push_back(spec->judge(run));
}

}  // namespace clew
