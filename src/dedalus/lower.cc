#include "dedalus/lower.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "base/check.h"

namespace clew::dedalus {

namespace {

using datalog::BodyItem;
using datalog::Expression;
using datalog::RelationId;
using datalog::Rule;
using datalog::RuleId;
using datalog::Slot;
using Role = Origin::Role;

// What all clauses share.
class Lowering {
 public:
  Lowering(const Program& the_program, bool stop_model, datalog::ValueTable& the_values)
      : program(the_program), stop(stop_model), values(the_values) {
    for (const RelationInfo& relation : program.relations) {
      result.rules.declare(relation.name, relation.arity, relation.name == kCrash && !stop);
    }
    result.node = result.rules.declare("@node", 1, !stop);
    result.dead = result.rules.declare("@dead", 1);
    result.dead_next = result.rules.declare("@dead_next", 1);
    result.link = result.rules.declare("@link", 2);
  }

  RelationId relation(const std::string& name) const { return program.relation_index.at(name); }

  uint32_t place(Span span) {
    result.places.push_back(span);
    return static_cast<uint32_t>(result.places.size() - 1);
  }

  RuleId add(Rule rule, Role role, size_t clause) {
    result.rules.rules.push_back(std::move(rule));
    result.origins.push_back({role, clause});
    return static_cast<RuleId>(result.rules.rules.size() - 1);
  }

  // The outbox of a relation, made when it is first sent to.
  RelationId outbox(RelationId target) {
    auto [at, is_new] = outboxes_.try_emplace(target, 0);
    if (!is_new) return at->second;
    const uint32_t arity = result.rules.relations[target].arity;
    at->second = result.rules.declare(result.rules.relations[target].name + "@async", arity + 1);
    Rule deliver{.head = target, .to_next_frame = true};
    std::vector<Expression> columns = slots(arity + 1);
    deliver.slots = arity + 1;
    deliver.body = {datalog::positive(at->second, columns)};
    deliver.head_args.assign(columns.begin() + 1, columns.end());
    deliver.applied_by_user = true;
    const RuleId id = add(std::move(deliver), Role::kDeliver, 0);
    result.outboxes.push_back({at->second, target, id});
    return at->second;
  }

  const TickRead& tick_read(int64_t tick) {
    auto [at, is_new] = tick_reads_.try_emplace(tick, result.tick_reads.size());
    if (is_new) {
      const RelationId now = result.rules.declare(fmt::format("@at.{}", tick), 0);
      const RelationId since = result.rules.declare(fmt::format("@since.{}", tick), 0);
      result.tick_reads.push_back({tick, now, since});
    }
    return result.tick_reads[at->second];
  }

  // p@N, with the rules that fill and keep it.
  RelationId reading(RelationId relation, int64_t tick) {
    auto [at, is_new] = readings_.try_emplace({relation, tick}, 0);
    if (!is_new) return at->second;
    const RelationId now = tick_read(tick).at;
    const uint32_t arity = result.rules.relations[relation].arity;
    std::string name = fmt::format("{}@{}", result.rules.relations[relation].name, tick);
    at->second = result.rules.declare(std::move(name), arity);
    Rule read{.head = at->second, .head_args = slots(arity), .slots = arity};
    read.body = {datalog::positive(relation, slots(arity)), datalog::positive(now, {})};
    add(std::move(read), Role::kRead, 0);
    Rule keep{.head = at->second, .to_next_frame = true};
    keep.head_args = slots(arity);
    keep.slots = arity;
    keep.body = {datalog::positive(at->second, slots(arity))};
    add(std::move(keep), Role::kKeep, 0);
    return at->second;
  }

  static std::vector<Expression> slots(uint32_t count) {
    std::vector<Expression> all;
    for (Slot i = 0; i < count; ++i) all.push_back(datalog::slot(i));
    return all;
  }

  Lowered finish() {
    result.readings.resize(result.rules.relations.size());
    for (const auto& [key, id] : readings_) {
      result.readings[id] = Lowered::Reading{key.first, key.second};
    }
    return std::move(result);
  }

  const Program& program;
  const bool stop;
  datalog::ValueTable& values;
  Lowered result;

