// Views are what is left when everything that can influence a later tick is taken away: what
// @next and @async rules read, what is read at a fixed tick, and what these are derived from.
#include "dedalus/passes/passes.h"

namespace clew::dedalus {
namespace {

class ViewFinder {
 public:
  explicit ViewFinder(Draft& draft) : draft_(draft), rules_(draft.program.relations.size()) {
    for (RelationInfo& relation : draft_.program.relations) relation.view = true;
    for (const Clause& clause : draft_.clauses) {
      if (clause.head.time.kind == TimeSuffix::Kind::kNone) {
        rules_[draft_.index_of(clause.head)].push_back(&clause);
      }
    }
  }

  void run() {
    for (const Clause& clause : draft_.clauses) {
      const bool to_later_tick = clause.head.time.kind != TimeSuffix::Kind::kNone;
      for (const Literal& literal : clause.body) {
        if (literal.kind == Literal::Kind::kCondition) continue;
        const bool at_fixed_tick = literal.atom.time.kind == TimeSuffix::Kind::kAt;
        if (to_later_tick || at_fixed_tick) exclude(literal.atom);
      }
    }
    while (!work_.empty()) {
      const RelationIndex relation = work_.back();
      work_.pop_back();
      for (const Clause* rule : rules_[relation]) exclude_body(*rule);
    }
  }

 private:
  void exclude(const Atom& atom) {
    const RelationIndex relation = draft_.index_of(atom);
    if (!draft_.program.relations[relation].view) return;
    draft_.program.relations[relation].view = false;
    work_.push_back(relation);
  }

  void exclude_body(const Clause& rule) {
    for (const Literal& literal : rule.body) {
      if (literal.kind != Literal::Kind::kCondition) exclude(literal.atom);
    }
  }

  Draft& draft_;
  std::vector<std::vector<const Clause*>> rules_;  // same-tick rules by the relation they derive
  std::vector<RelationIndex> work_;  // not views; their rules are still to be followed
};

}  // namespace

void find_views(Draft& draft) { ViewFinder(draft).run(); }

}  // namespace clew::dedalus
