// At each tick the relations are settled group by group. First the facts that are possible are
// found, together with all their firings; then those that are certain; the rest get literals. Only
// in a recursion does a literal exist before its definition: a fact that is used, round a corner,
// to derive itself. For these the firings are kept, because a circle supports nobody: the
// completion alone would let such facts hold each other up.
#include "verify/ground.h"

#include <algorithm>

#include "base/check.h"
#include "base/watched.h"
#include "dedalus/print.h"
#include "verify/refusal.h"

namespace clew::verify {

namespace {

using dedalus::Term;
using Time = dedalus::TimeSuffix::Kind;

Datum datum_of(const Term& constant) {
  if (constant.kind == Term::Kind::kString) return constant.text;
  return constant.integer;
}

bool is_true(Lit lit) { return lit == kTrue; }

}  // namespace

Grounding::Grounding(const Claim& claim, Circuit& circuit)
    : claim_(claim),
      circuit_(circuit),
      faults_(claim, circuit),
      facts_(*claim.program),
      matcher_(facts_, faults_, values_) {
  for (size_t i = 0; i < claim.program->rules.size(); ++i) {
    rules_.push_back(compile(*claim.program, i, values_));
  }
  groups_ = order_relations(*claim.program, rules_);
  for (Tick tick = 1; tick <= claim.model.eot; ++tick) {
    begin(tick);
    for (const Group& group : groups_) settle(group, tick);
    for (const Rule& rule : rules_) carry_on(rule, tick);
  }
  find_promised();
  find_violation();
}

// ---- One tick ----

// What is there from the outset: the facts of the program, and `crash`.
void Grounding::begin(Tick tick) {
  for (const dedalus::Clause& fact : claim_.program->facts) {
    look();
    if (fact.head.time.tick != tick) continue;
    Tuple tuple;
    for (const Term& arg : fact.head.args) tuple.push_back(values_.intern(datum_of(arg)));
    support(claim_.program->relation_index.at(fact.head.relation), tick, tuple, kTrue);
  }
  if (!claim_.program->relations[0].read) return;
  for (NodeIndex node = 0; node < faults_.nodes(); ++node) {
    for (Tick when = 1; when < claim_.model.eot; ++when) {
      const Lit crash = faults_.crash(node, when);
      if (crash == kFalse) break;
      const ValueId crashed = values_.intern(faults_.name(node));
      const ValueId at = values_.intern(static_cast<int64_t>(when));
      for (NodeIndex observer = 0; observer < faults_.nodes(); ++observer) {
        support(0, tick, {values_.intern(faults_.name(observer)), crashed, at}, crash);
      }
    }
  }
}

void Grounding::settle(const Group& group, Tick tick) {
  std::vector<const Rule*> rules;
  for (const Rule& rule : rules_) {
    const bool member = std::ranges::find(group.relations, rule.head) != group.relations.end();
    if (!member || rule.time != Time::kNone) continue;
    if (rule.aggregates) {
      derive_aggregate(rule, tick, tick);
    } else {
      rules.push_back(&rule);
    }
  }
  Firings firings;
  for (bool grown = true; grown;) {
    firings.clear();
    const size_t before = facts_.size();
    for (const Rule* rule : rules) {
      for (Derivation& derivation : derive(*rule, tick)) {
        const FactId head = facts_.add(rule->head, tick, derivation.head);
        firings.emplace_back(head, std::move(derivation));
      }
    }
    grown = group.recursive && facts_.size() > before;
  }
  give_literals(group, tick, firings);
}

// A fact is certain if one of its firings is.
void Grounding::find_certain(const Firings& firings) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [head, derivation] : firings) {
      look(1 + derivation.open.size());
      PossibleFact& fact = facts_.at(head);
      if (fact.lit) continue;
      const bool certain = std::ranges::all_of(derivation.needs, is_true) &&
                           std::ranges::all_of(derivation.open, [&](FactId used) {
                             return facts_.at(used).lit == kTrue;
                           });
      if (!certain) continue;
      fact.lit = kTrue;
      changed = true;
    }
  }
}

// What needs nothing uncertain of its own group is a plain reason; the heads of the rest wait for
// literals.
std::vector<FactId> Grounding::split_open(Firings& firings) {
  std::vector<FactId> waiting;
  for (auto& [head, derivation] : firings) {
    PossibleFact& fact = facts_.at(head);
    if (fact.lit == kTrue) continue;
    std::erase_if(derivation.open, [&](FactId used) { return facts_.at(used).lit == kTrue; });
    if (derivation.open.empty()) {
      fact.supports.push_back(circuit_.conjunction(derivation.needs));
    } else {
      waiting.push_back(head);
    }
  }
  std::ranges::sort(waiting);
  waiting.erase(std::unique(waiting.begin(), waiting.end()), waiting.end());
  return waiting;
}

template <class Each>
void Grounding::for_each_fact(const Group& group, Tick tick, Each each) {
  for (const RelationIndex relation : group.relations) {
    for (const FactId id : facts_.all(relation, tick)) each(facts_.at(id));
  }
}

