// The program with all its variables replaced: which facts are possible at which tick, and what
// each of them means in terms of faults.
//
//   Circuit circuit;
//   Grounding grounding(claim, circuit);
//   RelationIndex log = claim.program->relation_index.at("log");
//   grounding.fact(log, 3, {"b", "data"})    // its literal; kFalse: impossible
//
// Worked out from the program as written, tick by tick, without the engine and without any run. A
// fact is the disjunction of its firings and a firing the conjunction of what it rests on, in both
// directions, so whatever the circuit's clauses imply is true of every run within the bounds.
#pragma once

#include <string>
#include <vector>

#include "verify/claim.h"
#include "verify/facts.h"
#include "verify/faults.h"
#include "verify/fold.h"
#include "verify/match.h"

namespace clew::verify {

class Grounding {
 public:
  // Refuses what is too large or could end a run with an error. `claim` and `circuit` must outlive
  // it.
  Grounding(const Claim& claim, Circuit& circuit);

  Lit omission(const NodeName& from, const NodeName& to, Tick tick);
  Lit crash(const NodeName& node, Tick tick) const;
  Lit fact(RelationIndex relation, Tick tick, const std::vector<Datum>& values) const;
  Lit part(Tick tick, size_t rule, const std::vector<Datum>& values) const;
  // The single faults that what is possible depends on.
  std::vector<std::pair<Fault, Lit>> faults() const { return faults_.all(); }
  // Of each tuple that may be in `pre` at the last tick, that it is.
  const std::vector<Lit>& promised() const { return promised_; }
  // Some tuple is in `pre` and not in `post` at the last tick.
  Lit violation() const { return violation_; }

  // Nothing if the fact is impossible.
  std::optional<FactId> find(RelationIndex relation, Tick tick,
                             const std::vector<Datum>& values) const;
  const PossibleFact& at(FactId fact) const { return facts_.at(fact); }
  Fact print(FactId fact) const;
  size_t facts() const { return facts_.size(); }

 private:
  // A match, ready to become part of its head's meaning.
  struct Derivation {
    Tuple head;
    std::vector<Lit> needs;    // settled
    std::vector<FactId> open;  // facts used that belong to the group at hand
  };
  using Derivations = std::vector<Derivation>;
  using Firings = std::vector<std::pair<FactId, Derivation>>;  // with the head of each

  void begin(Tick tick);
  void settle(const Group& group, Tick tick);
  void give_literals(const Group& group, Tick tick, Firings& firings);
  void find_certain(const Firings& firings);
  std::vector<FactId> split_open(Firings& firings);
  void keep_firings(Firings& firings);
  template <class Each>
  void for_each_fact(const Group& group, Tick tick, Each each);
  void carry_on(const Rule& rule, Tick tick);
  Derivations derive(const Rule& rule, Tick tick);
  std::optional<Derivation> to_derivation(const Rule& rule, Tick tick, const Match& match);
  bool add_link(const Rule& rule, Tick tick, const Match& match, std::vector<Lit>& needs);
  void derive_aggregate(const Rule& rule, Tick tick, Tick head_tick);
  void support(RelationIndex relation, Tick tick, const Tuple& tuple, Lit lit);
  Lit may_exist(const Tuple& tuple, Tick tick) const;
  std::optional<NodeIndex> node_of(const Tuple& tuple) const;
  std::optional<Tuple> known(const std::vector<Datum>& values) const;
  void find_promised();
  void find_violation();
  void add_violations(const dedalus::PromiseInfo& promise, Tick tick, std::vector<Lit>& goals);

  const Claim& claim_;
  Circuit& circuit_;
  Values values_;
  Faults faults_;
  Facts facts_;
  Matcher matcher_;
  std::vector<Rule> rules_;
  std::vector<Group> groups_;
  std::unordered_map<Tuple, Lit, TupleHash> parts_;  // by tick, rule, and the columns
  std::vector<Lit> promised_;
  Lit violation_ = kFalse;
};

}  // namespace clew::verify
