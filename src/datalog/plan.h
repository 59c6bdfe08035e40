// A Plan is the order in which one rule's body is matched.
//
//   log(B, P)@next :- bcast(A, P), node(A, B), A != B;
//
//     scan bcast(X0, X1)
//     look up node(=X0, X2)
//     test X0 != X2
//     derive log(X2, X1)@next
//
// Positive atoms come in a greedy order: whichever has the most columns bound next, ties in written
// order. Conditions and absent atoms without operators follow as soon as their slots are bound, so
// that they guard everything that can fail; whatever contains an operator comes after all of them,
// in written order. For semi-naive evaluation a recursive rule has one Plan for each recursive
// atom, which starts with that atom's newest rows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "datalog/relation.h"
#include "datalog/rule.h"

namespace clew::datalog {

// A bound value: a slot's, or a constant.
struct Source {
  bool is_slot = false;
  Slot slot = 0;
  Value constant{};
};

struct ColumnSource {
  uint32_t column = 0;
  Source source;
};

struct ColumnSlot {
  uint32_t column = 0;
  Slot slot = 0;
};

struct Step {
  enum class Kind {
    kScan,      // every row of the range
    kLookup,    // every row that has the key in the index's columns
    kContains,  // the one row that has the key in all columns
    kAbsent,    // goes on if no row matches
    kTest,      // goes on if the condition holds
    kAssign,    // slot = expression
  };
  // Which rows of a recursive relation: all that are visible, those before the newest, the newest.
  enum class Range { kAll, kOld, kDelta };

  Kind kind = Kind::kScan;
  RelationId relation = 0;
  Range range = Range::kAll;
  bool recursive = false;       // the relation grows while the plan is carried out
  Relation::IndexId index = 0;  // kLookup; kAbsent with a partial key
  uint32_t position = 0;        // kScan, kLookup, kContains: which positive atom of the body
  std::vector<Source> key{};    // kLookup, kAbsent: the index's columns; kContains: all
  std::vector<uint32_t> key_columns{};  // the column of each value of the key
  uint32_t key_offset = 0;              // where the evaluator keeps the key's values
  bool whole_key = false;               // kAbsent: the key covers all columns
  std::vector<ColumnSource> checks{};   // columns that must equal something already bound
  std::vector<ColumnSlot> binds{};      // columns that bind a slot, before the repetitions below
  std::vector<ColumnSlot> repeats{};    // columns that must equal a slot bound by this very atom
  Expression left{}, right{};           // kTest; kAssign: left is the slot
  Comparison comparison = Comparison::kEqual;
};

struct Plan {
  RuleId rule = 0;
  std::vector<Step> steps;
  uint32_t slots = 0;       // the rule's and those that the plan adds
  uint32_t positives = 0;   // positive atoms of the rule
  uint32_t key_values = 0;  // how many values all keys have together
};

// Plans `rules.rules[rule]`, adding the indexes that it needs to `relations`. `delta` is the
// position among the rule's positive atoms that ranges over the newest rows; `recursive[r]` tells
// whether relation r is derived in the rule's own stratum.
Plan make_plan(const RuleSet& rules, RuleId rule, std::optional<uint32_t> delta,
               const std::vector<bool>& recursive, std::vector<Relation>& relations);

// The lines of the example above.
std::string print(const Plan& plan, const RuleSet& rules, const ValueTable& values);

}  // namespace clew::datalog