void Grounding::give_literals(const Group& group, Tick tick, Firings& firings) {
  for_each_fact(group, tick, [](PossibleFact& fact) {
    if (std::ranges::any_of(fact.supports, is_true)) fact.lit = kTrue;
  });
  find_certain(firings);
  const std::vector<FactId> waiting = split_open(firings);
  for (const FactId id : waiting) facts_.at(id).lit = circuit_.declare();
  for_each_fact(group, tick, [&](PossibleFact& fact) {
    if (!fact.lit) fact.lit = circuit_.disjunction(fact.supports);
  });
  keep_firings(firings);
  for (const FactId id : waiting) {
    PossibleFact& fact = facts_.at(id);
    for (const Lit support : fact.supports) fact.firings.push_back({support, {}});
    std::vector<Lit> ways;
    ways.reserve(fact.firings.size());
    for (const RecursiveFiring& firing : fact.firings) ways.push_back(firing.holds);
    circuit_.define(*fact.lit, std::move(ways));
  }
}

void Grounding::keep_firings(Firings& firings) {
  for (auto& [head, derivation] : firings) {
    PossibleFact& fact = facts_.at(head);
    const std::vector<FactId>& open = derivation.open;
    if (open.empty() || fact.lit == kTrue) continue;
    // What needs the fact itself is no reason for it.
    if (std::ranges::find(open, head) != open.end()) continue;
    for (const FactId used : open) derivation.needs.push_back(*facts_.at(used).lit);
    fact.firings.push_back({circuit_.conjunction(std::move(derivation.needs)), open});
  }
}

// ---- Rules ----

// What a rule puts at the next tick. At the last tick there is none, and the rules rest.
void Grounding::carry_on(const Rule& rule, Tick tick) {
  if (rule.time == Time::kNone || tick == claim_.model.eot) return;
  if (rule.aggregates) return derive_aggregate(rule, tick, tick + 1);
  for (const Derivation& derivation : derive(rule, tick)) {
    support(rule.head, tick + 1, derivation.head, circuit_.conjunction(derivation.needs));
  }
}

Grounding::Derivations Grounding::derive(const Rule& rule, Tick tick) {
  Derivations result;
  matcher_.all(rule, tick, [&](const Match& match) {
    if (auto derivation = to_derivation(rule, tick, match)) result.push_back(*derivation);
  });
  return result;
}

// Nothing if it cannot be after all.
std::optional<Grounding::Derivation> Grounding::to_derivation(const Rule& rule, Tick tick,
                                                              const Match& match) {
  Derivation derivation{match.head, match.needs, {}};
  for (const FactId used : match.used) {
    const std::optional<Lit> lit = facts_.at(used).lit;
    if (!lit) {
      derivation.open.push_back(used);
    } else {
      derivation.needs.push_back(*lit);
    }
  }
  const bool sent = rule.time == Time::kAsync;
  if (sent && !add_link(rule, tick, match, derivation.needs)) return std::nullopt;
  const bool folded =
      !match.head.empty() && rule.clause->head.args[0].kind == Term::Kind::kAggregate;
  if (!sent && !folded && !rule.clause->placeless) {
    derivation.needs.push_back(may_exist(match.head, rule.time == Time::kNext ? tick + 1 : tick));
  }
  const bool impossible = std::ranges::find(derivation.needs, kFalse) != derivation.needs.end();
  if (impossible) return std::nullopt;
  return derivation;
}

// A message goes to the node in its first column; from anywhere it comes from that node itself.
bool Grounding::add_link(const Rule& rule, Tick tick, const Match& match, std::vector<Lit>& needs) {
  CHECK(!match.head.empty(), "`{}` has no destination", dedalus::print(*rule.clause));
  const std::optional<NodeIndex> to = node_of(match.head);
  if (!to) return false;
  for (const Lit lit : faults_.arrives(match.location.value_or(*to), *to, tick)) {
    needs.push_back(lit);
  }
  return true;
}

void Grounding::derive_aggregate(const Rule& rule, Tick tick, Tick head_tick) {
  std::map<Tuple, std::vector<Lit>> ways;
  for (Derivation& derivation : derive(rule, tick)) {
    CHECK(derivation.open.empty(), "`{}` aggregates over itself", dedalus::print(*rule.clause));
    ways[derivation.head].push_back(circuit_.conjunction(std::move(derivation.needs)));
  }
  std::vector<Contribution> contributions;
  for (auto& [tuple, lits] : ways) {
    const Lit lit = circuit_.disjunction(std::move(lits));
    contributions.push_back({tuple, lit});
    Tuple key = {static_cast<ValueId>(tick), static_cast<ValueId>(rule.index)};
    key.insert(key.end(), tuple.begin(), tuple.end());
    parts_.emplace(std::move(key), lit);
  }
  try {
    for (const FoldOutcome& outcome : fold(rule, contributions, values_, circuit_)) {
      support(rule.head, head_tick, outcome.tuple, outcome.lit);
    }
  } catch (const Failure& failure) {
    refuse_program(fmt::format("at tick {} the rule `{}` could fail: {}", tick,
                               dedalus::print(*rule.clause), failure.what));
  }
}

