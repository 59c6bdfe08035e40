#include "ground/grounder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace clew::ground {

using datalog::BodyItem;
using datalog::RelationId;
using datalog::Row;
using datalog::Value;
using formula::kFalse;
using formula::kTrue;
using formula::Literal;

namespace {

std::string too_many(Tick tick) {
  return fmt::format("too many facts are possible by tick {}", tick);
}

std::string describe_failure(const datalog::EvaluationError& error, Tick tick) {
  using Kind = datalog::EvaluationError::Kind;
  switch (error.kind) {
    case Kind::kTooManyRows:
      return too_many(tick);
    case Kind::kDivisionByZero:
      return fmt::format("a rule might divide by zero at tick {}", tick);
    case Kind::kOverflow:
      return fmt::format("a number might leave the range of 64 bits at tick {}", tick);
    case Kind::kWrongType:
      return fmt::format("an operator might meet a value of the wrong type at tick {}", tick);
  }
  return "";
}

}  // namespace

Grounder::Grounder(std::shared_ptr<const dedalus::LoweredProgram> program, FaultModel model,
                   GrounderOptions options)
    : shared_(std::move(program)),
      program_(shared_->program()),
      model_(std::move(model)),
      options_(std::move(options)),
      values_(shared_->values()),
      nodes_(shared_->node_values()),
      lowered_(shared_->for_verdict()),
      possible_(make_possible(lowered_.rules)),
      engine_(possible_.rules, values_,
              {.most_rows = options_.most_rows,
               .most_firings = options_.most_firings,
               .stop = options_.stop}),
      rules_({.stop = options_.stop, .most_atoms = options_.most_atoms}),
      faults_(model_, rules_),
      literals_(possible_.relations),
      reasons_(possible_.relations) {
  CHECK(model_.nodes == shared_->nodes() && faults_.stop() == shared_->stop());
  make_order();
  contributions_.resize(possible_.relations);
  for (datalog::RuleId id = 0; id < lowered_.rules.rules.size(); ++id) {
    const datalog::Rule& rule = lowered_.rules.rules[id];
    if (rule.aggregates()) contributions_[rule.body[0].relation] = lowered_.origins[id].clause;
    // What is promised need not be seen in a run.
    if (rule.only_in_last_frame) rules_.add_sign({rule.head, kTrue});
  }
}

Grounder::Grounder(const dedalus::Program& program, const FaultModel& model,
                   GrounderOptions options)
    : Grounder(std::make_shared<const dedalus::LoweredProgram>(
                   program, model.nodes, model.crash_model == CrashModel::kStop),
               model, std::move(options)) {}

void Grounder::make_order() {
  std::vector<datalog::Dependency> dependencies;
  for (const datalog::Rule& rule : lowered_.rules.rules) {
    if (rule.to_next_frame) continue;
    for (const BodyItem& item : rule.body) {
      if (item.kind == BodyItem::Kind::kCondition) continue;
      const bool strict = item.kind == BodyItem::Kind::kAbsent || rule.aggregates();
      dependencies.push_back({item.relation, rule.head, strict});
    }
  }
  auto result = datalog::stratify(possible_.relations, dependencies);
  CHECK(std::holds_alternative<datalog::Strata>(result));
  using Part = datalog::Engine::Part;
  std::vector<std::optional<Part>> parts(possible_.relations);
  for (const datalog::Rule& rule : lowered_.rules.rules) {
    if (rule.to_next_frame) continue;
    const Part later = rule.only_in_last_frame ? Part::kLast : Part::kNext;
    const bool waits = rule.only_in_last_frame || rule.only_for_next_frame;
    const Part part = waits ? later : Part::kNow;
    CHECK(parts[rule.head].value_or(part) == part, "a relation is complete at once");
    parts[rule.head] = part;
  }
  for (datalog::Stratum& stratum : std::get<datalog::Strata>(result)) {
    const Part part = parts[stratum.members[0]].value_or(Part::kNow);
    for (const RelationId member : stratum.members) {
      CHECK(parts[member].value_or(Part::kNow) == part);
    }
    order_.push_back({std::move(stratum), part});
  }
}

Status Grounder::guarded(const std::function<Status()>& work) const {
  try {
    return work();
  } catch (const Stopped&) {
    return Error{"stopped", ""};
  } catch (const formula::TooManyAtoms&) {
    return Error{too_many(tick_), ""};
  } catch (const std::bad_alloc&) {
    return Error{fmt::format("there is no memory left at tick {}", tick_), ""};
  }
}

