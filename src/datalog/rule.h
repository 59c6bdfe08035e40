// Rules as the engine takes them: relations by number, variables by slot.
//
//   path(X, Z) :- edge(X, Y), path(Y, Z);
//
//   Rule rule{.head = path, .head_args = {slot(0), slot(2)}, .slots = 3};
//   rule.body.push_back(positive(edge, {slot(0), slot(1)}));
//   rule.body.push_back(positive(path, {slot(1), slot(2)}));
//
// A slot that occurs as a plain argument of a positive atom is bound by it. A slot that occurs only
// in an absent atom is existential there: `notin p(X, Y)` means that no p(X, ...) exists.
// Conditions and arguments with operators filter; they bind nothing.
//
// The Engine takes rules that are well-formed:
// (1) Every relation that a rule names is declared.
// (2) Every atom and every head has as many arguments as its relation has columns.
// (3) Slots are numbered below Rule::slots, and a positive atom binds each one of the head.
// (4) An aggregating rule reads one positive atom, whose arguments are all any(), and has a fold
//     and a place for each of its columns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/arithmetic.h"
#include "datalog/value.h"

namespace clew::datalog {

using RelationId = uint32_t;
using RuleId = uint32_t;
using Slot = uint32_t;

using clew::Comparison;
using clew::Operator;

struct Expression {
  enum class Kind { kAny, kSlot, kConstant, kOperator };

  Kind kind = Kind::kAny;  // kAny: a wildcard; only as a plain argument in a body
  Slot slot = 0;
  Value constant{};
  Operator op = Operator::kAdd;
  std::vector<Expression> operands{};
  uint32_t place = 0;  // the caller's number for where it was written; errors carry it

  bool is_plain() const { return kind != Kind::kOperator; }
};

inline Expression any() { return {}; }
inline Expression slot(Slot slot) { return {.kind = Expression::Kind::kSlot, .slot = slot}; }
inline Expression constant(Value value) {
  return {.kind = Expression::Kind::kConstant, .constant = value};
}

struct BodyItem {
  enum class Kind { kPositive, kAbsent, kCondition };

  Kind kind = Kind::kPositive;
  RelationId relation = 0;       // kPositive, kAbsent
  std::vector<Expression> args;  // of the atom; kCondition: left and right
  Comparison comparison = Comparison::kEqual;

  bool is_plain() const;  // no operator in it
};

inline BodyItem positive(RelationId relation, std::vector<Expression> args) {
  return {BodyItem::Kind::kPositive, relation, std::move(args)};
}
inline BodyItem absent(RelationId relation, std::vector<Expression> args) {
  return {BodyItem::Kind::kAbsent, relation, std::move(args)};
}
inline BodyItem condition(Comparison comparison, Expression left, Expression right) {
  return {BodyItem::Kind::kCondition, 0, {std::move(left), std::move(right)}, comparison};
}

// A column of an aggregating head: kGroup passes a column of the source on, the others fold it.
enum class Fold { kGroup, kCount, kSum, kMin, kMax };

struct Rule {
  RelationId head = 0;
  bool to_next_frame = false;
  // Derives into the current frame, but only rules into the next frame depend on it: it is applied
  // when they are.
  bool only_for_next_frame = false;
  // Such a rule, of which the last frame shows what it derives: see Engine::show_last.
  bool shown_in_last_frame = false;

  // A joining rule: head_args over the slots that the body binds.
  std::vector<Expression> head_args{};
  uint32_t slots = 0;
  std::vector<BodyItem> body{};

  // An aggregating rule, if not empty: groups the rows of body[0], a positive atom whose arguments
  // are all any(), with one fold for each column; the head has the same columns.
  std::vector<Fold> folds{};
  std::vector<uint32_t> fold_places{};  // by column; errors of a fold carry it
  // If set, the rule derives every fold of a non-empty set of rows that includes those which this
  // relation holds, and not only the fold of all rows. Each firing uses the whole group.
  std::optional<RelationId> at_least{};

  uint32_t place = 0;               // the caller's number; errors carry it
  bool applied_by_user = false;     // the engine leaves it alone: see Engine::derive_next
  bool only_in_last_frame = false;  // applied only by an evaluation without a next frame
  bool unlogged = false;            // its firings are not kept

  bool aggregates() const { return !folds.empty(); }
};

struct RelationDecl {
  std::string name;
  uint32_t arity = 0;
  bool permanent = false;  // holds in every frame
};

struct RuleSet {
  std::vector<RelationDecl> relations;
  std::vector<Rule> rules;

  RelationId declare(std::string name, uint32_t arity, bool permanent = false);
};

// CHECKs the above.
void check_well_formed(const RuleSet& rules);

std::string print(const Expression& expression, const ValueTable& values);
std::string print(const BodyItem& item, const RuleSet& rules, const ValueTable& values);
// `path(X0, X2) :- edge(X0, X1), path(X1, X2);`, with `@next` if it derives into the next frame.
std::string print(const Rule& rule, const RuleSet& rules, const ValueTable& values);
std::string print(const RuleSet& rules, const ValueTable& values);

}  // namespace clew::datalog
