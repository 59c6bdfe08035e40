// Knows every body that could exist, so that solutions are violations and "no solution" is a
// proof. Only loops of atoms need a second look: see Formula::refute_loops.
#include <optional>

#include "base/check.h"
#include "search/adversaries/solve.h"
#include "search/lattice.h"

namespace clew::search {

namespace {

class Symbolic : public LatticeAdversary {
 public:
  Symbolic(const formula::Rules& rules, Stop stop)
      : rules_(rules), stop_(std::move(stop)), formula_(rules, {.stop = stop_}) {
    formula_.learn_all();
  }

  Proposal propose_within(const Scope& scope) override {
    while (true) {
      Proposal proposal = solve(formula_, scope);
      if (proposal.kind != Proposal::Kind::kTry) return proposal;
      const formula::Valuation actual = formula::evaluate(rules_, proposal.choice.faults, stop_);
      if (actual.holds(rules_.goal())) {
        reaches_goal_ = proposal.choice.faults;
        return proposal;
      }
      CHECK(formula_.refute_loops(actual), "a solution that is none: {}",
            to_string(proposal.choice.faults));
      if (stop_ && stop_()) return {Proposal::Kind::kStopped};
    }
  }

  void observe(const Run& run) override {
    const FaultSet& faults = run.scenario.faults;
    const bool expected =
        faults == reaches_goal_ || formula::evaluate(rules_, faults, stop_).holds(rules_.goal());
    CHECK(expected == (run.outcome().kind == Outcome::Kind::kViolated), "the run under {} is {}",
          to_string(faults), to_string(run.outcome().kind));
  }

  void exclude_above(const FaultSet& faults) override { formula_.exclude(faults); }
  size_t clauses() const override { return formula_.clauses(); }
  double settled() const override { return formula_.settled(); }

 private:
  const formula::Rules& rules_;
  Stop stop_;
  formula::Formula formula_;
  std::optional<FaultSet> reaches_goal_{};  // the last proposal
};

}  // namespace

std::unique_ptr<LatticeAdversary> make_symbolic(const formula::Rules& rules, Stop stop) {
  return std::make_unique<Symbolic>(rules, std::move(stop));
}

}  // namespace clew::search
