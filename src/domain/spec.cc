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
  const auto promised = std::ranges::equal_range(facts, relations_.pre, {}, &Fact::relation);
  const auto kept = std::ranges::equal_range(facts, relations_.post, {}, &Fact::relation);
  const auto values = [](const Outcome::Goal& goal) -> const auto& { return goal.pre.values; };
  std::vector<Outcome::Goal>& goals = outcome.goals;
  for (const Fact& fact : promised) {
    const bool met = std::ranges::binary_search(kept, fact.values, {}, &Fact::values);
    const bool last = goals.empty() || goals.back().pre.values < fact.values;
    const auto known =
        last ? goals.end() : std::ranges::lower_bound(goals, fact.values, {}, values);
    if (known == goals.end() || known->pre.values != fact.values) {
      goals.insert(known, {fact, met, tick});
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
