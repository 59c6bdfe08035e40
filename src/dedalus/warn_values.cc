// Warnings about what no value brings about: rules that never fire, messages that are never sent,
// and variables that stand where their name was meant.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "dedalus/column_values.h"
#include "dedalus/passes/wording.h"

namespace clew::dedalus {

namespace {

constexpr size_t kMostListed = 6;

// `"a", "b" or "c"`
std::string list(const ValueSet& values, const char* last) {
  const std::vector<std::string> all(values.values().begin(), values.values().end());
  const size_t shown = std::min(all.size(), kMostListed);
  std::string text;
  for (size_t i = 0; i < shown; ++i) {
    const bool at_end = i + 1 == all.size();
    if (i > 0) text += at_end ? fmt::format(" {} ", last) : ", ";
    text += all[i].size() > 60 ? "..." : all[i];
  }
  return all.size() > shown ? text + ", ..." : text;
}

bool holds(const ValueSet& values, bool strings) {
  if (values.is_anything()) return true;
  return std::ranges::any_of(
      values.values(), [&](const std::string& value) { return value.starts_with('"') == strings; });
}

std::string column_of(const Hindrance& hindrance) {
  return fmt::format("column {} of {}", hindrance.column + 1, name_of(hindrance.atom->relation));
}

class ValueWarnings {
 public:
  ValueWarnings(const Program& program, const ColumnValues& values, Diagnostics& diagnostics)
      : program_(program), values_(values), diagnostics_(diagnostics) {}

  void warn(const Hindrance& hindrance) {
    switch (hindrance.kind) {
      case Hindrance::Kind::kLocation:
        return warn_no_node(hindrance, "this rule never fires",
                            "a rule fires at the node in the first column of its first relation");
      case Hindrance::Kind::kDestination:
        return warn_no_node(hindrance, "this message is never sent",
                            "the first column of an `@async` head says who receives it");
      case Hindrance::Kind::kConstant:
        return warn_constant(hindrance);
      case Hindrance::Kind::kJoin:
        return warn_join(hindrance);
      case Hindrance::Kind::kCondition:
        diagnostics_.warning("never-matches", hindrance.term->span,
                             "no values make this true: this rule never fires",
                             "compare with a value that the column holds, or remove the rule");
    }
  }

  void warn_bare_strings(const Clause& rule) {
    std::map<std::string, std::vector<Use>> uses;
    for (const Term& arg : rule.head.args) find_uses(arg, nullptr, 0, uses);
    for (const Literal& literal : rule.body) {
      find_uses(literal.condition, nullptr, 0, uses);
      for (size_t i = 0; i < literal.atom.args.size(); ++i) {
        find_uses(literal.atom.args[i], &literal.atom, i, uses);
      }
    }
    for (const auto& use_of : uses) {
      const std::string& name = use_of.first;
      const std::vector<Use>& places = use_of.second;
      const bool lower = name[0] >= 'a' && name[0] <= 'z';
      const auto meant = [&](const Use& use) { return is_string_meant(name, use); };
      if (lower && std::ranges::all_of(places, meant)) warn_bare(name, places.front());
    }
  }

 private:
  struct Use {
    const Term* term;
    const Atom* atom;  // that it is a plain argument of, if it is one
    size_t column;
  };

  static void find_uses(const Term& term, const Atom* atom, size_t column,
                        std::map<std::string, std::vector<Use>>& uses) {
    const bool named = term.kind == Term::Kind::kVariable || term.kind == Term::Kind::kAggregate;
    if (named) uses[term.text].push_back({&term, atom, column});
    for (const Term& operand : term.operands) find_uses(operand, nullptr, 0, uses);
  }

  const ValueSet& values_at(const Atom& atom, size_t column) const {
    return values_.of(program_.relation_index.at(atom.relation), column);
  }

  // The column holds the name as a string, and something else besides: it makes a difference.
  bool is_string_meant(const std::string& name, const Use& use) const {
    if (use.atom == nullptr) return false;
    const ValueSet& values = values_at(*use.atom, use.column);
    return !values.is_anything() && values.values().size() > 1 && values.may_be('"' + name + '"');
  }

  void warn_bare(const std::string& name, const Use& use) {
    diagnostics_.warning(
        "bare-string", use.term->span,
        fmt::format("{} is a variable here, which matches {} as well", name_of(name),
                    others(name, values_at(*use.atom, use.column))),
        fmt::format("write {} if that string is meant, or `_` if anything is", string_of(name)));
  }

  static std::string others(const std::string& name, const ValueSet& values) {
    ValueSet rest;
    for (const std::string& value : values.values()) {
      if (value != '"' + name + '"') rest.insert(value);
    }
    return list(rest, "and");
  }

  void warn_no_node(const Hindrance& hindrance, const char* consequence, const char* rule) {
    if (!holds(hindrance.values, true)) return;  // integers: check_types has said so
    diagnostics_.warning(
        "not-a-node", hindrance.term->span,
        fmt::format("{} is never a node: {}", name_of(hindrance.term->text), consequence),
        fmt::format("it can only be {}; {}", list(hindrance.values, "or"), rule));
  }

  void warn_constant(const Hindrance& hindrance) {
    const Term& term = *hindrance.term;
    if (!holds(hindrance.values, term.kind == Term::Kind::kString)) return;  // likewise
    diagnostics_.warning(
        "never-matches", term.span,
        fmt::format("{} never holds {}: this rule never fires", column_of(hindrance),
                    term.kind == Term::Kind::kString ? string_of(term.text) : value_of(term)),
        fmt::format("it can only hold {}", list(hindrance.values, "or")));
  }

  void warn_join(const Hindrance& hindrance) {
    const ValueSet& here = values_at(*hindrance.atom, hindrance.column);
    const bool typed = (holds(here, true) && holds(hindrance.values, true)) ||
                       (holds(here, false) && holds(hindrance.values, false));
    if (!typed) return;  // likewise
    diagnostics_.warning(
        "never-matches", hindrance.term->span,
        fmt::format("{} would have to be {} here, but {} elsewhere: this rule never fires",
                    name_of(hindrance.term->text), list(here, "or"), list(hindrance.values, "or")),
        "join columns that hold the same values");
  }

  const Program& program_;
  const ColumnValues& values_;
  Diagnostics& diagnostics_;
};

}  // namespace

void warn_values(const Program& program, const std::vector<std::string>& nodes,
                 Diagnostics& diagnostics) {
  const ColumnValues values(program, nodes);
  ValueWarnings warnings(program, values, diagnostics);
  for (const Hindrance& hindrance : values.hindrances()) warnings.warn(hindrance);
  for (const Clause& rule : program.rules) warnings.warn_bare_strings(rule);
}

}  // namespace clew::dedalus
