// Lineage with the three treatments of negation that the paper's prototype offers (appendix B).
//
// As there, every run has a Formula of its own, made of the firings of that run alone, and its
// minimal solutions, which go on from the faults of that run, are the runs to try. A firing that
// relied on an absence gives a clause without the absence, or with facts of the run in its place.
// So "nothing left" is no proof; what violates the Spec does so all the same.
#include <algorithm>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "search/lattice.h"

namespace clew::search {

namespace {

using formula::Atom;
using formula::Formula;
using formula::Literal;
using formula::Rules;

// Of one run's solutions no more are tried.
constexpr size_t kMostSolutions = 500;

class Published : public LatticeAdversary {
 public:
  Published(const Rules& rules, Negation negation, Stop stop)
      : rules_(rules), negation_(negation), stop_(std::move(stop)) {
    find_fault_atoms();
  }

  Proposal propose_within(const Scope& scope) override {
    if (stop_ && stop_()) return {Proposal::Kind::kStopped};
    if (scope.below) {
      std::optional<FaultSet> next = descent_.next(*scope.below);
      if (!next) return {Proposal::Kind::kNothing};
      return try_faults(std::move(*next));
    }
    while (!waiting_.empty()) {
      FaultSet next = std::move(waiting_.front());
      waiting_.pop_front();
      const bool fits = next.size() <= scope.at_most.value_or(SIZE_MAX) && !excluded_.covers(next);
      if (fits) return try_faults(std::move(next));
    }
    return {Proposal::Kind::kNothing};
  }

  void observe(const Run& observed) override {
    const FaultSet& faults = observed.scenario.faults;
    const formula::Valuation run = formula::evaluate(rules_, faults);
    const bool violated = run.holds(rules_.goal());
    CHECK(violated == (observed.outcome().kind == Outcome::Kind::kViolated),
          "the run under {} is {}", to_string(faults), to_string(observed.outcome().kind));
    tried_.insert(to_string(faults));
    if (violated) return;
    Formula formula(rules_, {.stop = stop_});
    for (Atom atom = 1; atom < rules_.atoms(); ++atom) {
      if (!rules_.is_named(atom) || !run.holds(formula::literal(atom))) continue;
      for (auto at = rules_.first_body(atom); at < rules_.end_body(atom); ++at) {
        if (run.holds(rules_.body(at))) explain(formula, atom, at, run);
      }
    }
    formula.insist(faults);
    clauses_ = formula.clauses();
    add_solutions(formula, faults.size());
  }

  void exclude_above(const FaultSet& faults) override { excluded_.add(faults); }
  std::string why_unsure() const override { return "the adversary is not complete"; }
  size_t clauses() const override { return clauses_; }

 private:
  // The minimal solutions that have not been tried.
  void add_solutions(Formula& formula, size_t least) {
    for (size_t i = 0; i < kMostSolutions; ++i) {
      if (formula.solve({}) != Formula::Answer::kFaults) return;
      FaultSet faults = formula.faults();
      while (formula.solve({.below = faults, .at_most = {}}) == Formula::Answer::kFaults) {
        faults = formula.faults();
      }
      // The reading of the run does not even rule out the run itself.
      if (faults.size() <= least) return;
      formula.exclude(faults);
      if (tried_.insert(to_string(faults)).second) waiting_.push_back(std::move(faults));
    }
  }

  void explain(Formula& formula, Atom head, Rules::BodyId id, const formula::Valuation& run) {
    std::vector<Literal> literals;
    for (const Literal literal : rules_.body(id)) {
      const bool absence = literal.negative() && !only_faults_[literal.atom()];
      if (!absence) {
        literals.push_back(literal);
      } else if (negation_ == Negation::kSurrogate) {
        add_blockers(literal.atom(), run, literals);
      } else if (negation_ == Negation::kConservative) {
        add_negative_causes(literal.atom(), run, literals);
      }
    }
    std::ranges::sort(literals);
    literals.erase(std::unique(literals.begin(), literals.end()), literals.end());
    formula.learn_instead(head, literals);
  }

  // Atoms that only speak of faults: when a node is dead, when a message is lost.
  void find_fault_atoms() {
    only_faults_.assign(rules_.atoms(), false);
    for (Atom atom = 1; atom < rules_.atoms(); ++atom) {
      bool only = !rules_.is_named(atom);
      for (auto at = rules_.first_body(atom);
           only && !rules_.is_fault(atom) && at < rules_.end_body(atom); ++at) {
        only = std::ranges::all_of(rules_.body(at),
                                   [&](Literal literal) { return only_faults_[literal.atom()]; });
      }
      only_faults_[atom] = only;
    }
  }

  // Of each body of `absent` that fails only because of what is true: the first such fact.
  void add_blockers(Atom absent, const formula::Valuation& run, std::vector<Literal>& literals) {
    for (auto at = rules_.first_body(absent); at < rules_.end_body(absent); ++at) {
      std::optional<Literal> blocker;
      bool near = true;
      for (const Literal literal : rules_.body(at)) {
        if (run.holds(literal)) continue;
        near &= literal.negative();
        if (!blocker) blocker = !literal;
      }
      if (near && blocker) literals.push_back(*blocker);
    }
  }

  // All true facts from which `absent` is reached through an odd number of negations.
  void add_negative_causes(Atom absent, const formula::Valuation& run,
                           std::vector<Literal>& literals) {
    std::vector<std::pair<Atom, bool>> pending = {{absent, false}};
    std::set<std::pair<Atom, bool>> seen = {pending[0]};
    while (!pending.empty()) {
      auto [atom, odd] = pending.back();
      pending.pop_back();
      const Literal self = formula::literal(atom);
      if (odd && rules_.is_named(atom) && run.holds(self)) literals.push_back(self);
      if (rules_.is_fault(atom)) continue;
      for (auto at = rules_.first_body(atom); at < rules_.end_body(atom); ++at) {
        for (const Literal literal : rules_.body(at)) {
          const std::pair<Atom, bool> next{literal.atom(), odd != literal.negative()};
          if (!only_faults_[next.first] && seen.insert(next).second) pending.push_back(next);
        }
      }
    }
  }

  const Rules& rules_;
  Negation negation_;
  Stop stop_;
  std::vector<bool> only_faults_;
  std::deque<FaultSet> waiting_;
  std::set<std::string> tried_;
  Exclusions excluded_;
  Descent descent_;
  size_t clauses_ = 0;
};

}  // namespace

std::unique_ptr<LatticeAdversary> make_published(const Rules& rules, Negation negation, Stop stop) {
  CHECK(negation != Negation::kExact);
  return std::make_unique<Published>(rules, negation, std::move(stop));
}

}  // namespace clew::search
