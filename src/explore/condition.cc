#include "explore/condition.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <variant>

namespace clew::explore {

using nlohmann::json;
using Term = Condition::Kind;

namespace {

constexpr std::pair<const char*, Term> kOperators[] = {
    {"number", Term::kNumber},   {"text", Term::kText},      {"field", Term::kField},
    {"message", Term::kMessage}, {"from", Term::kFrom},      {"self", Term::kSelf},
    {"timer", Term::kTimer},     {"not", Term::kNot},        {"and", Term::kAnd},
    {"or", Term::kOr},           {"plus", Term::kPlus},      {"minus", Term::kMinus},
    {"has", Term::kHas},         {"size", Term::kSize},      {"==", Term::kEqual},
    {"!=", Term::kUnequal},      {"<", Term::kLess},         {"<=", Term::kLessOrEqual},
    {">", Term::kMore},          {">=", Term::kMoreOrEqual},
};

size_t operands_of(Term kind) {
  if (kind == Term::kNot || kind == Term::kHas || kind == Term::kSize) return 1;
  return 2;
}

// What a condition compares: numbers, and what else prints the same or does not.
using Value = std::variant<int64_t, std::string>;
using Known = std::optional<Value>;

Known value_of_print(const std::string& printed) {
  if (printed == "true") return Value(int64_t{1});
  if (printed == "false") return Value(int64_t{0});
  int64_t number = 0;
  const char* end = printed.data() + printed.size();
  const auto [at, error] = std::from_chars(printed.data(), end, number);
  if (error == std::errc() && at == end) return Value(number);
  return Value(printed);
}

std::optional<std::string> print_of(const Condition& condition, const Moment& moment) {
  std::optional<std::string> printed;
  size_t members = 0;
  if (condition.kind == Term::kMessage) {
    if (!moment.message.empty()) printed = moment.message;
  } else if (condition.kind == Term::kField && !condition.path.empty()) {
    for (const node::AnyField* field : moment.node.fields()) {
      if (field->name() == condition.path.front()) printed = field->print_value(moment.names);
    }
    members = 1;
  }
  for (size_t i = members; printed && i < condition.path.size(); ++i) {
    printed = printed_member(*printed, condition.path[i]);
  }
  return printed;
}

std::optional<int64_t> number_of(const Known& known) {
  if (!known || !std::holds_alternative<int64_t>(*known)) return std::nullopt;
  return std::get<int64_t>(*known);
}

Known value_of(const Condition& condition, const Moment& moment);

Known sum_of(const Condition& condition, const Moment& moment) {
  const auto left = number_of(value_of(condition.parts[0], moment));
  const auto right = number_of(value_of(condition.parts[1], moment));
  int64_t sum = 0;
  if (!left || !right) return std::nullopt;
  const bool too_large = condition.kind == Term::kPlus
                             ? __builtin_add_overflow(*left, *right, &sum)
                             : __builtin_sub_overflow(*left, *right, &sum);
  return too_large ? Known() : Known(Value(sum));
}

Known value_of(const Condition& condition, const Moment& moment) {
  switch (condition.kind) {
    case Term::kNumber:
      return Value(condition.number);
    case Term::kText:
      return Value(node::quoted_text(condition.text));
    case Term::kTimer:
      return moment.timer ? Known(Value(node::quoted_text(*moment.timer))) : Known();
    case Term::kFrom:
      return moment.from ? Known(Value(moment.names.name(*moment.from))) : Known();
    case Term::kSelf:
      return Value(moment.names.name(moment.self));
    case Term::kField:
    case Term::kMessage: {
      const auto printed = print_of(condition, moment);
      return printed ? value_of_print(*printed) : Known();
    }
    case Term::kPlus:
    case Term::kMinus:
      return sum_of(condition, moment);
    case Term::kSize: {
      const auto printed = print_of(condition.parts[0], moment);
      const auto size = printed ? printed_size(*printed) : std::nullopt;
      return size ? Known(Value(*size)) : Known();
    }
    default: {
      const std::optional<bool> truth = holds(condition, moment);
      return truth ? Known(Value(int64_t{*truth ? 1 : 0})) : Known();
    }
  }
}

std::optional<bool> compared(Term kind, const Known& left, const Known& right) {
  if (!left || !right || left->index() != right->index()) return std::nullopt;
  if (kind == Term::kEqual) return *left == *right;
  if (kind == Term::kUnequal) return *left != *right;
  const auto a = number_of(left), b = number_of(right);
  if (!a || !b) return std::nullopt;
  if (kind == Term::kLess) return *a < *b;
  if (kind == Term::kLessOrEqual) return *a <= *b;
  return kind == Term::kMore ? *a > *b : *a >= *b;
}

// Either of both decides if it is `deciding`.
std::optional<bool> decided(bool deciding, std::optional<bool> left, std::optional<bool> right) {
  if (left == deciding || right == deciding) return deciding;
  if (!left || !right) return std::nullopt;
  return !deciding;
}

// Where the parts of a printed struct or container begin and end; nothing if it is none.
std::optional<std::vector<std::string_view>> printed_parts(std::string_view printed) {
  const size_t open = printed.find_first_of("{[(\"");
  if (open == std::string_view::npos || printed[open] == '"') return std::nullopt;
  std::vector<std::string_view> parts;
  size_t begin = open + 1;
  int depth = 1;
  for (size_t at = begin; at < printed.size(); ++at) {
    const char next = printed[at];
    if (next == '"') {
      at = std::min(printed.find('"', at + 1), printed.size());  // a quote inside is written twice
      continue;
    }
    if (next == '{' || next == '[' || next == '(') ++depth;
    if (next == '}' || next == ']' || next == ')') --depth;
    const bool ends = depth == 0, divides = depth == 1 && printed.substr(at, 2) == ", ";
    if (!ends && !divides) continue;
    if (at > begin) parts.push_back(printed.substr(begin, at - begin));
    begin = at + 2;
    if (ends) return at + 1 == printed.size() ? std::optional(parts) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

Condition parse_condition(const json& written) {
  if (!written.is_object() || written.size() != 1) return {};
  const std::string name = written.begin().key();
  const json& rest = written.begin().value();
  const auto* at =
      std::ranges::find_if(kOperators, [&](const auto& one) { return one.first == name; });
  if (at == std::end(kOperators)) return {};
  Condition condition{.kind = at->second};
  switch (condition.kind) {
    case Term::kNumber:
      condition.number = rest.get<int64_t>();
      break;
    case Term::kText:
      condition.text = rest.get<std::string>();
      break;
    case Term::kField:
    case Term::kMessage:
      condition.path = rest.get<std::vector<std::string>>();
      break;
    case Term::kFrom:
    case Term::kSelf:
    case Term::kTimer:
      break;
    default:
      for (const json& part : rest) condition.parts.push_back(parse_condition(part));
      if (condition.parts.size() != operands_of(condition.kind)) return {};
  }
  return condition;
}

std::optional<bool> holds(const Condition& condition, const Moment& moment) {
  const auto part = [&](size_t which) { return holds(condition.parts[which], moment); };
  switch (condition.kind) {
    case Term::kUnknown:
      return std::nullopt;
    case Term::kNot: {
      const std::optional<bool> inner = part(0);
      return inner ? std::optional(!*inner) : std::nullopt;
    }
    case Term::kAnd:
      return decided(false, part(0), part(1));
    case Term::kOr:
      return decided(true, part(0), part(1));
    case Term::kHas: {
      const auto printed = print_of(condition.parts[0], moment);
      return printed ? std::optional(*printed != "none") : std::nullopt;
    }
    case Term::kEqual:
    case Term::kUnequal:
    case Term::kLess:
    case Term::kLessOrEqual:
    case Term::kMore:
    case Term::kMoreOrEqual:
      return compared(condition.kind, value_of(condition.parts[0], moment),
                      value_of(condition.parts[1], moment));
    default: {
      const auto number = number_of(value_of(condition, moment));
      return number ? std::optional(*number != 0) : std::nullopt;
    }
  }
}

std::optional<std::string> printed_member(std::string_view printed, std::string_view name) {
  const auto parts = printed_parts(printed);
  if (!parts || printed.empty() || printed.front() == '{' || printed.front() == '[') {
    return std::nullopt;
  }
  for (const std::string_view part : *parts) {
    const size_t colon = part.find(": ");
    if (colon != std::string_view::npos && part.substr(0, colon) == name) {
      return std::string(part.substr(colon + 2));
    }
  }
  return std::nullopt;
}

std::optional<int64_t> printed_size(std::string_view printed) {
  if (!printed.starts_with('{') && !printed.starts_with('[')) return std::nullopt;
  const auto parts = printed_parts(printed);
  return parts ? std::optional(static_cast<int64_t>(parts->size())) : std::nullopt;
}

}  // namespace clew::explore
