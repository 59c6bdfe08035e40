// The facts that are possible under some fault set, and what each means.
//
// A FactId stands for its fact for good. A literal of kTrue: it is certain, whatever fails. Facts
// that are not here are false.
//
// (1) A fact's literal is known once its relation is settled at its tick; nothing is negated
// before.
#pragma once

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "dedalus/program.h"
#include "verify/circuit.h"
#include "verify/values.h"

namespace clew::verify {

using dedalus::RelationIndex;
using FactId = uint32_t;

// One way to derive a fact that is part of a recursion: `holds`, which needs `used` of its own
// tick.
struct RecursiveFiring {
  Lit holds = kFalse;
  std::vector<FactId> used;
};

struct PossibleFact {
  RelationIndex relation = 0;
  Tick tick = 1;
  Tuple tuple;
  std::optional<Lit> lit;
  std::vector<Lit> supports;             // each suffices; only until it is settled
  std::vector<RecursiveFiring> firings;  // only of facts that are part of a recursion
};

class Facts {
 public:
  explicit Facts(const dedalus::Program& program) : program_(program) {}

  // The fact, made possible if it was not.
  FactId add(RelationIndex relation, Tick tick, const Tuple& tuple);
  std::optional<FactId> find(RelationIndex relation, Tick tick, const Tuple& tuple) const;

  PossibleFact& at(FactId fact) { return facts_[fact]; }
  const PossibleFact& at(FactId fact) const { return facts_[fact]; }
  size_t size() const { return facts_.size(); }

  // All facts of a relation at a tick, in the order added.
  const std::vector<FactId>& all(RelationIndex relation, Tick tick);
  // Those whose column holds the value.
  const std::vector<FactId>& with(RelationIndex relation, Tick tick, size_t column, ValueId value);

 private:
  struct Column {
    size_t indexed = 0;  // how many of the rows
    std::unordered_map<ValueId, std::vector<FactId>> rows;
  };
  struct Extent {
    std::vector<FactId> rows;
    std::unordered_map<Tuple, FactId, TupleHash> ids;
    std::vector<Column> columns;
  };
  Extent& extent(RelationIndex relation, Tick tick);

  const dedalus::Program& program_;
  std::vector<PossibleFact> facts_;
  std::vector<std::vector<std::unique_ptr<Extent>>> extents_;  // by tick - 1, by relation
};

}  // namespace clew::verify