void Grounding::support(RelationIndex relation, Tick tick, const Tuple& tuple, Lit lit) {
  const bool placeless = claim_.program->relations[relation].placeless;
  const Lit whole = placeless ? lit : circuit_.conjunction({lit, may_exist(tuple, tick)});
  if (whole == kFalse) return;
  facts_.at(facts_.add(relation, tick, tuple)).supports.push_back(whole);
}

// Under stop nothing exists at a node that has crashed.
Lit Grounding::may_exist(const Tuple& tuple, Tick tick) const {
  const std::optional<NodeIndex> node = node_of(tuple);
  return node ? faults_.fires(*node, tick) : kTrue;
}

std::optional<NodeIndex> Grounding::node_of(const Tuple& tuple) const {
  if (tuple.empty()) return std::nullopt;
  const auto* name = std::get_if<std::string>(&values_.datum(tuple[0]));
  if (name == nullptr) return std::nullopt;
  return faults_.find(*name);
}

// ---- The goal, and names ----

void Grounding::find_promised() {
  for (const dedalus::PromiseInfo& promise : claim_.program->promises) {
    const auto pre = claim_.program->relation_index.find(promise.pre);
    if (pre == claim_.program->relation_index.end()) continue;
    std::map<Tuple, std::vector<Lit>> ways;
    const Tick last = claim_.model.eot;
    for (Tick tick = promise.every_tick ? 1 : last; tick <= last; ++tick) {
      for (const FactId id : facts_.all(pre->second, tick)) {
        ways[facts_.at(id).tuple].push_back(*facts_.at(id).lit);
      }
    }
    for (auto& [tuple, lits] : ways) promised_.push_back(circuit_.disjunction(std::move(lits)));
  }
}

void Grounding::find_violation() {
  std::vector<Lit> goals;
  for (const dedalus::PromiseInfo& promise : claim_.program->promises) {
    const Tick last = claim_.model.eot;
    for (Tick tick = promise.every_tick ? 1 : last; tick <= last; ++tick) {
      add_violations(promise, tick, goals);
    }
  }
  violation_ = circuit_.disjunction(std::move(goals));
}

void Grounding::add_violations(const dedalus::PromiseInfo& promise, Tick tick,
                               std::vector<Lit>& goals) {
  const auto& index = claim_.program->relation_index;
  const auto pre = index.find(promise.pre);
  const auto post = index.find(promise.post);
  if (pre == index.end()) return;
  for (const FactId id : facts_.all(pre->second, tick)) {
    const PossibleFact& fact = facts_.at(id);
    Lit kept = kFalse;
    if (post != index.end()) {
      const auto match = facts_.find(post->second, tick, fact.tuple);
      if (match) kept = *facts_.at(*match).lit;
    }
    goals.push_back(circuit_.conjunction({*fact.lit, -kept}));
  }
}

Lit Grounding::omission(const NodeName& from, const NodeName& to, Tick tick) {
  const auto sender = faults_.find(from);
  const auto receiver = faults_.find(to);
  return sender && receiver ? faults_.omission(*sender, *receiver, tick) : kFalse;
}

Lit Grounding::crash(const NodeName& node, Tick tick) const {
  const auto index = faults_.find(node);
  return index ? faults_.crash(*index, tick) : kFalse;
}

std::optional<Tuple> Grounding::known(const std::vector<Datum>& values) const {
  Tuple tuple;
  for (const Datum& value : values) {
    const auto id = values_.find(value);
    if (!id) return std::nullopt;
    tuple.push_back(*id);
  }
  return tuple;
}

std::optional<FactId> Grounding::find(RelationIndex relation, Tick tick,
                                      const std::vector<Datum>& values) const {
  const std::optional<Tuple> tuple = known(values);
  return tuple ? facts_.find(relation, tick, *tuple) : std::nullopt;
}

Lit Grounding::fact(RelationIndex relation, Tick tick, const std::vector<Datum>& values) const {
  const std::optional<FactId> id = find(relation, tick, values);
  return id ? facts_.at(*id).lit.value_or(kFalse) : kFalse;
}

Fact Grounding::print(FactId fact) const {
  const PossibleFact& possible = facts_.at(fact);
  Fact result{claim_.program->relations[possible.relation].name, {}};
  for (const ValueId value : possible.tuple) result.values.push_back(values_.datum(value));
  return result;
}

Lit Grounding::part(Tick tick, size_t rule, const std::vector<Datum>& values) const {
  std::optional<Tuple> key = known(values);
  if (!key) return kFalse;
  key->insert(key->begin(), {static_cast<ValueId>(tick), static_cast<ValueId>(rule)});
  auto at = parts_.find(*key);
  return at == parts_.end() ? kFalse : at->second;
}

}  // namespace clew::verify
