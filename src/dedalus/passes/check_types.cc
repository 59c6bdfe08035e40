// Looks at each rule with the column types at hand. A variable may hold what all the columns that
// bind it may hold. An operand whose possible types are known and are not what its operator needs
// is an error; a literal that cannot match, or a comparison that is decided, because of types is
// worth a warning. What only mixed columns decide is left to the run.
#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <unordered_map>

#include "dedalus/passes/passes.h"
#include "dedalus/passes/wording.h"

namespace clew::dedalus {
namespace {

constexpr ColumnType kInteger = {true, false};
constexpr ColumnType kString = {false, true};
constexpr ColumnType kUnknown = {false, false};
constexpr ColumnType kEither = {true, true};

bool is_known(ColumnType type) { return type.integer || type.string; }

ColumnType common(ColumnType a, ColumnType b) {
  return {a.integer && b.integer, a.string && b.string};
}

bool are_disjoint(ColumnType a, ColumnType b) {
  return is_known(a) && is_known(b) && !is_known(common(a, b));
}

const char* described(ColumnType type) { return type.integer ? "an integer" : "a string"; }

// Where a variable gets its values.
struct Binding {
  const Atom* atom = nullptr;
  size_t column = 0;
  ColumnType type;
};

struct Variable {
  ColumnType type = kEither;
  Binding first;  // `atom` is null if only the location binds it
};

class RuleTypes {
 public:
  RuleTypes(const Clause& rule, Draft& draft)
      : rule_(rule), draft_(draft), location_(location_of(rule)) {}

  void check() {
    bind_variables();
    check_location();
    for (const Literal& literal : rule_.body) {
      if (literal.kind == Literal::Kind::kCondition) {
        check_comparison(literal.condition);
      } else {
        check_arguments(literal);
      }
    }
    check_head();
  }

 private:
  ColumnType column_type(const Atom& atom, size_t column) {
    const std::vector<ColumnType>& columns = draft_.relation_of(atom).columns;
    return column < columns.size() ? columns[column] : kUnknown;
  }

  void bind_variables() {
    for (const Literal& literal : rule_.body) {
      if (literal.kind != Literal::Kind::kPositive) continue;
      for (size_t i = 0; i < literal.atom.args.size(); ++i) {
        const Term& arg = literal.atom.args[i];
        if (arg.kind == Term::Kind::kVariable) bind(arg, literal.atom, i);
      }
    }
  }

  void bind(const Term& arg, const Atom& atom, size_t column) {
    const Binding binding{&atom, column, column_type(atom, column)};
    auto [entry, is_new] = variables_.try_emplace(arg.text);
    Variable& variable = entry->second;
    if (is_new) {
      variable = {binding.type, binding};
      return;
    }
    if (are_disjoint(variable.type, binding.type)) warn_join(arg, variable.first, binding);
    variable.type = common(variable.type, binding.type);
  }

  void warn_join(const Term& arg, const Binding& first, const Binding& other) {
    draft_.diagnostics
        .warning(
            "never-matches", arg.span,
            fmt::format("{} is {} here but {} elsewhere: this rule never fires", name_of(arg.text),
                        described(other.type), other.type.integer ? "a string" : "an integer"),
            "join columns that hold the same type")
        .notes.push_back({first.atom->args[first.column].span,
                          fmt::format("{} gets its values here", name_of(arg.text))});
  }

  // A location is the name of a node, which is a string.
  void check_location() {
    if (location_.kind == Location::Kind::kNowhere) {
      warn_not_a_node(location_.span, "an integer is not a node: this rule never fires");
    }
    if (location_.kind != Location::Kind::kVariable) return;
    Variable& variable = variables_[location_.text];
    if (are_disjoint(variable.type, kString)) {
      warn_not_a_node(location_.span, fmt::format("{} is an integer, not a node: this rule never "
                                                  "fires",
                                                  name_of(location_.text)));
    }
    variable.type = common(variable.type, kString);
  }

  void warn_not_a_node(Span span, std::string message) {
    draft_.diagnostics.warning(
        "not-a-node", span, std::move(message),
        "nodes are strings; the first column of the body says where the rule fires");
  }

  void check_arguments(const Literal& literal) {
    for (size_t i = 0; i < literal.atom.args.size(); ++i) {
      const Term& arg = literal.atom.args[i];
      const bool binds =
          literal.kind == Literal::Kind::kPositive && arg.kind == Term::Kind::kVariable;
      const bool is_location = arg.span == location_.span;
      if (binds || (is_location && location_.kind == Location::Kind::kNowhere)) continue;
      const ColumnType column = column_type(literal.atom, i);
      const ColumnType type = type_of(arg);
      if (are_disjoint(type, column)) warn_argument(literal, arg, type, column, i);
    }
  }

  void warn_argument(const Literal& literal, const Term& arg, ColumnType type, ColumnType column,
                     size_t index) {
    const char* consequence = literal.kind == Literal::Kind::kPositive
                                  ? "this rule never fires"
                                  : "this `notin` always holds";
    Diagnostic& diagnostic = draft_.diagnostics.warning(
        "never-matches", arg.span,
        fmt::format("column {} of {} never holds {}: {}", index + 1, name_of(literal.atom.relation),
                    described(type), consequence),
        "compare with a value of the type that the column holds");
    add_origin(diagnostic, draft_.index_of(literal.atom), index, column);
  }

