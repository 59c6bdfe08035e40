// All ways in which the body of a rule may be satisfied at a tick, by trying possible facts.
//
//   Matcher matcher(facts, faults, values);
//   matcher.all(rule, tick, [&](const Match& match) { ... });
//
// A way counts unless it is certain to fail: a negated fact that is merely possible becomes a
// literal of the match. A way that could end a run with an error is refused.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "verify/expression.h"
#include "verify/facts.h"
#include "verify/faults.h"

namespace clew::verify {

struct Match {
  std::optional<NodeIndex> location;  // nothing: anywhere
  Tuple head;                         // an aggregate's column holds the value of its variable
  std::vector<FactId> used;           // the facts of the positive literals
  std::vector<Lit> needs;             // what else must hold
};

class Matcher {
 public:
  using Each = std::function<void(const Match&)>;

  Matcher(Facts& facts, Faults& faults, Values& values)
      : facts_(facts), faults_(faults), values_(values) {}

  void all(const Rule& rule, Tick tick, const Each& each);

 private:
  void at_location(std::optional<NodeIndex> node, Lit fires);
  void choose(size_t element);
  void step();  // one fact more is looked at
  void try_fact(size_t element, FactId fact);
  void finish();
  bool satisfied(bool calculating);
  bool satisfied(size_t element);
  bool equals_expressions(const Element& element, const Tuple& tuple);
  bool may_be_absent(const Element& element);
  std::optional<Tuple> pattern_of(const Element& element);
  const std::vector<FactId>& candidates(const Element& element, const Tuple& pattern);
  bool fits(const Element& element, const Tuple& pattern, const Tuple& tuple);
  Tick tick_of(const Element& element) const;

  Facts& facts_;
  Faults& faults_;
  Values& values_;
  uint64_t steps_ = 0;

  // The rule at hand.
  const Rule* rule_ = nullptr;
  const Each* each_ = nullptr;
  Tick tick_ = 1;
  Binding binding_;
  Binding locals_;
  std::vector<FactId> chosen_;  // by element; of positive literals only
  Match match_;
};

}  // namespace clew::verify
