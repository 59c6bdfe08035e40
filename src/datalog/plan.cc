#include "datalog/plan.h"

#include <algorithm>

#include "base/check.h"

namespace clew::datalog {

namespace {

class Planner {
 public:
  Planner(const RuleSet& rules, RuleId rule, std::optional<uint32_t> delta,
          const std::vector<bool>& recursive, std::vector<Relation>& relations)
      : rule_(rules.rules[rule]), delta_(delta), recursive_(recursive), relations_(relations) {
    plan_.rule = rule;
    plan_.slots = rule_.slots;
    bound_by_.resize(rule_.slots);
    placed_.resize(rule_.body.size());
    for (uint32_t i = 0; i < rule_.body.size(); ++i) {
      if (rule_.body[i].kind == BodyItem::Kind::kPositive) positives_.push_back(i);
    }
    plan_.positives = static_cast<uint32_t>(positives_.size());
    find_bindable();
  }

  Plan plan() {
    place_guards();
    if (delta_) place_positive(*delta_);
    while (std::optional<uint32_t> next = best_positive()) place_positive(*next);
    for (uint32_t i = 0; i < rule_.body.size(); ++i) place_late(i);
    return std::move(plan_);
  }

 private:
  void find_bindable() {
    bindable_.resize(rule_.slots);
    for (const uint32_t i : positives_) {
      for (const Expression& arg : rule_.body[i].args) {
        if (arg.kind == Expression::Kind::kSlot) bindable_[arg.slot] = true;
      }
    }
  }

  bool is_bound(const Expression& arg) const {
    return arg.kind == Expression::Kind::kConstant ||
           (arg.kind == Expression::Kind::kSlot && bound_by_[arg.slot] != 0);
  }

  static Source source(const Expression& arg) {
    if (arg.kind == Expression::Kind::kConstant) return {false, 0, arg.constant};
    return {true, arg.slot, {}};
  }

  // Atoms with all columns bound first, then by the number of bound columns.
  std::optional<uint32_t> best_positive() const {
    std::optional<uint32_t> best;
    size_t best_score = 0;
    for (uint32_t position = 0; position < positives_.size(); ++position) {
      if (placed_[positives_[position]]) continue;
      const std::vector<Expression>& args = rule_.body[positives_[position]].args;
      auto bound = static_cast<size_t>(
          std::ranges::count_if(args, [&](const Expression& a) { return is_bound(a); }));
      const size_t score = 1 + bound + (bound == args.size() ? 1'000'000 : 0);
      if (score > best_score) {
        best = position;
        best_score = score;
      }
    }
    return best;
  }

  Step::Range range(uint32_t position, RelationId relation) const {
    if (!delta_ || !recursive_[relation]) return Step::Range::kAll;
    if (position == *delta_) return Step::Range::kDelta;
    return position < *delta_ ? Step::Range::kOld : Step::Range::kAll;
  }

  Slot fresh_slot() {
    bound_by_.push_back(UINT32_MAX);
    bindable_.push_back(true);
    return plan_.slots++;
  }

  void place_positive(uint32_t position) {
    const BodyItem& item = rule_.body[positives_[position]];
    Step step{.relation = item.relation, .position = position};
    step.range = range(position, item.relation);
    step.recursive = recursive_[item.relation];
    match_columns(item, step, step.range == Step::Range::kDelta);
    placed_[positives_[position]] = true;
    plan_.steps.push_back(std::move(step));
    place_guards();
  }

  // Splits the columns into those that are known, those that bind, and repetitions. An argument
  // with an operator binds a fresh slot that place_late() compares with its value.
  void match_columns(const BodyItem& item, Step& step, bool scan) {
    std::vector<uint32_t> known;
    auto this_step = static_cast<uint32_t>(plan_.steps.size() + 1);
    for (uint32_t column = 0; column < item.args.size(); ++column) {
      const Expression& arg = item.args[column];
      if (arg.kind == Expression::Kind::kAny) continue;
      if (arg.kind == Expression::Kind::kOperator) {
        const Slot slot = fresh_slot();
        step.binds.push_back({column, slot});
        computed_.push_back({&arg, slot});
      } else if (arg.kind == Expression::Kind::kSlot && bound_by_[arg.slot] == this_step) {
        step.repeats.push_back({column, arg.slot});
      } else if (is_bound(arg)) {
        known.push_back(column);
      } else {
        step.binds.push_back({column, arg.slot});
        bound_by_[arg.slot] = this_step;
      }
    }
    choose_access(item, step, known, scan);
  }

  void choose_access(const BodyItem& item, Step& step, const std::vector<uint32_t>& known,
                     bool scan) {
    if (known.empty() && !item.args.empty()) return;
    if (scan) {
      for (const uint32_t column : known) {
        step.checks.push_back({column, source(item.args[column])});
      }
      return;
    }
    const bool whole = known.size() == item.args.size();
    step.kind = whole ? Step::Kind::kContains : Step::Kind::kLookup;
    set_key(item, step, known);
    if (!whole) step.index = relations_[item.relation].add_index(known);
  }

