#include "lineage/difference.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "base/check.h"
#include "base/watched.h"

namespace clew::lineage {

namespace {

// An aggregate's head without what is aggregated.
bool same_group(const Graph::Step& a, const Graph::Step& b) {
  if (a.firing->rule != b.firing->rule) return false;
  for (size_t i = 0; i < a.rule->aggregate.size(); ++i) {
    if (!a.rule->aggregate[i] && a.firing->head.values[i] != b.firing->head.values[i]) return false;
  }
  return true;
}

}  // namespace

Difference::Difference(const Graph& good, const Graph& bad)
    : good_(good), bad_(bad), faults_(bad.run().scenario) {
  const std::vector<Message>& messages = bad.run().messages;
  look(messages.size() + good.steps().size() + bad.steps().size());
  for (uint32_t i = 0; i < messages.size(); ++i) sent_.push_back(i);
  std::ranges::stable_sort(sent_, [&](uint32_t a, uint32_t b) {
    return std::tie(messages[a].sent_at, messages[a].fact) <
           std::tie(messages[b].sent_at, messages[b].fact);
  });
  for (const Graph* graph : {&good, &bad}) {
    auto& folds = folds_[graph == &bad ? 1 : 0];
    folds.resize(graph->run().facts.size());
    for (uint32_t i = 0; i < graph->steps().size(); ++i) {
      const Graph::Step& step = graph->steps()[i];
      if (step.rule->aggregates()) {
        folds[static_cast<size_t>(step.firing->head_tick - 1)].push_back(i);
      }
    }
  }
}

std::vector<const Message*> Difference::sent_in_bad(const Fact& fact, Tick sent_at) const {
  const std::vector<Message>& messages = bad_.run().messages;
  const auto key = [&](uint32_t i) { return std::tie(messages[i].sent_at, messages[i].fact); };
  std::vector<const Message*> found;
  auto at = std::ranges::lower_bound(sent_, std::tie(std::as_const(sent_at), fact), {}, key);
  for (; at != sent_.end(); ++at) {
    const Message& message = messages[*at];
    if (message.sent_at != sent_at || message.fact != fact) break;
    found.push_back(&message);
  }
  return found;
}

const Fact& Difference::fact(uint32_t index) const {
  const Node& node = nodes_[index];
  return (node.missing ? good_ : bad_).fact(node.point);
}

Tick Difference::tick(uint32_t index) const {
  const Node& node = nodes_[index];
  return (node.missing ? good_ : bad_).tick(node.point);
}

uint32_t Difference::find(bool missing, PointId point) const {
  const auto at = index_.find({missing, point});
  return at == index_.end() ? kNone : at->second;
}

uint32_t Difference::add(Key key) {
  const auto [at, is_new] = index_.try_emplace(key, static_cast<uint32_t>(nodes_.size()));
  const uint32_t index = at->second;
  if (is_new) {
    nodes_.push_back({key.first, key.second, {}});
    open_.push_back(index);
  }
  if (working_) return index;
  working_ = true;
  while (!open_.empty()) {
    look();
    const uint32_t next = open_.front();
    open_.pop_front();
    if (nodes_[next].missing) {
      explain_missing(next);
    } else {
      explain_extra(next);
    }
  }
  working_ = false;
  return index;
}

std::vector<uint32_t> Difference::faults_behind(uint32_t node) const {
  std::set<uint32_t> faults;
  std::vector<bool> seen(nodes_.size());
  std::vector<uint32_t> open = {node};
  seen[node] = true;
  auto visit = [&](uint32_t next) {
    if (!seen[next]) open.push_back(next);
    seen[next] = true;
  };
  while (!open.empty()) {
    const Node& at = nodes_[open.back()];
    open.pop_back();
    for (const Reason& reason : at.reasons) {
      look(1 + reason.used.size());
      faults.insert(reason.faults.begin(), reason.faults.end());
      for (const Loss& loss : reason.losses) faults.insert(loss.faults.begin(), loss.faults.end());
      for (const uint32_t used : reason.used) visit(used);
      for (const Absence& absence : reason.absences) visit(absence.node);
    }
  }
  return {faults.begin(), faults.end()};
}

std::vector<PointId> Difference::new_matches(const Firing::Absence& absence, bool in_bad,
                                             size_t most) const {
  const Graph& graph = in_bad ? bad_ : good_;
  const Graph& other = in_bad ? good_ : bad_;
  std::vector<PointId> found;
  if (absence.tick < 1 || absence.tick > graph.run().scenario.program.eot) return found;
  const auto& facts = graph.run().facts[static_cast<size_t>(absence.tick - 1)];
  for (const Fact* fact : find_facts(absence.pattern, facts)) {
    if (other.holds(*fact, absence.tick)) continue;
    found.push_back(graph.find(*fact, absence.tick));
    if (found.size() == most) break;
  }
  return found;
}

void Difference::explain_missing(uint32_t index) {
  const PointId point = nodes_[index].point;
  std::vector<Reason> reasons;
  reasons.reserve(good_.steps_of(point).size());
  for (const uint32_t step : good_.steps_of(point)) {
    reasons.push_back(why_failed(good_.steps()[step]));
  }
  if (good_.is_given(point)) {
    Reason reason;
    add_stopped(good_.fact(point), good_.tick(point), reason);
    reasons.push_back(std::move(reason));
  }
  nodes_[index].reasons = std::move(reasons);
  add_recoveries(index);
}

Difference::Reason Difference::why_failed(const Graph::Step& step) {
  look(1 + step.used.size());
  Reason reason;
  reason.step = &step;
  add_losses(step, reason);
  if (!reason.losses.empty()) return reason;
  for (size_t i = 0; i < step.used.size(); ++i) {
    const Firing::Use& use = step.firing->used[i];
    if (!bad_.holds(use.fact, use.tick)) reason.used.push_back(missing(step.used[i]));
  }
  for (const Firing::Absence& absence : step.firing->absences) {
    for (const PointId found : new_matches(absence, true)) {
      reason.absences.push_back({&absence, extra(found)});
    }
  }
  if (reason.used.empty() && reason.absences.empty()) {
    add_stopped(step.firing->head, step.firing->head_tick, reason);
    if (step.rule->aggregates()) compare_groups(step, bad_, false, reason);
  }
  if (reason.used.empty() && reason.absences.empty() && reason.faults.empty()) {
    for (const uint32_t m : step.messages) add_loss(good_.run().messages[m], true, reason);
    if (reason.losses.empty()) add_silent_rule(step, reason);
  }
  return reason;
}

// Under the stop model a rule may not fire though all that it reads is there: its node is gone.
void Difference::add_silent_rule(const Graph::Step& step, Reason& reason) const {
  const Tick applied = step.firing->head_tick - (step.rule->is_later() ? 1 : 0);
  const Rule::Location& location = step.rule->location;
  std::optional<Datum> place;
  if (location.kind == Rule::Location::Kind::kNode) place = location.name;
  for (const auto& [pattern, tick] : step.firing->absences) {
    const bool decides =
        location.kind != Rule::Location::Kind::kNode && pattern.relation == location.name;
    if (decides && !place && !pattern.columns.empty()) place = pattern.columns[0];
  }
  for (const uint32_t fault : faults_.stops(applied)) {
    if (!place || *place == Datum(faults_.crash(fault)->node)) reason.faults.push_back(fault);
  }
}

// Only if a fault loses it.
void Difference::add_loss(const Message& message, bool sent, Reason& reason) const {
  const auto& [from, to, sent_at, fact, fate] = message;
  std::vector<uint32_t> faults = faults_.on(from, to, sent_at);
  if (faults.empty()) return;
  reason.losses.push_back({message, faults_.fate(from, to, sent_at), sent, std::move(faults)});
}

// Only what the bad run sent, too: if it did not, the reason lies deeper, unless its sender was
// gone.
void Difference::add_losses(const Graph::Step& step, Reason& reason) const {
  for (const uint32_t m : step.messages) {
    const Message& message = good_.run().messages[m];
    const bool sent =
        std::ranges::any_of(sent_in_bad(message.fact, message.sent_at),
                            [&](const Message* other) { return other->from == message.from; });
    if (sent || has_stopped(bad_.run().scenario, message.from, message.sent_at)) {
      add_loss(message, sent, reason);
    }
  }
}

void Difference::add_stopped(const Fact& fact, Tick tick, Reason& reason) const {
  if (fact.values.empty()) return;
  for (const uint32_t fault : faults_.stops(tick)) {
    if (fact.values[0] == Datum(faults_.crash(fault)->node)) reason.faults.push_back(fault);
  }
}

// What the bad run sent to make up for it, in vain, and the good run had no need to send.
void Difference::add_recoveries(uint32_t index) {
  const Fact& wanted = fact(index);
  const Tick when = tick(index);
  for (const Message* sent : sent_in_bad(wanted, when - 1)) {
    look(1 + nodes_[index].reasons.size());
    const Message& message = *sent;
    if (!message.lost()) continue;
    const bool known = std::ranges::any_of(nodes_[index].reasons, [&](const Reason& reason) {
      return std::ranges::any_of(
          reason.losses, [&](const Loss& loss) { return loss.message.from == message.from; });
    });
    if (known) continue;
    Reason reason;
    add_loss(message, true, reason);
    nodes_[index].reasons.push_back(std::move(reason));
  }
}

void Difference::explain_extra(uint32_t index) {
  const PointId point = nodes_[index].point;
  const uint32_t first = bad_.first_step(point);
  Reason reason;
  if (first != kNone) {
    reason = why_fired(bad_.steps()[first]);
  } else if (const Fact& fact = bad_.fact(point); fact.relation == dedalus::kCrash) {
    for (uint32_t i = 0; i < faults_.size(); ++i) {
      const Crash* crash = faults_.crash(i);
      if (crash != nullptr && fact.values[1] == Datum(crash->node)) reason.faults.push_back(i);
    }
  }
  nodes_[index].reasons.push_back(std::move(reason));
}

Difference::Reason Difference::why_fired(const Graph::Step& step) {
  look(1 + step.used.size());
  Reason reason;
  reason.step = &step;
  for (size_t i = 0; i < step.used.size(); ++i) {
    const Firing::Use& use = step.firing->used[i];
    if (!good_.holds(use.fact, use.tick)) reason.used.push_back(extra(step.used[i]));
  }
  for (const Firing::Absence& absence : step.firing->absences) {
    for (const PointId found : new_matches(absence, false)) {
      reason.absences.push_back({&absence, missing(found)});
    }
  }
  if (step.rule->aggregates()) compare_groups(step, good_, true, reason);
  return reason;
}

// An aggregate is what it is also because of what it did not count.
void Difference::compare_groups(const Graph::Step& step, const Graph& other, bool other_is_good,
                                Reason& reason) {
  const Graph& here = other_is_good ? bad_ : good_;
  for (const uint32_t fold :
       folds_[other_is_good ? 0 : 1][static_cast<size_t>(step.firing->head_tick - 1)]) {
    look();
    const Graph::Step& counted = other.steps()[fold];
    if (!same_group(step, counted)) continue;
    look(counted.used.size());
    for (size_t i = 0; i < counted.used.size(); ++i) {
      const Firing::Use& use = counted.firing->used[i];
      if (here.holds(use.fact, use.tick)) continue;
      const PointId point = counted.used[i];
      reason.used.push_back(other_is_good ? missing(point) : extra(point));
    }
    if (!other_is_good) continue;
    for (const uint32_t m : counted.messages) add_loss(good_.run().messages[m], true, reason);
  }
}

}  // namespace clew::lineage
