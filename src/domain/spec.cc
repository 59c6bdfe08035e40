#include "domain/spec.h"

#include <algorithm>
#include <span>

#include "base/check.h"

namespace clew {

namespace {

// Those of one relation among sorted ones.
std::span<const Fact> facts_of(const std::string& relation, const std::vector<Fact>& facts) {
  const auto begin = std::ranges::lower_bound(facts, relation, {}, &Fact::relation);
  return {begin, std::ranges::upper_bound(begin, facts.end(), relation, {}, &Fact::relation)};
}

}  // namespace

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
  const std::span<const Fact> promised = facts_of(relations_.pre, facts);
  const std::span<const Fact> kept = facts_of(relations_.post, facts);
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
