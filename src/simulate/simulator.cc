#include "simulate/simulator.h"

#include <algorithm>

#include "base/check.h"
#include "domain/delivery.h"

namespace clew::simulate {

using datalog::RelationId;
using datalog::Row;
using datalog::Value;

Simulator::Simulator(std::shared_ptr<const dedalus::LoweredProgram> program,
                     SimulatorOptions options)
    : shared_(std::move(program)),
      model_(shared_->stop() ? CrashModel::kStop : CrashModel::kSilent),
      options_(std::move(options)),
      values_(shared_->values()),
      nodes_(shared_->node_values()),
      lowered_(options_.only_verdict ? shared_->for_verdict() : shared_->full()),
      engine_(
          lowered_.rules, values_,
          {.lineage = options_.lineage, .most_rows = options_.most_rows, .stop = options_.stop}),
      crash_matters_early_(dedalus::reads_crash_early(lowered_)),
      losses_(nodes_.size()),
      losses_before_(nodes_.size()) {}

Simulator::Simulator(const dedalus::Program& program, const std::vector<NodeName>& nodes,
                     CrashModel model, SimulatorOptions options)
    : Simulator(std::make_shared<const dedalus::LoweredProgram>(program, nodes,
                                                                model == CrashModel::kStop),
                std::move(options)) {}

void Simulator::read_faults(const FaultSet& faults, Losses& losses) {
  losses.set(faults, [this](const NodeName& name) {
    const std::optional<size_t> node = node_number(values_.intern(name));
    CHECK(node, "a fault of \"{}\", which is not a node", name);
    return *node;
  });
}

Tick Simulator::first_difference(Tick eot, const Losses& losses) const {
  const Tick crash = first_crash_difference(losses, losses_);
  const bool same_crashes = crash == Losses::kNever;
  if (!same_crashes && crash_matters_early_) return 1;
  Tick most = std::min(eot, kept_);
  // Under stop, what is on its way to the node when it crashes is gone as well.
  if (!same_crashes && model_ == CrashModel::kStop) most = std::min(most, crash - 1);
  Tick first = std::min(crash, first_omission_difference(losses, losses_));
  if (!lowered_.uses_link) {
    while (first < most && same_deliveries(first, losses)) ++first;
  }
  if (first < most) return first;
  const bool late = !same_crashes && program().relations[0].read;
  return complete_ && !late && most == eot && eot == eot_ ? eot + 1 : std::max(most, 1);
}

bool Simulator::same_deliveries(Tick tick, const Losses& losses) const {
  const auto delivers = [&](const Losses& some, size_t from, size_t to) {
    return fate_of(model_, some, from, to, tick, eot_) == Message::Fate::kDelivered;
  };
  for (const dedalus::Outbox& outbox : lowered_.outboxes) {
    const datalog::Relation& sent = engine_.relation(outbox.outbox);
    const microspec::Frames::Rows rows = frames().rows_at(outbox.outbox, tick);
    for (Row row = rows.begin; row < rows.end; ++row) {
      const std::optional<size_t> from = node_number(sent.tuple(row)[0]);
      const std::optional<size_t> to = node_number(sent.tuple(row)[1]);
      if (!from || !to) continue;
      if (delivers(losses, *from, *to) != delivers(losses_, *from, *to)) return false;
    }
  }
  return true;
}

std::optional<RuntimeError> Simulator::run(Tick eot, const FaultSet& faults) {
  CHECK(eot >= 1);
  read_faults(faults, losses_before_);
  start_ = options_.keep_states ? first_difference(eot, losses_before_) : 1;
  std::swap(losses_, losses_before_);
  if (start_ > eot) return std::nullopt;
  eot_ = eot;
  kept_ = 0;  // until a tick is complete: it may be the last one
  complete_ = false;
  entered_.resize(std::max<size_t>(entered_.size(), static_cast<size_t>(eot)));
  go_back(start_);
  for (Tick tick = start_; tick <= eot; ++tick) {
    tick_ = tick;
    engine_.mark(entered_[static_cast<size_t>(tick - 1)]);
    enter(tick);
    kept_ = 0;
    if (auto error = engine_.evaluate(tick < eot)) return microspec::locate(*error, lowered_, tick);
    kept_ = tick;
    if (tick == eot) break;
    deliver(tick);
    engine_.advance();
  }
  // What is sent at the last tick arrives nowhere.
  if (!options_.only_verdict) engine_.show_last();
  complete_ = true;
  return std::nullopt;
}

void Simulator::go_back(Tick tick) {
  if (tick == 1) return start_over();
  engine_.rewind(entered_[static_cast<size_t>(tick - 1)]);
  if (model_ == CrashModel::kSilent && !crash_matters_early_) {
    engine_.relation(0).clear();
    insert_crashes(1);
  }
}

void Simulator::start_over() {
  engine_.clear();
  if (model_ == CrashModel::kStop) return;
  for (const Value node : nodes_) engine_.relation(lowered_.node).insert(&node);
  insert_crashes(1);
}

void Simulator::insert_crashes(Tick tick) {
  if (!program().relations[0].read) return;
  for (size_t observer = 0; observer < nodes_.size(); ++observer) {
    if (has_stopped(observer, tick)) continue;
    for (size_t node = 0; node < nodes_.size(); ++node) {
      const Tick crash = losses_.crash_tick(node);
      if (crash == Losses::kNever) continue;
      Value tuple[] = {nodes_[observer], nodes_[node], values_.integer(crash)};
      engine_.relation(0).insert(tuple);
    }
  }
}

void Simulator::enter(Tick tick) {
  enter_facts(tick);
  if (model_ == CrashModel::kStop) enter_life(tick);
  if (lowered_.uses_link) enter_links(tick);
  for (const dedalus::TickRead& read : lowered_.tick_reads) {
    if (read.tick == tick) engine_.relation(read.at).insert(nullptr);
    if (read.tick >= 1 && read.tick <= tick) engine_.relation(read.since).insert(nullptr);
  }
}

void Simulator::enter_facts(Tick tick) {
  const std::vector<dedalus::GivenFact>& facts = lowered_.facts;
  auto at = std::ranges::lower_bound(facts, tick, {}, &dedalus::GivenFact::tick);
  for (; at != facts.end() && at->tick == tick; ++at) {
    std::optional<size_t> node;
    if (!at->values.empty()) node = node_number(at->values[0]);
    if (node && has_stopped(*node, tick)) continue;
    engine_.relation(at->relation).insert(at->values.data());
  }
}

void Simulator::enter_life(Tick tick) {
  insert_crashes(tick);
  for (size_t node = 0; node < nodes_.size(); ++node) {
    const RelationId now = has_stopped(node, tick) ? lowered_.dead : lowered_.node;
    engine_.relation(now).insert(&nodes_[node]);
    if (has_stopped(node, tick + 1)) engine_.relation(lowered_.dead_next).insert(&nodes_[node]);
  }
}

void Simulator::enter_links(Tick tick) {
  for (size_t from = 0; from < nodes_.size(); ++from) {
    for (size_t to = 0; to < nodes_.size(); ++to) {
      const Message::Fate what = fate(from, to, tick);
      if (what != Message::Fate::kDelivered && what != Message::Fate::kAfterEnd) continue;
      Value pair[] = {nodes_[from], nodes_[to]};
      engine_.relation(lowered_.link).insert(pair);
    }
  }
}

Message::Fate Simulator::fate(size_t from, size_t to, Tick sent_at) const {
  return fate_of(model_, losses_, from, to, sent_at, eot_);
}

void Simulator::deliver(Tick tick) {
  for (const dedalus::Outbox& outbox : lowered_.outboxes) deliver_outbox(outbox, tick);
}

void Simulator::deliver_outbox(const dedalus::Outbox& outbox, Tick tick) {
  const datalog::Relation& sent = engine_.relation(outbox.outbox);
  for (Row row = sent.begin(); row < sent.end(); ++row) {
    const Value* tuple = sent.tuple(row);
    std::optional<size_t> from = node_number(tuple[0]);
    std::optional<size_t> to = node_number(tuple[1]);
    if (!from || !to || fate(*from, *to, tick) != Message::Fate::kDelivered) continue;
    engine_.derive_next(outbox.deliver, tuple + 1, row);
  }
}

bool Simulator::same_rows(RelationId id, Tick a, Tick b) const {
  const datalog::Relation& relation = engine_.relation(id);
  auto sorted = [&](Frames::Rows rows) {
    std::vector<std::vector<uint32_t>> tuples;
    for (Row row = rows.begin; row < rows.end; ++row) {
      std::vector<uint32_t>& bits = tuples.emplace_back();
      for (uint32_t i = 0; i < relation.arity(); ++i) bits.push_back(relation.tuple(row)[i].bits);
    }
    std::ranges::sort(tuples);
    return tuples;
  };
  return sorted(frames().rows_at(id, a)) == sorted(frames().rows_at(id, b));
}

bool Simulator::same_tick(Tick a, Tick b) const {
  for (RelationId id = 0; id < lowered_.rules.relations.size(); ++id) {
    if (!same_rows(id, a, b)) return false;
  }
  return true;
}

Tick Simulator::last_change() const {
  Tick tick = eot_;
  while (tick > 1 && same_tick(tick - 1, tick)) --tick;
  return tick;
}

}  // namespace clew::simulate