 private:
  std::unordered_map<RelationId, RelationId> outboxes_;
  std::unordered_map<int64_t, size_t> tick_reads_;
  std::map<std::pair<RelationId, int64_t>, RelationId> readings_;
};

datalog::Fold to_fold(const Term& arg) {
  if (arg.kind != Term::Kind::kAggregate) return datalog::Fold::kGroup;
  switch (arg.function) {
    case AggregateFunction::kCount:
      return datalog::Fold::kCount;
    case AggregateFunction::kSum:
      return datalog::Fold::kSum;
    case AggregateFunction::kMin:
      return datalog::Fold::kMin;
    case AggregateFunction::kMax:
      return datalog::Fold::kMax;
  }
  return datalog::Fold::kGroup;
}

// One rule of the Program.
class ClauseLowering {
 public:
  ClauseLowering(Lowering& all, size_t clause)
      : all_(all), clause_(clause), rule_(all.program.rules[clause]), where_(location_of(rule_)) {}

  void run() {
    if (where_.kind == Location::Kind::kNowhere) return;
    find_bound();
    for (const Literal& literal : rule_.body) add_literal(literal);
    add_location();
    for (const Term& arg : rule_.head.args) {
      aggregates_ |= arg.kind == Term::Kind::kAggregate;
      head_.push_back(expression(arg));
    }
    if (rule_.head.time.kind == TimeSuffix::Kind::kAsync) {
      aggregates_ ? send_aggregate() : send();
    } else {
      aggregates_ ? derive_aggregate() : derive();
    }
  }

 private:
  void find_bound() {
    for (const Literal& literal : rule_.body) {
      if (literal.kind != Literal::Kind::kPositive) continue;
      for (const Term& arg : literal.atom.args) {
        if (arg.kind == Term::Kind::kVariable) slot_of(arg.text);
      }
    }
    if (where_.kind == Location::Kind::kVariable) slot_of(where_.text);
  }

  Slot slot_of(const std::string& variable) {
    auto [at, is_new] = slots_.try_emplace(variable, slot_count_);
    if (is_new) ++slot_count_;
    return at->second;
  }

  // A variable that nothing binds is existential: in each absent atom it has a slot of its own.
  Slot slot_in_literal(const std::string& variable) {
    if (auto at = slots_.find(variable); at != slots_.end()) return at->second;
    auto [at, is_new] = existential_.try_emplace(variable, slot_count_);
    if (is_new) ++slot_count_;
    return at->second;
  }

  Expression expression(const Term& term) {
    switch (term.kind) {
      case Term::Kind::kWildcard:
        return datalog::any();
      case Term::Kind::kVariable:
      case Term::Kind::kAggregate:
        return datalog::slot(slot_in_literal(term.text));
      case Term::Kind::kString:
        return datalog::constant(all_.values.intern(term.text));
      case Term::Kind::kInteger:
        return datalog::constant(all_.values.integer(term.integer));
      case Term::Kind::kBinary:
        break;
    }
    Expression result{.kind = Expression::Kind::kOperator};
    result.op = to_operator(term.op);
    result.operands = {expression(term.operands[0]), expression(term.operands[1])};
    result.place = all_.place(term.span);
    return result;
  }

  void add_literal(const Literal& literal) {
    existential_.clear();
    if (literal.kind == Literal::Kind::kCondition) {
      const std::vector<Term>& sides = literal.condition.operands;
      body_.push_back(datalog::condition(to_comparison(literal.condition.op), expression(sides[0]),
                                         expression(sides[1])));
      return;
    }
    std::vector<Expression> args;
    args.reserve(literal.atom.args.size());
    for (const Term& arg : literal.atom.args) args.push_back(expression(arg));
    RelationId relation = all_.relation(literal.atom.relation);
    const bool negative = literal.kind == Literal::Kind::kNegative;
    if (literal.atom.time.kind == TimeSuffix::Kind::kAt) {
      const int64_t tick = literal.atom.time.tick;
      relation = all_.reading(relation, tick);
      if (negative) body_.push_back(datalog::positive(all_.tick_read(tick).since, {}));
    }
    body_.push_back(negative ? datalog::absent(relation, std::move(args))
                             : datalog::positive(relation, std::move(args)));
    existential_.clear();
  }

  void add_location() {
    switch (where_.kind) {
      case Location::Kind::kVariable:
        from_ = datalog::slot(slot_of(where_.text));
        break;
      case Location::Kind::kConstant:
        from_ = datalog::constant(all_.values.intern(where_.text));
        break;
      case Location::Kind::kNowhere:
        return;
      case Location::Kind::kAny:
        return;
    }
    body_.push_back(datalog::positive(all_.result.node, {from_}));
  }