  // Says what makes a column hold what it does; nothing does for `crash`.
  void add_origin(Diagnostic& diagnostic, RelationIndex relation, size_t column, ColumnType type) {
    if (relation == 0) return;
    const ColumnOrigin& origin = draft_.origins[relation][column];
    diagnostic.notes.push_back(
        {type.integer ? origin.integer : origin.string,
         fmt::format("column {} of {} gets {} here", column + 1,
                     name_of(draft_.program.relations[relation].name), described(type))});
  }

  void check_comparison(const Term& condition) {
    const ColumnType left = type_of(condition.operands[0]);
    const ColumnType right = type_of(condition.operands[1]);
    if (!are_disjoint(left, right)) return;
    const std::strong_ordering order =
        left.integer ? std::strong_ordering::less : std::strong_ordering::greater;
    Diagnostic& diagnostic = draft_.diagnostics.warning(
        "wrong-comparison", condition.span,
        fmt::format("this compares {} with {}, and integers come before strings: it {} holds",
                    described(left), described(right),
                    holds_for(to_comparison(condition.op), order) ? "always" : "never"),
        "compare two integers or two strings");
    explain(diagnostic, condition.operands[0]);
    explain(diagnostic, condition.operands[1]);
  }

  // Where the type of a variable comes from.
  void explain(Diagnostic& diagnostic, const Term& term) {
    if (term.kind != Term::Kind::kVariable && term.kind != Term::Kind::kAggregate) return;
    auto found = variables_.find(term.text);
    if (found == variables_.end() || found->second.first.atom == nullptr) return;
    const Binding& binding = found->second.first;
    diagnostic.notes.push_back({binding.atom->args[binding.column].span,
                                fmt::format("{} is column {} of {}", name_of(term.text),
                                            binding.column + 1, name_of(binding.atom->relation))});
    add_origin(diagnostic, draft_.index_of(*binding.atom), binding.column, found->second.type);
  }

  void check_head() {
    std::vector<ColumnType> types;
    types.reserve(rule_.head.args.size());
    for (const Term& arg : rule_.head.args) types.push_back(type_of(arg));
    if (rule_.head.time.kind != TimeSuffix::Kind::kAsync || types.empty()) return;
    if (!are_disjoint(types.front(), kString)) return;
    const Term& destination = rule_.head.args.front();
    Diagnostic& diagnostic = draft_.diagnostics.warning(
        "not-a-node", destination.span, "an integer is not a node: this message is never sent",
        "nodes are strings; the first column of an `@async` head says who receives it");
    explain(diagnostic, destination);
  }

  // What `term` may be; reports operands that are wrong.
  ColumnType type_of(const Term& term) {
    switch (term.kind) {
      case Term::Kind::kInteger:
        return kInteger;
      case Term::Kind::kString:
        return kString;
      case Term::Kind::kWildcard:
        return kUnknown;
      case Term::Kind::kVariable:
        return type_of_variable(term.text);
      case Term::Kind::kAggregate:
        return type_of_aggregate(term);
      case Term::Kind::kBinary:
        return type_of_binary(term);
    }
    return kUnknown;
  }

  ColumnType type_of_variable(const std::string& name) const {
    auto found = variables_.find(name);
    return found == variables_.end() ? kUnknown : found->second.type;
  }

  ColumnType type_of_aggregate(const Term& term) {
    ColumnType type = type_of_variable(term.text);
    if (term.function == AggregateFunction::kCount) return kInteger;
    if (term.function != AggregateFunction::kSum) return type;
    if (are_disjoint(type, kInteger)) {
      Diagnostic& diagnostic = draft_.diagnostics.error(
          "wrong-type", term.span,
          fmt::format("`sum` needs integers, but {} is a string", name_of(term.text)),
          "`count`, `min` and `max` work on strings");
      explain(diagnostic, term);
    }
    return kInteger;
  }

  ColumnType type_of_binary(const Term& term) {
    const ColumnType left = type_of(term.operands[0]);
    const ColumnType right = type_of(term.operands[1]);
    if (term.op != Op::kAdd) {
      check_operand(term, term.operands[0], left);
      check_operand(term, term.operands[1], right);
      return common(kInteger, common(left, right));
    }
    if (are_disjoint(left, right)) {
      Diagnostic& diagnostic = draft_.diagnostics.error(
          "wrong-type", term.span,
          fmt::format("`+` cannot join {} and {}", described(left), described(right)),
          "`+` adds two integers or joins two strings");
      explain(diagnostic, term.operands[0]);
      explain(diagnostic, term.operands[1]);
    }
    return common(left, right);
  }

  void check_operand(const Term& term, const Term& operand, ColumnType type) {
    if (!are_disjoint(type, kInteger)) return;
    const bool is_variable = operand.kind == Term::Kind::kVariable;
    Diagnostic& diagnostic = draft_.diagnostics.error(
        "wrong-type", operand.span,
        fmt::format("`{}` needs integers, but {} is a string", symbol(term.op),
                    is_variable ? name_of(operand.text) : "this"),
        "only `+` works on strings: it joins them");
    explain(diagnostic, operand);
  }

  const Clause& rule_;
  Draft& draft_;
  Location location_;
  std::unordered_map<std::string_view, Variable> variables_;
};

}  // namespace

void check_types(Draft& draft) {
  for (const Clause& clause : draft.clauses) {
    if (clause.kind == Clause::Kind::kRule) RuleTypes(clause, draft).check();
  }
}

}  // namespace clew::dedalus
