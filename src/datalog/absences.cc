#include "datalog/absences.h"

namespace clew::datalog {

namespace {

std::vector<std::optional<Value>> bind_slots(const Rule& rule, const Firing& firing,
                                             const Engine& engine) {
  std::vector<std::optional<Value>> slots(rule.slots);
  size_t position = 0;
  for (const BodyItem& item : rule.body) {
    if (item.kind != BodyItem::Kind::kPositive) continue;
    const Value* tuple = engine.relation(item.relation).tuple(firing.used[position++]);
    for (size_t column = 0; column < item.args.size(); ++column) {
      const Expression& arg = item.args[column];
      if (arg.kind == Expression::Kind::kSlot) slots[arg.slot] = tuple[column];
    }
  }
  return slots;
}

}  // namespace

std::vector<Absence> absences(const Firing& firing, Engine& engine) {
  const Rule& rule = engine.rules().rules[firing.rule];
  std::vector<Absence> all;
  if (rule.aggregates()) return all;
  std::vector<std::optional<Value>> bound = bind_slots(rule, firing, engine);
  std::vector<Value> slots;
  slots.reserve(bound.size());
  for (const std::optional<Value>& value : bound) slots.push_back(value.value_or(Value{}));
  for (const BodyItem& item : rule.body) {
    if (item.kind != BodyItem::Kind::kAbsent) continue;
    Absence absence{item.relation, {}};
    for (const Expression& arg : item.args) {
      const bool open = arg.kind == Expression::Kind::kAny ||
                        (arg.kind == Expression::Kind::kSlot && !bound[arg.slot]);
      EvaluationError error;
      absence.columns.push_back(open ? std::nullopt
                                     : evaluate(arg, slots.data(), engine.values(), error));
    }
    all.push_back(std::move(absence));
  }
  return all;
}

}  // namespace clew::datalog