Status Grounder::run() {
  return guarded([this] { return ground_all(); });
}

Status Grounder::ground_all() {
  start();
  for (tick_ = 1; tick_ <= model_.eot; ++tick_) {
    watch_.ask();
    enter(tick_);
    const bool last = tick_ == model_.eot;
    if (auto error = engine_.evaluate(!last)) return failure(*error);
    sort_firings();
    for (const Step& step : order_) build(step.stratum);
    note_violations();
    if (listener) tell_facts();
    if (!last) move_on();
  }
  rules_.set_goal(violation());
  return Nothing{};
}

Status Grounder::evaluate(datalog::Engine::Part part) {
  if (auto error = engine_.evaluate(part)) return failure(*error);
  sort_firings();
  for (const Step& step : order_) {
    if (step.part == part) build(step.stratum);
  }
  return Nothing{};
}

Status Grounder::failure(const datalog::EvaluationError& error) const {
  return Error{describe_failure(error, tick_), ""};
}

// From a tick that is complete to the next one, into which nothing has entered yet.
void Grounder::move_on() {
  add_next_bodies();
  deliver();
  frame_firings_ = sorted_firings_ = engine_.firings().end();
  engine_.advance();
  for (std::vector<Reason>& reasons : reasons_) reasons.clear();
  patterns_.clear();
  counters_.clear();
  sums_.clear();
  extremes_.clear();
  some_row_.clear();
  waiting_ = std::exchange(next_, {});
  waiting_literals_ = std::exchange(next_literals_, {});
  std::ranges::stable_sort(waiting_, {},
                           [](const NextBody& body) { return std::pair(body.relation, body.row); });
}

void Grounder::sort_firings() {
  const datalog::FiringLog& log = engine_.firings();
  for (Cursor at = sorted_firings_; at != log.end(); at = log.next(at)) {
    const datalog::Firing firing = log.at(at);
    const datalog::Rule& rule = lowered_.rules.rules[firing.rule];
    if (!rule.to_next_frame) reasons_[rule.head].push_back({firing.head, at, kTrue});
  }
  sorted_firings_ = log.end();
  for (std::vector<Reason>& reasons : reasons_) {
    if (!std::ranges::is_sorted(reasons, {}, &Reason::row)) {
      std::ranges::stable_sort(reasons, {}, &Reason::row);
    }
  }
}

void Grounder::tell_facts() const {
  for (RelationId relation = 0; relation < program_.relations.size(); ++relation) {
    const datalog::Relation& rows = engine_.relation(relation);
    for (Row row = rows.begin(); row < rows.end(); ++row) {
      listener({tick_, relation, row}, literals_[relation][row]);
    }
  }
}

// Of the current frame, or of a permanent relation.
Row Grounder::first_unbuilt(RelationId relation) const {
  return std::max(engine_.relation(relation).begin(), static_cast<Row>(literals_[relation].size()));
}

// The rows that have no literals yet.
void Grounder::build(const datalog::Stratum& stratum) {
  if (stratum.recursive) return build_loop(stratum);
  for (const RelationId relation : stratum.members) {
    Row row = first_unbuilt(relation);
    const Row end = engine_.relation(relation).end();
    literals_[relation].resize(end, kFalse);
    for (; row < end; ++row) build_row(relation, row);
  }
}

// All bodies for one row of the current frame, into bodies_.
void Grounder::collect(RelationId relation, Row row) {
  watch_.look();
  bodies_.clear();
  const auto place = [](const NextBody& body) { return std::pair(body.relation, body.row); };
  auto body = std::ranges::lower_bound(waiting_, std::pair(relation, row), {}, place);
  for (; body != waiting_.end() && body->relation == relation && body->row == row; ++body) {
    for (uint32_t i = body->begin; i < body->end; ++i) bodies_.add(waiting_literals_[i]);
    bodies_.end(relation);
  }
  const std::vector<Reason>& reasons = reasons_[relation];
  auto reason = std::ranges::lower_bound(reasons, row, {}, &Reason::row);
  for (; reason != reasons.end() && reason->row == row; ++reason) {
    if (reason->firing == kGiven) {
      bodies_.add(reason->given);
    } else {
      add_body(engine_.firings().at(reason->firing));
    }
    bodies_.end(relation);
  }
}

