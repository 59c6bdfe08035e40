// Which values each column of a relation can ever hold, and which rules can therefore never fire.
//
//   ColumnValues values(program, nodes);
//   values.of(relation, 1).may_be("\"yes\"");   // some run may have "yes" in the second column
//   for (const Hindrance& hindrance : values.hindrances()) ...
//
// The basic idea: constants flow from facts and heads through the columns that variables join. A
// rule can fire if every variable is left a value that all columns it stands in may hold, and its
// location one that is a node; then its head passes these values on. Starting from the facts,
// whatever follows is added until nothing new does. What is calculated may be anything, and so may
// a column with very many values. Faults, ticks and what is absent play no part: whatever a run
// derives is among the values, but not all values need come about.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "dedalus/program.h"

namespace clew::dedalus {

// Values as they are printed: strings in quotes, integers without.
class ValueSet {
 public:
  static ValueSet anything();

  bool is_anything() const { return anything_; }
  bool empty() const { return !anything_ && values_.empty(); }
  const std::set<std::string>& values() const { return values_; }  // unless it is anything
  bool may_be(const std::string& value) const { return anything_ || values_.contains(value); }

  void insert(const std::string& value);
  // Both give whether that changed anything.
  bool add(const ValueSet& other);
  bool keep_common(const ValueSet& other);

 private:
  // With more values a column counts as one that may hold anything.
  static constexpr size_t kMostValues = 32;

  bool anything_ = false;
  std::set<std::string> values_;
};

// The value of a constant, as it is printed.
std::string value_of(const Term& constant);

// Why no value lets a rule fire, or its message be sent, although all that it reads may hold.
struct Hindrance {
  enum class Kind {
    kLocation,     // the variable `term` is where the rule fires, and never a node
    kDestination,  // the variable `term` is who gets the message, and never a node
    kConstant,     // `term` is matched with a column that never holds it
    kJoin,         // the variable `term` is never the same in all columns that it stands in
    kCondition,    // `term`, a comparison, is false for all values
  };
  Kind kind = Kind::kJoin;
  size_t rule = 0;             // of Program::rules
  const Term* term = nullptr;  // in the Program
  const Atom* atom = nullptr;  // that `term` is an argument of, if it is one
  size_t column = 0;           // of `atom`
  ValueSet values{};           // what is there instead: in the column, or left for the variable
};

class ColumnValues {
 public:
  // Both outlive this.
  ColumnValues(const Program& program, const std::vector<std::string>& nodes);

  // Anything, if there were too many rules to follow.
  const ValueSet& of(RelationIndex relation, size_t column) const;
  // One for each rule, in their order. Of rules that only wait for others there is none.
  std::vector<Hindrance> hindrances() const;

 private:
  struct Attempt;  // to fire a rule

  void add_facts();
  void follow_rules();
  bool derive(const Atom& head, const Attempt& attempt);
  bool is_filled(const Atom& atom) const { return filled_[index_of(atom)]; }
  RelationIndex index_of(const Atom& atom) const {
    return program_.relation_index.at(atom.relation);
  }

  const Program& program_;
  ValueSet nodes_;
  std::vector<std::vector<ValueSet>> columns_;  // by relation and column
  std::vector<bool> filled_;                    // by relation: some fact may be there
  bool gave_up_ = false;
};

// Warns about rules that never fire, messages that are never sent, and variables that stand where a
// string was plainly meant. A part of check_nodes().
void warn_values(const Program& program, const std::vector<std::string>& nodes,
                 Diagnostics& diagnostics);

}  // namespace clew::dedalus
