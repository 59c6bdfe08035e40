// What one rule derives at one tick, by trying every combination of facts.
//
// This is the definition of a rule's meaning, not an engine: no join order, no sharing with
// src/datalog or src/simulate. That facts are looked up by what is known of them is all that keeps
// large runs from taking for ever. Read it beside docs/language.md.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/stop.h"
#include "dedalus/ast.h"
#include "domain/fact.h"

namespace clew::twin {

using Tuple = std::vector<Datum>;

// The facts of one relation at one tick; also by what some of their columns hold.
class Extent {
 public:
  bool insert(const Tuple& tuple);  // false if it was there
  bool contains(const Tuple& tuple) const { return all_.contains(tuple); }
  const std::set<Tuple>& all() const { return all_; }
  // Those that hold these values in these columns. Until the next insert().
  const std::vector<const Tuple*>& with(const std::vector<size_t>& columns, const Tuple& values);

 private:
  struct Hash {
    size_t operator()(const Tuple& tuple) const;
  };
  using Index = std::unordered_map<Tuple, std::vector<const Tuple*>, Hash>;

  std::set<Tuple> all_;
  std::map<std::vector<size_t>, Index> by_columns_;  // of every choice that was asked for
};

using Facts = std::map<std::string, Extent>;  // by relation

// A run-time error: its code and where the guilty expression stands.
struct Failure {
  std::string code;  // "division-by-zero", "integer-overflow" or "wrong-type"
  Span span;

  friend bool operator==(const Failure&, const Failure&) = default;
  friend auto operator<=>(const Failure&, const Failure&) = default;
};

// Thrown when a run takes more steps than its twin may spend: tests pass over such runs.
struct GaveUp {};

// What rules see at one tick, and the failures that they meet.
struct World {
  Tick tick = 1;
  std::vector<Facts> history;        // by tick - 1; the last is `tick`'s, and still growing
  std::set<NodeName> alive;          // nodes at which rules fire
  std::set<NodeName> stopped;        // nodes at which nothing exists now
  std::set<NodeName> stopped_later;  // and at the next tick
  std::set<Failure> failures;        // of this tick: every binding that fails leaves one here
  uint64_t steps_left = 0;           // facts that may still be tried before GaveUp
  bool grounds = true;               // whether it is wanted why rows are there
  Watch watch{};                     // ends the run with Stopped
};

// One binding that satisfies a body, seen from the head: the value of every head column, where an
// aggregate's column holds the value of its variable.
struct Row {
  std::optional<NodeName> location;  // nothing: the rule is located anywhere
  Tuple columns;

  friend bool operator==(const Row&, const Row&) = default;
  friend auto operator<=>(const Row&, const Row&) = default;
};

// Why a row is there: the facts that were used and the absences (`p("a", _)`) that were relied on.
struct Ground {
  std::set<std::pair<Tick, Fact>> used;
  std::set<std::pair<Tick, std::string>> absent;

  friend bool operator==(const Ground&, const Ground&) = default;
  friend auto operator<=>(const Ground&, const Ground&) = default;
};

using Rows = std::map<Row, std::multiset<Ground>>;
using Tuples = std::map<Tuple, std::multiset<Ground>>;

// The rows of `rule` at world.tick. A binding whose evaluation fails gives no row but a Failure.
Rows rows_of(const dedalus::Clause& rule, World& world);

// The head's tuples: the rows themselves, or one tuple for every group if the head aggregates,
// which then rests on all that its rows rest on. Whoever gives no place for failures wants tuples
// anyway: sums then wrap and pass over strings.
Tuples head_tuples(const dedalus::Clause& rule, const Rows& rows, std::set<Failure>* failures);

bool has_aggregate(const dedalus::Clause& rule);
// The columns that are not aggregated: those that tell groups apart.
Tuple group_key(const dedalus::Clause& rule, const Tuple& tuple);

}  // namespace clew::twin
