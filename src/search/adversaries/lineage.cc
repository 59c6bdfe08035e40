// The paper's alternation: a run shows which firings supported the good outcome, and the next
// proposal has to cut all that are known (sections 4.2, 4.3 and appendix B).
//
// The backward step does not collect proof trees, which can be exponentially many: each firing of
// the run becomes one clause, "if the body holds, so does the head", and the derivation graph of
// every goal is the set of these clauses. They stay for all later proposals, and a run that shows
// how one fact of a relation comes about teaches that for all facts of it. Whatever is claimed
// true, a `pre` tuple for instance, must have a possible body, which prunes faults that make a
// run vacuous without losing those that make a new `pre` tuple appear. The same goes for what a
// firing needs to be absent: the Formula knows everything that could make it appear.
//
// Which kinds of bodies exist is learned from the Run; which bodies of a kind there could be is
// what the System can tell beforehand. Where it cannot, observed.cc does what can be done.
#include <map>
#include <utility>
#include <vector>

#include "base/check.h"
#include "search/adversaries/solve.h"
#include "search/lattice.h"

namespace clew::search {

namespace {

using formula::Atom;
using formula::Rules;

class Lineage : public LatticeAdversary {
 public:
  Lineage(Possible possible, Stop stop)
      : possible_(std::move(possible)),
        rules_(possible_.rules),
        formula_(rules_, {.stop = std::move(stop)}) {
    for (Atom atom = 1; atom < rules_.atoms(); ++atom) {
      if (!rules_.is_named(atom)) continue;
      for (auto at = rules_.first_body(atom); at < rules_.end_body(atom); ++at) {
        of_kind_[rules_.kind_of(at)].emplace_back(atom, at);
      }
    }
  }

  Detail needs() const override { return Detail::kTrace; }

  Proposal propose_within(const Scope& scope) override {
    Proposal proposal = solve(formula_, scope);
    proposed_ = proposal.tries();
    return proposal;
  }

  void observe(const Run& run) override {
    bool news = false;
    for (const uint32_t kind : possible_.shown(run)) news |= learn_kind(kind);
    const bool violated = run.outcome().kind == Outcome::Kind::kViolated;
    if (violated || news || !std::exchange(proposed_, false)) return;
    const FaultSet& faults = run.scenario.faults;
    const formula::Valuation actual = formula::evaluate(rules_, faults);
    CHECK(!actual.holds(rules_.goal()), "the run under {} is {}", to_string(faults),
          to_string(run.outcome().kind));
    CHECK(formula_.refute_loops(actual), "nothing to learn from {}", to_string(faults));
  }

  void exclude_above(const FaultSet& faults) override { formula_.exclude(faults); }
  size_t clauses() const override { return formula_.clauses(); }
  double settled() const override { return formula_.settled(); }

 private:
  // True if nothing of this kind had been seen.
  bool learn_kind(uint32_t kind) {
    auto all = of_kind_.extract(kind);
    if (all.empty()) return false;
    for (auto [head, id] : all.mapped()) formula_.learn(head, id);
    return true;
  }

  Possible possible_;
  const Rules& rules_;
  formula::Formula formula_;
  bool proposed_ = false;
  // The bodies of relations of which no fact has been seen, by relation.
  std::map<uint32_t, std::vector<std::pair<Atom, Rules::BodyId>>> of_kind_;
};

}  // namespace

std::unique_ptr<LatticeAdversary> make_lineage(Possible possible, Stop stop) {
  return std::make_unique<Lineage>(std::move(possible), std::move(stop));
}

}  // namespace clew::search
