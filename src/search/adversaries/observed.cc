// Lineage where nobody knows what else could be: any System that shows Supports.
//
// The paper's first idea, bare: a Run that keeps the Spec shows Supports, sets of Events that were
// enough; whatever breaks the Spec has to prevent an Event of each. So every Support becomes a
// clause over the Faults that cut it, and the minimal solutions are what to try next. A Run under
// them either violates the Spec or shows another Support.
//
// What this account omits: Faults may also bring about what the Spec forbids, and a Support may
// rest on something that is absent. No clause says so, which is why nothing left to try proves
// nothing.
#include <utility>

#include "domain/delivery.h"
#include "formula/admissible.h"
#include "search/adversaries/solve.h"
#include "search/lattice.h"

namespace clew::search {

namespace {

class Observed : public LatticeAdversary {
 public:
  Observed(const FaultModel& model, Stop stop)
      : model_(model), rules_(model), formula_(rules_.rules, {.stop = std::move(stop)}) {}

  Detail needs() const override { return Detail::kLineage; }

  Proposal propose_within(const Scope& scope) override {
    // What is below a violation is tried: no clause rules out that fewer Faults violate, too.
    if (scope.below) {
      std::optional<FaultSet> next = descent_.next(*scope.below);
      return next ? try_faults(std::move(*next)) : Proposal{};
    }
    Proposal proposal = solve(formula_, scope);
    while (proposal.tries()) {
      Proposal smaller = solve(formula_, {.below = proposal.choice.faults, .at_most = {}});
      if (!smaller.tries()) break;
      proposal = std::move(smaller);
    }
    return proposal;
  }

  void observe(const Run& run) override {
    if (run.outcome().kind == Outcome::Kind::kViolated) return;
    for (const Support& support : run.supports) {
      FaultSet cuts;
      for (const EventId event : support) {
        for (const Fault& fault : faults_against(run.trace[event], run, model_)) cuts.insert(fault);
      }
      formula_.demand(cuts);
    }
    // Once is enough, also if there was nothing to learn.
    formula_.exclude_exactly(run.scenario.faults);
  }

  void exclude_above(const FaultSet& faults) override { formula_.exclude(faults); }
  size_t clauses() const override { return formula_.clauses(); }
  std::string why_unsure() const override {
    return "only the supports that runs have shown are known";
  }

 private:
  // No goal but to be admissible: what else is wanted comes from Runs.
  struct Admissible {
    explicit Admissible(const FaultModel& model) {
      formula::require_admissible(model, rules);
      rules.set_goal(formula::kTrue);
    }
    formula::Rules rules;
  };

  FaultModel model_;
  Admissible rules_;
  formula::Formula formula_;
  Descent descent_;
};

}  // namespace

std::unique_ptr<LatticeAdversary> make_observed_lineage(const FaultModel& model, Stop stop) {
  return std::make_unique<Observed>(model, std::move(stop));
}

}  // namespace clew::search