void Grounder::build_row(RelationId relation, Row row) {
  const Value* tuple = engine_.relation(relation).tuple(row);
  if (engine_.relation(possible_.certain(relation)).find(tuple) != datalog::kNoRow) {
    literals_[relation][row] = kTrue;
    rules_.add_sign({relation, kTrue});
    return;
  }
  collect(relation, row);
  join_counts();
  const Name name{tick_, relation, row};
  const bool known = relation < program_.relations.size() || contributes_to(name).has_value();
  if (!known) {
    literals_[relation][row] = rules_.either(bodies_);
    return;
  }
  const size_t atoms = rules_.atoms();
  literals_[relation][row] = rules_.named(static_cast<uint32_t>(names_.size()), bodies_);
  if (rules_.atoms() > atoms) {
    names_.push_back(name);
  } else {
    rules_.add_sign({relation, literals_[relation][row]});
  }
}

void Grounder::build_loop(const datalog::Stratum& stratum) {
  std::vector<std::pair<RelationId, Row>> members;
  for (const RelationId relation : stratum.members) {
    const datalog::Relation& rows = engine_.relation(relation);
    Row row = first_unbuilt(relation);
    literals_[relation].resize(rows.end(), kTrue);
    for (; row < rows.end(); ++row) {
      const bool sure =
          engine_.relation(possible_.certain(relation)).find(rows.tuple(row)) != datalog::kNoRow;
      if (sure) rules_.add_sign({relation, kTrue});
      if (!sure) members.emplace_back(relation, row);
    }
  }
  if (members.empty()) return;
  // Whatever else the bodies are made of has to come before the loop.
  for (auto [relation, row] : members) collect(relation, row);
  rules_.begin_loop();
  for (auto [relation, row] : members) {
    const formula::Atom atom = rules_.add_to_loop(static_cast<uint32_t>(names_.size()));
    names_.push_back({tick_, relation, row});
    literals_[relation][row] = formula::literal(atom);
  }
  rules_.end_loop();
  const size_t atoms = rules_.atoms();
  for (auto [relation, row] : members) {
    collect(relation, row);
    rules_.set_bodies(literals_[relation][row].atom(), bodies_);
  }
  CHECK(rules_.atoms() == atoms);
}

void Grounder::bind_slots(const datalog::Rule& rule, const datalog::Firing& firing) {
  slots_.assign(rule.slots, Value{});
  bound_.assign(rule.slots, false);
  size_t position = 0;
  for (const BodyItem& item : rule.body) {
    if (item.kind != BodyItem::Kind::kPositive) continue;
    const Value* tuple = engine_.relation(item.relation).tuple(firing.used[position++]);
    for (size_t column = 0; column < item.args.size(); ++column) {
      const datalog::Expression& arg = item.args[column];
      if (arg.kind != datalog::Expression::Kind::kSlot) continue;
      slots_[arg.slot] = tuple[column];
      bound_[arg.slot] = true;
    }
  }
}

void Grounder::add_body(const datalog::Firing& firing) {
  watch_.look();
  const datalog::Rule& rule = lowered_.rules.rules[firing.rule];
  if (rule.aggregates()) return add_fold(firing);
  size_t position = 0;
  bool is_bound = false;
  for (const BodyItem& item : rule.body) {
    if (item.kind == BodyItem::Kind::kPositive) {
      bodies_.add(literals_[item.relation][firing.used[position++]]);
    } else if (item.kind == BodyItem::Kind::kAbsent) {
      if (!is_bound) bind_slots(rule, firing);
      is_bound = true;
      bodies_.add(!absence(item));
    }
  }
}

// True if some tuple that the absent atom speaks of exists.
Literal Grounder::absence(const BodyItem& item) {
  pattern_.clear();
  bool whole = true;
  std::vector<Value> key;
  for (const datalog::Expression& arg : item.args) {
    using Kind = datalog::Expression::Kind;
    const bool open = arg.kind == Kind::kAny || (arg.kind == Kind::kSlot && !bound_[arg.slot]);
    whole &= !open;
    if (open) {
      pattern_.push_back({true, arg.kind == Kind::kAny ? UINT32_MAX : arg.slot});
      continue;
    }
    datalog::EvaluationError error;
    std::optional<Value> value = datalog::evaluate(arg, slots_.data(), values_, error);
    CHECK(value, "an argument that has been evaluated before");
    pattern_.push_back({false, value->bits});
    key.push_back(*value);
  }
  if (!whole) return somewhere(item.relation);
  const Row row = engine_.relation(item.relation).find(key.data());
  return row == datalog::kNoRow ? kFalse : literals_[item.relation][row];
}