  bool derives_at_location() const {
    const Term& first = rule_.head.args[0];
    return (first.kind == Term::Kind::kVariable && where_.kind == Location::Kind::kVariable &&
            first.text == where_.text) ||
           (first.kind == Term::Kind::kString && where_.kind == Location::Kind::kConstant &&
            first.text == where_.text);
  }

  bool to_next() const { return rule_.head.time.kind == TimeSuffix::Kind::kNext; }

  // Under stop nothing comes to exist at a node that has crashed by then.
  bool needs_life_check() const {
    if (!all_.stop || rule_.placeless || rule_.head.args.empty()) return false;
    return to_next() || !derives_at_location();
  }

  BodyItem life_check(Expression first_column) const {
    const RelationId dead = to_next() ? all_.result.dead_next : all_.result.dead;
    return datalog::absent(dead, {std::move(first_column)});
  }

  Rule make(RelationId head, std::vector<Expression> args) {
    Rule rule{.head = head, .head_args = std::move(args), .slots = slot_count_};
    rule.body = body_;
    rule.place = all_.place(rule_.head.span);
    return rule;
  }

  void derive() {
    if (needs_life_check()) body_.push_back(life_check(head_[0]));
    Rule rule = make(all_.relation(rule_.head.relation), head_);
    rule.to_next_frame = to_next();
    all_.add(std::move(rule), Role::kDerive, clause_);
  }

  // A rule located anywhere sends from the destination to itself.
  std::vector<Expression> with_sender() const {
    std::vector<Expression> args = head_;
    args.insert(args.begin(), where_.kind == Location::Kind::kAny ? head_[0] : from_);
    return args;
  }

  // What is sent is for the next tick. At the last one it is only shown.
  static Rule sent(Rule rule) {
    rule.only_for_next_frame = true;
    rule.shown_in_last_frame = true;
    return rule;
  }

  void send() {
    const RelationId outbox = all_.outbox(all_.relation(rule_.head.relation));
    all_.add(sent(make(outbox, with_sender())), Role::kSend, clause_);
  }

  RelationId own_relation(const char* suffix, uint32_t arity) {
    return all_.result.rules.declare(fmt::format("{}@{}{}", rule_.head.relation, suffix, clause_),
                                     arity);
  }

  std::vector<datalog::Fold> folds() const {
    std::vector<datalog::Fold> folds;
    folds.reserve(rule_.head.args.size());
    for (const Term& arg : rule_.head.args) folds.push_back(to_fold(arg));
    return folds;
  }

  Rule make_fold(RelationId head, RelationId bindings) {
    Rule rule{.head = head};
    rule.folds = folds();
    for (const Term& arg : rule_.head.args) rule.fold_places.push_back(all_.place(arg.span));
    rule.body = {datalog::positive(bindings, std::vector<Expression>(rule.folds.size()))};
    rule.place = all_.place(rule_.head.span);
    return rule;
  }

  // The folded tuple on to the head's relation.
  Rule make_pass(RelationId folded) {
    auto arity = static_cast<uint32_t>(head_.size());
    Rule rule{.head = all_.relation(rule_.head.relation), .head_args = Lowering::slots(arity)};
    rule.slots = arity;
    rule.body = {datalog::positive(folded, Lowering::slots(arity))};
    rule.place = all_.place(rule_.head.span);
    return rule;
  }

  void derive_aggregate() {
    auto arity = static_cast<uint32_t>(head_.size());
    const bool folds_location = rule_.head.args[0].kind == Term::Kind::kAggregate;
    const bool check = needs_life_check();
    if (check && !folds_location) body_.push_back(life_check(head_[0]));
    const RelationId bindings = own_relation("bindings", arity);
    Rule bind = make(bindings, head_);
    bind.only_for_next_frame = to_next();
    all_.add(std::move(bind), Role::kBind, clause_);
    const RelationId head = all_.relation(rule_.head.relation);
    if (!check || !folds_location) {
      Rule fold = make_fold(head, bindings);
      fold.to_next_frame = to_next();
      all_.add(std::move(fold), Role::kFold, clause_);
      return;
    }
    const RelationId folded = own_relation("folded", arity);
    Rule fold = make_fold(folded, bindings);
    fold.only_for_next_frame = to_next();
    all_.add(std::move(fold), Role::kFold, clause_);
    Rule pass = make_pass(folded);
    pass.body.push_back(life_check(datalog::slot(0)));
    pass.to_next_frame = to_next();
    all_.add(std::move(pass), Role::kPass, clause_);
  }

