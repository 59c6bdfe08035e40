#include <fmt/format.h>

#include "datalog/plan.h"

namespace clew::datalog {

namespace {

std::string print(const Source& source, const ValueTable& values) {
  return source.is_slot ? fmt::format("=X{}", source.slot)
                        : fmt::format("={}", values.print(source.constant));
}

// The atom of a step with `=` before what must match and nothing before what is bound by it.
std::string print_columns(const Step& step, const RuleSet& rules, const ValueTable& values,
                          const std::vector<uint32_t>& key_columns) {
  std::vector<std::string> columns(rules.relations[step.relation].arity, "_");
  for (size_t i = 0; i < step.key.size(); ++i) columns[key_columns[i]] = print(step.key[i], values);
  for (const ColumnSource& check : step.checks) columns[check.column] = print(check.source, values);
  for (const ColumnSlot& bind : step.binds) columns[bind.column] = fmt::format("X{}", bind.slot);
  for (const ColumnSlot& same : step.repeats) columns[same.column] = fmt::format("=X{}", same.slot);
  return fmt::format("{}({})", rules.relations[step.relation].name, fmt::join(columns, ", "));
}

const char* range_suffix(Step::Range range) {
  switch (range) {
    case Step::Range::kAll:
      return "";
    case Step::Range::kOld:
      return " among the old rows";
    case Step::Range::kDelta:
      return " among the newest rows";
  }
  return "";
}

const char* verb(const Step& step) {
  switch (step.kind) {
    case Step::Kind::kScan:
      return "scan";
    case Step::Kind::kLookup:
      return "look up";
    case Step::Kind::kContains:
      return "find";
    case Step::Kind::kAbsent:
      return "absent";
    case Step::Kind::kTest:
      return "test";
    case Step::Kind::kAssign:
      return "compute";
  }
  return "";
}

std::string print(const Step& step, const RuleSet& rules, const ValueTable& values) {
  if (step.kind == Step::Kind::kTest) {
    return fmt::format("test {}",
                       print(condition(step.comparison, step.left, step.right), rules, values));
  }
  if (step.kind == Step::Kind::kAssign) {
    return fmt::format("compute X{} = {}", step.left.slot, print(step.right, values));
  }
  return fmt::format("{} {}{}", verb(step), print_columns(step, rules, values, step.key_columns),
                     range_suffix(step.range));
}

}  // namespace

std::string print(const Plan& plan, const RuleSet& rules, const ValueTable& values) {
  const Rule& rule = rules.rules[plan.rule];
  std::string text = print(rule, rules, values) + "\n";
  for (const Step& step : plan.steps) text += "  " + print(step, rules, values) + "\n";
  return text;
}

}  // namespace clew::datalog