Literal Grounder::somewhere(RelationId relation) {
  std::string key(reinterpret_cast<const char*>(&relation), sizeof relation);
  for (const Column& column : pattern_) {
    key.push_back(column.open ? 'o' : 'v');
    key.append(reinterpret_cast<const char*>(&column.bits), sizeof column.bits);
  }
  auto [at, is_new] = patterns_.try_emplace(std::move(key), kFalse);
  if (!is_new) return at->second;
  const datalog::Relation& rows = engine_.relation(relation);
  auto matches = [&](const Value* tuple) {
    for (size_t i = 0; i < pattern_.size(); ++i) {
      if (!pattern_[i].open && tuple[i].bits != pattern_[i].bits) return false;
      // A variable that is open may still occur twice.
      for (size_t j = 0; pattern_[i].open && pattern_[i].bits != UINT32_MAX && j < i; ++j) {
        const bool same = pattern_[j].open && pattern_[j].bits == pattern_[i].bits;
        if (same && tuple[i] != tuple[j]) return false;
      }
    }
    return true;
  };
  std::vector<Literal> found;
  watch_.look(rows.end() - rows.begin());
  for (Row row = rows.begin(); row < rows.end(); ++row) {
    if (matches(rows.tuple(row))) found.push_back(literals_[relation][row]);
  }
  return at->second = rules_.any(found);
}

void Grounder::add_next_bodies() {
  const datalog::FiringLog& log = engine_.firings();
  const Cursor end = log.end();
  for (Cursor at = frame_firings_; at != end; at = log.next(at)) {
    const datalog::Firing firing = log.at(at);
    const datalog::Rule& rule = lowered_.rules.rules[firing.rule];
    if (!rule.to_next_frame) continue;
    bodies_.clear();
    add_body(firing);
    bodies_.end();
    auto begin = static_cast<uint32_t>(next_literals_.size());
    next_literals_.insert(next_literals_.end(), bodies_[0].begin(), bodies_[0].end());
    next_.push_back({rule.head, firing.head, begin, static_cast<uint32_t>(next_literals_.size())});
  }
}

void Grounder::deliver() {
  for (const dedalus::Outbox& outbox : lowered_.outboxes) {
    const datalog::Relation& sent = engine_.relation(outbox.outbox);
    for (Row row = sent.begin(); row < sent.end(); ++row) {
      watch_.look();
      const Literal is_sent = literals_[outbox.outbox][row];
      const Value* tuple = sent.tuple(row);
      std::optional<size_t> from = shared_->node_number(tuple[0]);
      std::optional<size_t> to = shared_->node_number(tuple[1]);
      if (!from || !to || is_sent == kFalse) continue;
      const Literal lost = faults_.lost(*from, *to, tick_);
      const Row arrived = engine_.derive_next(outbox.deliver, tuple + 1, row);
      if (is_sent == kTrue && lost == kFalse) {
        engine_.relation(possible_.certain(outbox.target)).insert_next(tuple + 1);
      }
      auto begin = static_cast<uint32_t>(next_literals_.size());
      next_literals_.push_back(is_sent);
      next_literals_.push_back(!lost);
      next_.push_back({outbox.target, arrived, begin, begin + 2});
    }
  }
}

// What violates the Spec, if this tick is the last one.
void Grounder::note_violations() {
  std::vector<Literal> all = {broken_before_};
  for (const dedalus::PromiseInfo& promise : program_.promises) {
    if (promise.every_tick) add_violations(promise, all);
  }
  broken_before_ = rules_.any(all);
}

Literal Grounder::violation() {
  std::vector<Literal> all = {broken_before_};
  for (const dedalus::PromiseInfo& promise : program_.promises) {
    if (!promise.every_tick) add_violations(promise, all);
  }
  return rules_.any(all);
}

void Grounder::add_violations(const dedalus::PromiseInfo& promise, std::vector<Literal>& all) {
  const auto pre = program_.relation_index.find(promise.pre);
  if (pre == program_.relation_index.end()) return;
  const auto post = program_.relation_index.find(promise.post);
  const datalog::Relation& goals = engine_.relation(pre->second);
  for (Row row = goals.begin(); row < goals.end(); ++row) {
    Literal met = kFalse;
    if (post != program_.relation_index.end()) {
      const Row found = engine_.relation(post->second).find(goals.tuple(row));
      if (found != datalog::kNoRow) met = literals_[post->second][found];
    }
    all.push_back(rules_.all({literals_[pre->second][row], !met}));
  }
}

}  // namespace clew::ground
