// Knows every support that could exist, so that solutions are violations and "no solution" is a
// proof. Only loops of atoms need a second look: see Formula::refute_loops.
#include "base/check.h"
#include "search/adversaries/solve.h"
#include "search/adversary.h"

namespace clew::search {

namespace {

class Symbolic : public Adversary {
 public:
  Symbolic(const formula::Rules& rules, Stop stop)
      : rules_(rules), formula_(rules, {.stop = std::move(stop)}) {
    formula_.learn_all();
  }

  Proposal propose(const Scope& scope) override {
    while (true) {
      Proposal proposal = solve(formula_, scope);
      if (proposal.kind != Proposal::Kind::kFaults) return proposal;
      formula::Valuation actual = formula::evaluate(rules_, proposal.faults);
      if (actual.holds(rules_.goal())) return proposal;
      CHECK(formula_.refute_loops(actual), "a solution that is none: {}",
            to_string(proposal.faults));
    }
  }

  void observe(const FaultSet& faults, Outcome::Kind outcome) override {
    bool expected = formula::evaluate(rules_, faults).holds(rules_.goal());
    CHECK(expected == (outcome == Outcome::Kind::kViolated), "the run under {} is {}",
          to_string(faults), to_string(outcome));
  }

  void exclude(const FaultSet& faults) override { formula_.exclude(faults); }
  size_t clauses() const override { return formula_.clauses(); }
  double settled() const override { return formula_.settled(); }

 private:
  const formula::Rules& rules_;
  formula::Formula formula_;
};

}  // namespace

std::unique_ptr<Adversary> make_symbolic(const formula::Rules& rules, Stop stop) {
  return std::make_unique<Symbolic>(rules, std::move(stop));
}

}  // namespace clew::search
