// The paper's alternation: a run shows which firings supported the good outcome, and the next
// proposal has to cut all that are known (sections 4.2, 4.3 and appendix B).
//
// The backward step does not collect proof trees, which can be exponentially many: each firing of
// the run becomes one clause, "if the body holds, so does the head", and the derivation graph of
// every goal is the set of these clauses. They stay for all later proposals, and a run that shows
// how one fact of a relation comes about teaches that for all facts of it. Whatever is claimed
// true, a `pre` tuple for instance, must have a possible support, which prunes faults that make a
// run vacuous without losing those that make a new `pre` tuple appear.
//
// A firing that relied on an absence is exact only if the Formula knows what could make the absent
// fact appear; it does, since claims need supports. The paper's three cheaper readings take the
// absence out of the clause, or put facts of the run in its place. They are not complete.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/check.h"
#include "search/adversary.h"

namespace clew::search {

namespace {

using formula::Atom;
using formula::Literal;
using formula::Rules;

class Lineage : public Adversary {
 public:
  Lineage(const Rules& rules, Negation negation, Stop stop)
      : rules_(rules), negation_(negation), formula_(rules, {.stop = std::move(stop)}) {
    if (negation_ != Negation::kExact) find_fault_atoms();
    for (Atom atom = 1; atom < rules_.atoms(); ++atom) {
      if (!rules_.is_named(atom)) continue;
      for (auto at = rules_.first_support(atom); at < rules_.end_support(atom); ++at) {
        of_kind_[rules_.kind_of(at)].emplace_back(atom, at);
      }
    }
  }

  Proposal propose(const Scope& scope) override {
    switch (formula_.solve(scope)) {
      case formula::Formula::Answer::kNone:
        return {Proposal::Kind::kNothing};
      case formula::Formula::Answer::kStopped:
        return {Proposal::Kind::kStopped};
      case formula::Formula::Answer::kFaults:
        break;
    }
    return {Proposal::Kind::kFaults, formula_.faults()};
  }

  void observe(const FaultSet& faults, Outcome::Kind outcome) override {
    formula::Valuation run = formula::evaluate(rules_, faults);
    bool violated = run.holds(rules_.goal());
    CHECK(violated == (outcome == Outcome::Kind::kViolated), "the run under {} is {}",
          to_string(faults), to_string(outcome));
    bool proposed = std::exchange(ran_, true);
    bool news = false;
    for (const Rules::Sign& sign : rules_.signs()) {
      bool shown = negation_ == Negation::kExact && run.holds(sign.literal);
      if (shown) news |= learn_kind(sign.kind);
    }
    for (Atom atom = 1; atom < rules_.atoms(); ++atom) {
      if (!rules_.is_named(atom) || !run.holds(formula::literal(atom))) continue;
      for (auto at = rules_.first_support(atom); at < rules_.end_support(atom); ++at) {
        if (run.holds(rules_.body(at))) news |= learn(atom, at, run);
      }
    }
    if (violated || news || !proposed) return;
    bool refuted = formula_.refute_loops(run);
    CHECK(refuted || negation_ != Negation::kExact, "nothing to learn from {}", to_string(faults));
    // An inexact reading can fail to rule out its own run.
    if (!refuted) formula_.exclude(faults);
  }

  void exclude(const FaultSet& faults) override { formula_.exclude(faults); }
  bool is_sure() const override { return negation_ == Negation::kExact; }
  size_t clauses() const override { return formula_.clauses(); }

 private:
  bool learn(Atom head, Rules::SupportId support, const formula::Valuation& run) {
    if (negation_ == Negation::kExact) return learn_kind(rules_.kind_of(support));
    std::vector<Literal> literals;
    for (Literal literal : rules_.body(support)) {
      bool absence = literal.negative() && !only_faults_[literal.atom()];
      if (!absence) {
        literals.push_back(literal);
      } else if (negation_ == Negation::kSurrogate) {
        add_blockers(literal.atom(), run, literals);
      } else if (negation_ == Negation::kConservative) {
        add_negative_causes(literal.atom(), run, literals);
      }
    }
    std::sort(literals.begin(), literals.end());
    literals.erase(std::unique(literals.begin(), literals.end()), literals.end());
    std::vector<uint32_t> key = {head};
    for (Literal literal : literals) key.push_back(literal.bits);
    if (!learned_.insert(key).second) return false;
    formula_.learn_instead(head, literals);
    return true;
  }

  bool learn_kind(uint32_t kind) {
    auto all = of_kind_.extract(kind);
    if (all.empty()) return false;
    for (auto [head, support] : all.mapped()) formula_.learn(head, support);
    return true;
  }

  // Atoms that only speak of faults: when a node is dead, when a message is lost.
  void find_fault_atoms() {
    only_faults_.assign(rules_.atoms(), false);
    for (Atom atom = 1; atom < rules_.atoms(); ++atom) {
      bool only = !rules_.is_named(atom);
      for (auto at = rules_.first_support(atom);
           only && !rules_.is_fault(atom) && at < rules_.end_support(atom); ++at) {
        only = std::ranges::all_of(rules_.body(at),
                                   [&](Literal literal) { return only_faults_[literal.atom()]; });
      }
      only_faults_[atom] = only;
    }
  }

  // Of each support of `absent` that fails only because of what is true: the first such fact.
  void add_blockers(Atom absent, const formula::Valuation& run, std::vector<Literal>& literals) {
    for (auto at = rules_.first_support(absent); at < rules_.end_support(absent); ++at) {
      std::optional<Literal> blocker;
      bool near = true;
      for (Literal literal : rules_.body(at)) {
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
      Literal self = formula::literal(atom);
      if (odd && rules_.is_named(atom) && run.holds(self)) literals.push_back(self);
      if (rules_.is_fault(atom)) continue;
      for (auto at = rules_.first_support(atom); at < rules_.end_support(atom); ++at) {
        for (Literal literal : rules_.body(at)) {
          std::pair<Atom, bool> next{literal.atom(), odd != literal.negative()};
          if (!only_faults_[next.first] && seen.insert(next).second) pending.push_back(next);
        }
      }
    }
  }

  const Rules& rules_;
  Negation negation_;
  formula::Formula formula_;
  bool ran_ = false;
  // The supports of relations of which no fact has been seen, by relation.
  std::map<uint32_t, std::vector<std::pair<Atom, Rules::SupportId>>> of_kind_;
  std::vector<bool> only_faults_;
  std::set<std::vector<uint32_t>> learned_;
};

}  // namespace

std::unique_ptr<Adversary> make_lineage(const Rules& rules, Negation negation, Stop stop) {
  return std::make_unique<Lineage>(rules, negation, std::move(stop));
}

}  // namespace clew::search
