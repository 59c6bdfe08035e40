// Semi-naive evaluation, stratum by stratum.
//
// A stratum is a set of relations that need each other. Rules that read only earlier strata are
// applied once. For the others, every relation of the stratum is split into old rows, the newest
// rows (the delta) and rows derived in this round, which nobody sees yet:
//
//   begin ... old ... delta_begin ... newest ... delta_end ... this round's ...
//
// In each round a rule with k atoms in the stratum is applied k times: the i-th time its i-th such
// atom ranges over the newest rows, the ones before it over old rows only and the ones after it
// over both. So each combination of rows is met exactly once, which makes the firings a set. The
// rounds end when nothing new appeared. Absent atoms and aggregates only concern earlier strata,
// which are complete by then.
//
// What this account omits: relations may already hold rows when their stratum begins (facts and
// what the previous frame derived); they are the first delta. And rules into the next frame are
// applied once, after all strata, since nothing in this frame can depend on them.
#include "datalog/engine.h"

#include <algorithm>

#include "base/check.h"
#include "datalog/stratify.h"

namespace clew::datalog {

namespace {

std::vector<Dependency> dependencies(const RuleSet& rules) {
  std::vector<Dependency> all;
  for (const Rule& rule : rules.rules) {
    if (rule.to_next_frame) continue;
    for (const BodyItem& item : rule.body) {
      if (item.kind == BodyItem::Kind::kCondition) continue;
      const bool strict = item.kind == BodyItem::Kind::kAbsent || rule.aggregates();
      all.push_back({item.relation, rule.head, strict});
    }
  }
  return all;
}

}  // namespace

Engine::Engine(RuleSet rules, ValueTable& values, EngineOptions options)
    : database_{std::move(rules), values, std::move(options)},
      joiner_(database_),
      aggregator_(database_) {
  check_well_formed(database_.rules);
  for (const RelationDecl& decl : database_.rules.relations) {
    database_.relations.emplace_back(decl.arity, decl.permanent);
  }
  database_.delta_begin.resize(database_.relations.size());
  database_.delta_end.resize(database_.relations.size());
  make_work();
}

void Engine::make_work() {
  const RuleSet& rules = database_.rules;
  auto count = static_cast<uint32_t>(rules.relations.size());
  auto result = stratify(count, dependencies(rules));
  const Strata* strata = std::get_if<Strata>(&result);
  CHECK(strata != nullptr, "the rules are not stratified");

  std::vector<std::vector<RuleId>> rules_of(count);
  std::vector<bool> recursive(count);
  for (RuleId id = 0; id < rules.rules.size(); ++id) {
    const Rule& rule = rules.rules[id];
    if (rule.applied_by_user) continue;
    if (rule.to_next_frame) {
      plan_rule(id, recursive, next_);
    } else {
      rules_of[rule.head].push_back(id);
    }
  }
  for (const Stratum& stratum : *strata) {
    Work work;
    work.members = stratum.members;
    for (const RelationId member : stratum.members) recursive[member] = stratum.recursive;
    for (const RelationId member : stratum.members) {
      for (const RuleId id : rules_of[member]) plan_rule(id, recursive, work);
    }
    for (const RelationId member : stratum.members) recursive[member] = false;
    const bool needed = !work.aggregates.empty() || !work.once.empty() || !work.recursive.empty();
    if (needed) strata_.push_back(std::move(work));
  }
}

void Engine::plan_rule(RuleId id, const std::vector<bool>& recursive, Work& work) {
  const Rule& rule = database_.rules.rules[id];
  work.only_for_next_frame &= rule.only_for_next_frame;
  work.only_in_last_frame &= rule.only_in_last_frame;
  work.shown_in_last_frame &= rule.shown_in_last_frame;
  if (rule.aggregates()) {
    work.aggregates.push_back(id);
    return;
  }
  auto plan = [&](std::optional<uint32_t> delta, std::vector<Plan>& plans) {
    plans.push_back(make_plan(database_.rules, id, delta, recursive, database_.relations));
    joiner_.prepare(plans.back());
  };
  bool reads_own_stratum = false;
  uint32_t position = 0;
  for (const BodyItem& item : rule.body) {
    if (item.kind != BodyItem::Kind::kPositive) continue;
    if (recursive[item.relation]) {
      plan(position, work.recursive);
      reads_own_stratum = true;
    }
    ++position;
  }
  if (!reads_own_stratum) plan(std::nullopt, work.once);
}

std::optional<EvaluationError> Engine::evaluate(bool with_next) {
  CHECK(state_ == State::kFilling, "evaluate() of a frame that is COMPLETE");
  state_ = State::kComplete;
  for (const Work& work : strata_) {
    if (with_next ? work.only_in_last_frame : work.only_for_next_frame) continue;
    if (auto error = run(work)) return error;
  }
  return with_next ? run(next_) : std::nullopt;
}

std::optional<EvaluationError> Engine::evaluate(Part part) {
  const State needed = part == Part::kNow ? State::kFilling : State::kComplete;
  CHECK(state_ == needed, "evaluate() of this part of a frame comes too early, or twice");
  state_ = State::kComplete;
  for (const Work& work : strata_) {
    if (work.part() != part) continue;
    if (auto error = run(work)) return error;
  }
  return part == Part::kNext ? run(next_) : std::nullopt;
}

bool Engine::show_last() {
  CHECK(state_ == State::kComplete, "show_last() of a frame that is FILLING");
  const FiringLog::Cursor firings_end = firings().end();
  const size_t firing_count = firings().count();
  bool fails = false;
  for (const Work& work : strata_) fails = fails || (work.shown_in_last_frame && run(work));
  if (!fails) return true;
  for (const Work& work : strata_) {
    if (!work.shown_in_last_frame) continue;
    for (const RelationId member : work.members) {
      Relation& relation = database_.relations[member];
      relation.rewind(relation.begin(), relation.begin());
    }
  }
  database_.firings.rewind(firings_end, firing_count);
  aggregator_.forget();
  return false;
}

std::optional<EvaluationError> Engine::run(const Work& work) {
  for (const RuleId rule : work.aggregates) {
    if (auto error = aggregator_.run(rule)) return error;
  }
  for (const Plan& plan : work.once) {
    if (auto error = joiner_.run(plan)) return error;
  }
  return work.recursive.empty() ? std::nullopt : run_recursive(work);
}

std::optional<EvaluationError> Engine::run_recursive(const Work& work) {
  for (const RelationId member : work.members) {
    database_.delta_end[member] = database_.relations[member].begin();
  }
  while (true) {
    bool grown = false;
    for (const RelationId member : work.members) {
      database_.delta_begin[member] = database_.delta_end[member];
      database_.delta_end[member] = database_.relations[member].end();
      grown |= database_.delta_begin[member] != database_.delta_end[member];
    }
    if (!grown) return std::nullopt;
    for (const Plan& plan : work.recursive) {
      if (auto error = joiner_.run(plan)) return error;
    }
  }
}

Row Engine::derive_next(RuleId rule, const Value* tuple, Row used) {
  CHECK(rules().rules[rule].applied_by_user, "rule {} is applied by the engine", rule);
  CHECK(rules().rules[rule].to_next_frame, "rule {} derives into the current frame", rule);
  database_.derive(rule, tuple, {&used, 1});
  return database_.relations[rules().rules[rule].head].insert_next(tuple).row;
}

void Engine::advance() {
  CHECK(state_ == State::kComplete, "advance() from a frame that is FILLING");
  state_ = State::kFilling;
  for (Relation& relation : database_.relations) relation.advance();
}

void Engine::mark(Mark& mark) const {
  CHECK(state_ == State::kFilling, "mark() of a frame that is COMPLETE");
  mark.begins.clear();
  mark.rows.clear();
  for (const Relation& relation : database_.relations) {
    mark.begins.push_back(relation.begin());
    mark.rows.push_back(relation.rows());
  }
  mark.firings_end = firings().end();
  mark.firing_count = firings().count();
}

void Engine::rewind(const Mark& mark) {
  CHECK(mark.rows.size() == database_.relations.size(), "a mark of another engine");
  state_ = State::kFilling;
  for (RelationId id = 0; id < database_.relations.size(); ++id) {
    Relation& relation = database_.relations[id];
    if (!relation.permanent()) relation.rewind(mark.begins[id], mark.rows[id]);
  }
  database_.firings.rewind(mark.firings_end, mark.firing_count);
  aggregator_.forget();
}

void Engine::clear() {
  state_ = State::kFilling;
  for (Relation& relation : database_.relations) relation.clear();
  database_.firings.rewind(0, 0);
  aggregator_.forget();
}

std::string Engine::print_work(const Work& work) const {
  std::string text;
  for (const RuleId id : work.aggregates) {
    text += print(rules().rules[id], rules(), values()) + "\n  group and fold\n";
  }
  for (const Plan& plan : work.once) text += print(plan, rules(), values());
  for (const Plan& plan : work.recursive) text += print(plan, rules(), values());
  return text;
}

std::string Engine::print_plans() const {
  std::string text;
  for (size_t i = 0; i < strata_.size(); ++i) {
    text += fmt::format("-- stratum {}\n{}", i + 1, print_work(strata_[i]));
  }
  return text + "-- into the next frame\n" + print_work(next_);
}

}  // namespace clew::datalog
