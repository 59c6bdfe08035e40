// What holds at a tick without a rule: facts, crashes, nodes, links. The twin of Simulator::enter,
// with literals where a run has answers.
#include <algorithm>

#include "ground/grounder.h"

namespace clew::ground {

using datalog::Value;
using formula::kTrue;
using formula::Literal;

void Grounder::give(datalog::RelationId relation, const Value* tuple, Literal literal) {
  if (literal == formula::kFalse) return;
  const datalog::Row row = engine_.relation(relation).insert(tuple).row;
  if (literal == kTrue) engine_.relation(possible_.certain(relation)).insert(tuple);
  reasons_[relation].push_back({row, kGiven, literal});
}

void Grounder::start() {
  faults_.require_admissible();
  if (faults_.stop()) return;
  for (const Value node : nodes_) give(lowered_.node, &node, kTrue);
  enter_crashes(1);
}

void Grounder::enter_crashes(Tick tick) {
  if (!program_.relations[0].read) return;
  // While it is open how long the run lasts, only views read `crash`: they judge it as if it ended
  // now. Silent nodes keep what they were told before.
  const bool open = faults_.open_ended();
  const Tick first = open && !faults_.stop() ? std::max(tick - 1, 1) : 1;
  const Tick last = open ? tick - 1 : model_.last_fault();
  for (size_t observer = 0; observer < nodes_.size(); ++observer) {
    for (size_t node = 0; node < nodes_.size(); ++node) {
      const bool may_crash = model_.may_crash(model_.nodes[node]);
      for (Tick at = first; at <= last && may_crash; ++at) {
        Value tuple[] = {nodes_[observer], nodes_[node], values_.integer(at)};
        const Literal alive = faults_.stop() ? !faults_.crashed(observer, tick) : kTrue;
        give(0, tuple, rules_.all({faults_.crash(node, at), alive}));
      }
    }
  }
}

void Grounder::enter(Tick tick) {
  enter_facts(tick);
  if (faults_.stop()) enter_life(tick);
  if (!faults_.stop() && faults_.open_ended()) enter_crashes(tick);
  if (lowered_.uses_link) enter_links(tick);
  for (const dedalus::TickRead& read : lowered_.tick_reads) {
    if (read.tick == tick) give(read.at, nullptr, kTrue);
    if (read.tick >= 1 && read.tick <= tick) give(read.since, nullptr, kTrue);
  }
}

void Grounder::enter_facts(Tick tick) {
  for (const dedalus::GivenFact& fact : lowered_.facts) {
    if (fact.tick != tick) continue;
    std::optional<size_t> node;
    if (!fact.values.empty()) node = shared_->node_number(fact.values[0]);
    const bool mortal = node && faults_.stop();
    give(fact.relation, fact.values.data(), mortal ? !faults_.crashed(*node, tick) : kTrue);
  }
}

void Grounder::enter_life(Tick tick) {
  enter_crashes(tick);
  for (size_t node = 0; node < nodes_.size(); ++node) {
    give(lowered_.node, &nodes_[node], !faults_.crashed(node, tick));
    give(lowered_.dead, &nodes_[node], faults_.crashed(node, tick));
    give(lowered_.dead_next, &nodes_[node], faults_.crashed(node, tick + 1));
  }
}

void Grounder::enter_links(Tick tick) {
  for (size_t from = 0; from < nodes_.size(); ++from) {
    for (size_t to = 0; to < nodes_.size(); ++to) {
      Value pair[] = {nodes_[from], nodes_[to]};
      give(lowered_.link, pair, tick < model_.eot ? !faults_.lost(from, to, tick) : kTrue);
    }
  }
}

}  // namespace clew::ground