  void send_aggregate() {
    auto arity = static_cast<uint32_t>(head_.size());
    all_.result.uses_link = true;
    const RelationId bindings = own_relation("bindings", arity + 1);
    all_.add(sent(make(bindings, with_sender())), Role::kBind, clause_);
    const RelationId heard = own_relation("heard", arity);
    Rule hear{.head = heard};
    std::vector<Expression> columns = Lowering::slots(arity + 1);
    hear.head_args.assign(columns.begin() + 1, columns.end());
    hear.slots = arity + 1;
    hear.body = {datalog::positive(bindings, columns),
                 datalog::positive(all_.result.link, {columns[0], columns[1]})};
    all_.add(sent(std::move(hear)), Role::kHear, clause_);
    const RelationId folded = own_relation("folded", arity);
    all_.add(sent(make_fold(folded, heard)), Role::kFold, clause_);
    Rule pass = make_pass(folded);
    pass.to_next_frame = true;
    const RelationId target = pass.head;
    all_.add(std::move(pass), Role::kPass, clause_);
    all_.result.aggregate_sends.push_back({bindings, folded, target, folds()});
  }

  Lowering& all_;
  size_t clause_;
  const Clause& rule_;
  Location where_;
  Expression from_;
  std::vector<BodyItem> body_;
  std::vector<Expression> head_;
  bool aggregates_ = false;
  std::unordered_map<std::string, Slot> slots_;
  std::unordered_map<std::string, Slot> existential_;  // of the literal at hand
  uint32_t slot_count_ = 0;
};

}  // namespace

namespace {

std::vector<GivenFact> lower_facts(const Program& program, datalog::ValueTable& values) {
  std::vector<GivenFact> facts;
  facts.reserve(program.facts.size());
  for (const Clause& clause : program.facts) {
    GivenFact fact{clause.head.time.tick, program.relation_index.at(clause.head.relation), {}};
    for (const Term& arg : clause.head.args) {
      const bool is_string = arg.kind == Term::Kind::kString;
      fact.values.push_back(is_string ? values.intern(arg.text) : values.integer(arg.integer));
    }
    facts.push_back(std::move(fact));
  }
  std::ranges::stable_sort(facts, {}, &GivenFact::tick);
  return facts;
}

bool has_operator(const Term& term) { return term.kind == Term::Kind::kBinary; }

// Whether applying the rule could end a run: only arithmetic and sums can.
bool can_fail(const Clause& rule) {
  auto sums = [](const Term& arg) {
    return arg.kind == Term::Kind::kAggregate && arg.function == AggregateFunction::kSum;
  };
  for (const Term& arg : rule.head.args) {
    if (has_operator(arg) || sums(arg)) return true;
  }
  for (const Literal& literal : rule.body) {
    if (std::ranges::any_of(literal.atom.args, has_operator)) return true;
    if (std::ranges::any_of(literal.condition.operands, has_operator)) return true;
  }
  return false;
}

}  // namespace

Lowered lower(const Program& program, bool stop, datalog::ValueTable& values) {
  check_well_formed(program);
  Lowering lowering(program, stop, values);
  for (size_t clause = 0; clause < program.rules.size(); ++clause) {
    ClauseLowering(lowering, clause).run();
  }
  Lowered lowered = lowering.finish();
  lowered.facts = lower_facts(program, values);
  return lowered;
}

void postpone_views(const Program& program, Lowered& lowered) {
  if (std::ranges::any_of(program.promises, &PromiseInfo::every_tick)) return;
  auto is_view = [&](const Clause& rule) {
    return rule.head.time.kind == TimeSuffix::Kind::kNone && program.find(rule.head.relation)->view;
  };
  // Views that could end the run are left where they are, and so are then all others, which they
  // may read.
  const bool fails = std::ranges::any_of(
      program.rules, [&](const Clause& rule) { return is_view(rule) && can_fail(rule); });
  for (size_t i = 0; !fails && i < lowered.rules.rules.size(); ++i) {
    const Origin& origin = lowered.origins[i];
    const bool has_clause =
        origin.role != Role::kDeliver && origin.role != Role::kRead && origin.role != Role::kKeep;
    lowered.rules.rules[i].only_in_last_frame = has_clause && is_view(program.rules[origin.clause]);
  }
}

}  // namespace clew::dedalus
