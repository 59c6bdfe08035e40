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
      crash_tick_(nodes_.size(), kNever) {}

Simulator::Simulator(const dedalus::Program& program, const std::vector<NodeName>& nodes,
                     CrashModel model, SimulatorOptions options)
    : Simulator(std::make_shared<const dedalus::LoweredProgram>(program, nodes,
                                                                model == CrashModel::kStop),
                std::move(options)) {}

void Simulator::set_faults(const FaultSet& faults) {
  faults_ = faults;
  std::fill(crash_tick_.begin(), crash_tick_.end(), kNever);
  for (const Crash& crash : faults.of<Crash>()) {
    std::optional<size_t> node = node_number(values_.intern(crash.node));
    CHECK(node, "a crash of \"{}\", which is not a node", crash.node);
    crash_tick_[*node] = crash.tick;
  }
  omissions_.clear();
  for (const Omission& omission : faults.of<Omission>()) {
    std::optional<size_t> from = node_number(values_.intern(omission.from));
    std::optional<size_t> to = node_number(values_.intern(omission.to));
    CHECK(from, "an omission from \"{}\", which is not a node", omission.from);
    CHECK(to, "an omission to \"{}\", which is not a node", omission.to);
    omissions_.push_back({omission.tick, *from, *to});
  }
  std::sort(omissions_.begin(), omissions_.end());
}

// The first tick that could go differently from the last run, as far as states are kept.
Tick Simulator::first_difference(Tick eot, const FaultSet& faults) const {
  Tick first = std::min(eot, kept_);
  const FaultSet changed = difference(faults, faults_);
  for (const Omission& omission : changed.of<Omission>()) first = std::min(first, omission.tick);
  for (const Crash& crash : changed.of<Crash>()) {
    // Under stop, what is on its way to the node when it crashes is gone as well.
    Tick tick = model_ == CrashModel::kStop ? crash.tick - 1 : crash.tick;
    first = std::min(first, crash_matters_early_ ? 1 : tick);
  }
  return first;
}

std::optional<RuntimeError> Simulator::run(Tick eot, const FaultSet& faults) {
  CHECK(eot >= 1);
  start_ = options_.keep_states ? std::max(first_difference(eot, faults), 1) : 1;
  set_faults(faults);
  eot_ = eot;
  kept_ = 0;  // until a tick is complete: it may be the last one
  entered_.resize(std::max<size_t>(entered_.size(), static_cast<size_t>(eot)));
  if (start_ == 1) {
    start_over();
  } else {
    engine_.rewind(entered_[static_cast<size_t>(start_ - 1)]);
    if (model_ == CrashModel::kSilent && !crash_matters_early_) {
      engine_.relation(0).clear();
      insert_crashes(1);
    }
  }
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
  return std::nullopt;
}

void Simulator::start_over() {
  engine_.clear();
  if (model_ == CrashModel::kStop) return;
  for (Value node : nodes_) engine_.relation(lowered_.node).insert(&node);
  insert_crashes(1);
}

void Simulator::insert_crashes(Tick tick) {
  if (!program().relations[0].read) return;
  for (size_t observer = 0; observer < nodes_.size(); ++observer) {
    if (has_stopped(observer, tick)) continue;
    for (size_t node = 0; node < nodes_.size(); ++node) {
      if (crash_tick_[node] == kNever) continue;
      Value tuple[] = {nodes_[observer], nodes_[node], values_.integer(crash_tick_[node])};
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
    RelationId now = has_stopped(node, tick) ? lowered_.dead : lowered_.node;
    engine_.relation(now).insert(&nodes_[node]);
    if (has_stopped(node, tick + 1)) engine_.relation(lowered_.dead_next).insert(&nodes_[node]);
  }
}

void Simulator::enter_links(Tick tick) {
  for (size_t from = 0; from < nodes_.size(); ++from) {
    for (size_t to = 0; to < nodes_.size(); ++to) {
      Message::Fate what = fate(from, to, tick);
      if (what != Message::Fate::kDelivered && what != Message::Fate::kAfterEnd) continue;
      Value pair[] = {nodes_[from], nodes_[to]};
      engine_.relation(lowered_.link).insert(pair);
    }
  }
}

bool Simulator::omitted(size_t from, size_t to, Tick tick) const {
  return std::binary_search(omissions_.begin(), omissions_.end(), Link{tick, from, to});
}

Message::Fate Simulator::fate(size_t from, size_t to, Tick sent_at) const {
  return fate_of(model_, *this, from, to, sent_at, eot_);
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
    std::sort(tuples.begin(), tuples.end());
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
