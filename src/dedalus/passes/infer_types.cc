// States what flows into which column and lets TypeInference draw the conclusions. Warns where a
// column begins to mix integers and strings, but not about the columns that inherit it.
#include <fmt/format.h>

#include <string>
#include <unordered_map>

#include "dedalus/passes/passes.h"
#include "dedalus/passes/types.h"
#include "dedalus/passes/wording.h"

namespace clew::dedalus {
namespace {

class ColumnTypes {
 public:
  explicit ColumnTypes(Draft& draft) : draft_(draft) {
    Cell next_column = types_.add_cells(count_columns());
    for (const RelationInfo& relation : draft_.program.relations) {
      first_column_.push_back(next_column);
      next_column += relation.arity;
    }
    for (uint32_t i = 0; i < 3; ++i) {
      types_.imply({}, i < 2 ? Type::kString : Type::kInteger, column_cell(0, i));
    }
    for (RelationIndex r = 0; r < first_column_.size(); ++r) {
      if (draft_.program.relations[r].given) assume_anything(r);
    }
  }

  void infer() {
    for (const Clause& clause : draft_.clauses) {
      if (clause.kind == Clause::Kind::kRule) {
        if (location_of(clause).kind == Location::Kind::kNowhere) continue;
        bind_variables(clause);
      }
      for (size_t i = 0; i < clause.head.args.size(); ++i) {
        const Term& arg = clause.head.args[i];
        types_.flow(cell_of(arg), column_cell(draft_.index_of(clause.head), i), arg.span);
      }
    }
    types_.run();
  }

  void fill_in() {
    for (RelationIndex r = 0; r < first_column_.size(); ++r) {
      RelationInfo& relation = draft_.program.relations[r];
      std::vector<ColumnOrigin>& origins = draft_.origins.emplace_back();
      for (uint32_t i = 0; i < relation.arity; ++i) {
        const Cell cell = column_cell(r, i);
        relation.columns[i] = {types_.may_be(cell, Type::kInteger),
                               types_.may_be(cell, Type::kString)};
        origins.push_back(
            {types_.origin(cell, Type::kInteger), types_.origin(cell, Type::kString)});
        if (types_.begins_to_mix(cell)) warn_mixed(relation, i, origins.back());
      }
    }
  }

 private:
  void assume_anything(RelationIndex relation) {
    for (uint32_t i = 0; i < draft_.program.relations[relation].arity; ++i) {
      for (const Type type : kTypes) types_.imply({}, type, column_cell(relation, i));
    }
  }

  uint32_t count_columns() const {
    uint32_t count = 0;
    for (const RelationInfo& relation : draft_.program.relations) count += relation.arity;
    return count;
  }

  // A column beyond the arity comes from a clash that has been reported.
  Cell column_cell(RelationIndex relation, size_t column) const {
    if (column >= draft_.program.relations[relation].arity) return types_.unknown();
    return first_column_[relation] + static_cast<Cell>(column);
  }

  struct Variable {
    Cell cell = 0;
    std::vector<Cell> columns = {};  // that bind it
  };

  Variable& variable(const std::string& name) {
    auto [entry, is_new] = variable_index_.try_emplace(name, variables_.size());
    if (is_new) variables_.push_back({types_.add_cells(1)});
    return variables_[entry->second];
  }

  void bind_variables(const Clause& rule) {
    variables_.clear();
    variable_index_.clear();
    const Location location = location_of(rule);
    const bool at_variable = location.kind == Location::Kind::kVariable;
    const Cell at = at_variable ? variable(location.text).cell : types_.unknown();
    for (const Literal& literal : rule.body) {
      if (literal.kind == Literal::Kind::kPositive) bind_by(literal.atom);
    }
    for (const Variable& each : variables_) {
      types_.imply(each.columns, Type::kString, each.cell);
      if (each.cell != at) types_.imply(each.columns, Type::kInteger, each.cell);
    }
  }

  void bind_by(const Atom& atom) {
    const RelationIndex relation = draft_.index_of(atom);
    for (size_t i = 0; i < atom.args.size(); ++i) {
      const Term& arg = atom.args[i];
      if (arg.kind != Term::Kind::kVariable) continue;
      variable(arg.text).columns.push_back(column_cell(relation, i));
    }
  }

  Cell variable_cell(const std::string& name) const {
    auto found = variable_index_.find(name);
    return found == variable_index_.end() ? types_.unknown() : variables_[found->second].cell;
  }

  Cell cell_of(const Term& term) {
    switch (term.kind) {
      case Term::Kind::kInteger:
        return types_.integer();
      case Term::Kind::kString:
        return types_.string();
      case Term::Kind::kWildcard:
        return types_.unknown();
      case Term::Kind::kVariable:
        return variable_cell(term.text);
      case Term::Kind::kAggregate:
        return aggregate_cell(term);
      case Term::Kind::kBinary:
        return binary_cell(term);
    }
    return types_.unknown();
  }

  Cell aggregate_cell(const Term& term) {
    const bool selects =
        term.function == AggregateFunction::kMin || term.function == AggregateFunction::kMax;
    return selects ? variable_cell(term.text) : types_.integer();
  }

  Cell binary_cell(const Term& term) {
    const Cell left = cell_of(term.operands[0]);
    const Cell right = cell_of(term.operands[1]);
    const Cell cell = types_.add_cells(1);
    types_.imply({left, right}, Type::kInteger, cell);
    if (term.op == Op::kAdd) types_.imply({left, right}, Type::kString, cell);
    return cell;
  }

  void warn_mixed(const RelationInfo& relation, uint32_t column, const ColumnOrigin& origin) {
    const bool string_is_later = origin.integer < origin.string;
    const Note integers{origin.integer, "an integer gets there here"};
    const Note strings{origin.string, "a string gets there here"};
    draft_.diagnostics
        .warning("mixed-column", string_is_later ? origin.string : origin.integer,
                 fmt::format("column {} of {} holds both integers and strings", column + 1,
                             name_of(relation.name)),
                 "give the column one type; operators fail on the other when the program runs")
        .notes.push_back(string_is_later ? integers : strings);
  }

  Draft& draft_;
  TypeInference types_;
  std::vector<Cell> first_column_;   // by relation
  std::vector<Variable> variables_;  // of the rule at hand
  std::unordered_map<std::string, size_t> variable_index_;
};

}  // namespace

void infer_types(Draft& draft) {
  if (!draft.complete) return;
  ColumnTypes types(draft);
  types.infer();
  types.fill_in();
}

}  // namespace clew::dedalus
