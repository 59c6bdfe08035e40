// The paper's alternation: a run shows which firings supported the good outcome, and the next
// proposal has to cut all that are known (sections 4.2, 4.3 and appendix B).
//
// The backward step does not collect proof trees, which can be exponentially many: each firing of
// the run becomes one clause, "if the body holds, so does the head", and the derivation graph of
// every goal is the set of these clauses. They stay for all later proposals, and a run that shows
// how one fact of a relation comes about teaches that for all facts of it. Whatever is claimed
// true, a `pre` tuple for instance, must have a possible support, which prunes faults that make a
// run vacuous without losing those that make a new `pre` tuple appear. The same goes for what a
// firing needs to be absent: the Formula knows everything that could make it appear.
#include <map>
#include <utility>
#include <vector>

#include "base/check.h"
#include "search/adversaries/solve.h"
#include "search/adversary.h"

namespace clew::search {

namespace {

using formula::Atom;
using formula::Rules;

class Lineage : public Adversary {
 public:
  Lineage(const Rules& rules, Stop stop)
      : rules_(rules), formula_(rules, {.stop = std::move(stop)}) {
    for (Atom atom = 1; atom < rules_.atoms(); ++atom) {
      if (!rules_.is_named(atom)) continue;
      for (auto at = rules_.first_support(atom); at < rules_.end_support(atom); ++at) {
        of_kind_[rules_.kind_of(at)].emplace_back(atom, at);
      }
    }
  }

  Proposal propose(const Scope& scope) override {
    Proposal proposal = solve(formula_, scope);
    proposed_ = proposal.kind == Proposal::Kind::kFaults;
    return proposal;
  }

  void observe(const FaultSet& faults, Outcome::Kind outcome) override {
    formula::Valuation run = formula::evaluate(rules_, faults);
    bool violated = run.holds(rules_.goal());
    CHECK(violated == (outcome == Outcome::Kind::kViolated), "the run under {} is {}",
          to_string(faults), to_string(outcome));
    bool news = learn_from(run);
    if (violated || news || !std::exchange(proposed_, false)) return;
    CHECK(formula_.refute_loops(run), "nothing to learn from {}", to_string(faults));
  }

  void exclude(const FaultSet& faults) override { formula_.exclude(faults); }
  size_t clauses() const override { return formula_.clauses(); }
  double settled() const override { return formula_.settled(); }

 private:
  // True if the run shows a fact of a relation of which none had been seen.
  bool learn_from(const formula::Valuation& run) {
    bool news = false;
    for (const Rules::Sign& sign : rules_.signs()) {
      if (run.holds(sign.literal)) news |= learn_kind(sign.kind);
    }
    for (Atom atom = 1; atom < rules_.atoms(); ++atom) {
      if (!rules_.is_named(atom) || !run.holds(formula::literal(atom))) continue;
      for (auto at = rules_.first_support(atom); at < rules_.end_support(atom); ++at) {
        if (run.holds(rules_.body(at))) news |= learn_kind(rules_.kind_of(at));
      }
    }
    return news;
  }

  bool learn_kind(uint32_t kind) {
    auto all = of_kind_.extract(kind);
    if (all.empty()) return false;
    for (auto [head, support] : all.mapped()) formula_.learn(head, support);
    return true;
  }

  const Rules& rules_;
  formula::Formula formula_;
  bool proposed_ = false;
  // The supports of relations of which no fact has been seen, by relation.
  std::map<uint32_t, std::vector<std::pair<Atom, Rules::SupportId>>> of_kind_;
};

}  // namespace

std::unique_ptr<Adversary> make_lineage(const Rules& rules, Stop stop) {
  return std::make_unique<Lineage>(rules, std::move(stop));
}

}  // namespace clew::search
