// What an engine has evaluated of a lowered Program, one frame a tick, as people read it.
//
// Whoever evaluates keeps a Mark of the moment before each tick. The rows of a relation at a tick
// are then those from one Mark to the next.
#pragma once

#include <span>

#include "datalog/engine.h"
#include "dedalus/lower.h"
#include "dedalus/program.h"
#include "domain/run.h"

namespace clew::microspec {

struct Frames {  // what it refers to outlives it
  const dedalus::Program& program;
  const dedalus::Lowered& lowered;
  const datalog::Engine& engine;
  std::span<const datalog::Engine::Mark> entered;  // by tick - 1: before anything was inserted

  struct Rows {
    datalog::Row begin;
    datalog::Row end;
  };

  Tick last_tick() const { return static_cast<Tick>(entered.size()); }
  // The rows of a relation that hold at a tick.
  Rows rows_at(datalog::RelationId relation, Tick tick) const;
  // The tick of a row (not of a permanent relation).
  Tick tick_of(datalog::RelationId relation, datalog::Row row) const;

  // The Fact in one row of a relation, without the first `skip` columns.
  Fact fact(datalog::RelationId relation, datalog::Row row, uint32_t skip = 0) const;
  Datum datum(datalog::Value value) const;
};

}  // namespace clew::microspec