  void set_key(const BodyItem& item, Step& step, const std::vector<uint32_t>& columns) {
    step.key_columns = columns;
    step.key_offset = plan_.key_values;
    plan_.key_values += static_cast<uint32_t>(columns.size());
    for (const uint32_t column : columns) step.key.push_back(source(item.args[column]));
  }

  // The conditions and absent atoms without operators whose slots are all bound by now.
  void place_guards() {
    for (uint32_t i = 0; i < rule_.body.size(); ++i) {
      const BodyItem& item = rule_.body[i];
      if (placed_[i] || item.kind == BodyItem::Kind::kPositive || !item.is_plain()) continue;
      if (!std::ranges::all_of(item.args, [&](const Expression& a) { return is_ready(item, a); })) {
        continue;
      }
      placed_[i] = true;
      if (item.kind == BodyItem::Kind::kCondition) {
        place_test(item.comparison, item.args[0], item.args[1]);
      } else {
        place_absent(item);
      }
    }
  }

  // A slot that no positive atom binds is existential in an absent one.
  bool is_ready(const BodyItem& item, const Expression& arg) const {
    if (arg.kind != Expression::Kind::kSlot) return true;
    return bound_by_[arg.slot] != 0 ||
           (item.kind == BodyItem::Kind::kAbsent && !bindable_[arg.slot]);
  }

  void place_test(Comparison comparison, const Expression& left, const Expression& right) {
    Step step{.kind = Step::Kind::kTest};
    step.comparison = comparison;
    step.left = left;
    step.right = right;
    plan_.steps.push_back(std::move(step));
  }

  void place_absent(const BodyItem& item) {
    Step step{.kind = Step::Kind::kAbsent, .relation = item.relation};
    std::vector<uint32_t> known;
    std::vector<Slot> existential;
    for (uint32_t column = 0; column < item.args.size(); ++column) {
      const Expression& arg = item.args[column];
      if (arg.kind == Expression::Kind::kAny) continue;
      if (is_bound(arg)) {
        known.push_back(column);
      } else if (std::ranges::find(existential, arg.slot) == existential.end()) {
        existential.push_back(arg.slot);
        step.binds.push_back({column, arg.slot});
      } else {
        step.repeats.push_back({column, arg.slot});
      }
    }
    if (step.repeats.empty()) step.binds.clear();
    step.whole_key = known.size() == item.args.size();
    set_key(item, step, known);
    if (!step.whole_key && !known.empty()) {
      step.index = relations_[item.relation].add_index(known);
    }
    plan_.steps.push_back(std::move(step));
  }

  // What contains an operator, in written order.
  void place_late(uint32_t i) {
    const BodyItem& item = rule_.body[i];
    if (item.is_plain()) {
      CHECK(placed_[i], "a body item uses a slot that nothing binds");
      return;
    }
    switch (item.kind) {
      case BodyItem::Kind::kCondition:
        return place_test(item.comparison, item.args[0], item.args[1]);
      case BodyItem::Kind::kPositive:
        return place_computed(item);
      case BodyItem::Kind::kAbsent:
        return place_late_absent(item);
    }
  }

  void place_computed(const BodyItem& item) {
    for (const Expression& arg : item.args) {
      if (arg.is_plain()) continue;
      auto at =
          std::ranges::find_if(computed_, [&](const Computed& c) { return c.expression == &arg; });
      CHECK(at != computed_.end());
      place_test(Comparison::kEqual, slot(at->slot), arg);
    }
  }

  void place_late_absent(const BodyItem& item) {
    BodyItem plain = item;
    for (Expression& arg : plain.args) {
      if (arg.is_plain()) continue;
      const Slot slot = fresh_slot();
      Step step{.kind = Step::Kind::kAssign};
      step.left = datalog::slot(slot);
      step.right = arg;
      plan_.steps.push_back(std::move(step));
      arg = datalog::slot(slot);
    }
    place_absent(plain);
  }

  struct Computed {
    const Expression* expression;
    Slot slot;
  };

  const Rule& rule_;
  std::optional<uint32_t> delta_;
  const std::vector<bool>& recursive_;
  std::vector<Relation>& relations_;
  Plan plan_;
  std::vector<uint32_t> positives_;  // body items
  std::vector<uint32_t> bound_by_;   // by slot: the number of the step, from 1; 0: not yet bound
  std::vector<bool> bindable_;       // by slot: some positive atom binds it
  std::vector<bool> placed_;         // by body item
  std::vector<Computed> computed_;
};

}  // namespace

Plan make_plan(const RuleSet& rules, RuleId rule, std::optional<uint32_t> delta,
               const std::vector<bool>& recursive, std::vector<Relation>& relations) {
  return Planner(rules, rule, delta, recursive, relations).plan();
}

}  // namespace clew::datalog
