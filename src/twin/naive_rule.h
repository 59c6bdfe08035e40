// What one rule derives at one tick, by trying every combination of facts.
//
// This is the definition of a rule's meaning, not an engine: no indexes, no join order, no sharing
// with src/datalog or src/simulate. Read it beside docs/language.md.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "dedalus/ast.h"
#include "domain/fact.h"

namespace clew::twin {

using Tuple = std::vector<Datum>;
using Facts = std::map<std::string, std::set<Tuple>>;  // by relation

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

}  // namespace clew::twin
