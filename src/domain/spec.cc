#include "domain/spec.h"

#include <algorithm>

#include "base/check.h"

namespace clew {

Outcome Promise::judge(const Run& run) const {
  CHECK(!run.facts.empty(), "a run without a tick");
  const std::vector<Fact>& last = run.facts.back();
  Outcome outcome;
  outcome.spec = name();
  outcome.defines_pre = relations_.defines_pre;
  outcome.kind = Outcome::Kind::kVacuous;
  auto at = std::ranges::lower_bound(last, relations_.pre, {}, &Fact::relation);
  for (; at != last.end() && at->relation == relations_.pre; ++at) {
    const bool met = std::ranges::binary_search(last, Fact{relations_.post, at->values});
    outcome.goals.push_back({*at, met});
    if (outcome.kind == Outcome::Kind::kVacuous) outcome.kind = Outcome::Kind::kHolds;
    if (!met) outcome.kind = Outcome::Kind::kViolated;
  }
  return outcome;
}

namespace {

int badness(Outcome::Kind kind) {
  switch (kind) {
    case Outcome::Kind::kVacuous:
      return 0;
    case Outcome::Kind::kHolds:
      return 1;
    case Outcome::Kind::kViolated:
      return 2;
  }
  return 0;
}

}  // namespace

void judge(const Specs& specs, Run& run) {
  CHECK(!specs.empty(), "nothing to judge by");
  for (size_t i = 0; i < specs.size(); ++i) {
    Outcome outcome = specs[i]->judge(run);
    const bool worse = i == 0 || badness(outcome.kind) > badness(run.outcome.kind);
    if (worse) run.outcome = std::move(outcome);
  }
}

}  // namespace clew
