#include "dedalus/passes/types.h"

#include "base/check.h"

namespace clew::dedalus {

TypeInference::TypeInference() : cells_(3) {
  imply({}, Type::kInteger, integer());
  imply({}, Type::kString, string());
}

Cell TypeInference::add_cells(uint32_t count) {
  auto first = static_cast<Cell>(cells_.size());
  cells_.resize(cells_.size() + count);
  return first;
}

void TypeInference::imply(const std::vector<Cell>& premises, Type type, Cell cell) {
  Implication implication;
  implication.type = type;
  implication.cell = cell;
  add(premises, implication);
}

void TypeInference::flow(Cell source, Cell column, Span span) {
  for (const Type type : kTypes) {
    Implication implication;
    implication.type = type;
    implication.cell = column;
    implication.source = source;
    implication.is_flow = true;
    implication.span = span;
    add({source}, implication);
  }
}

void TypeInference::add(const std::vector<Cell>& premises, Implication implication) {
  for (const Cell premise : premises) {
    CellState& state = cells_[premise];
    if (state.may[index(implication.type)]) continue;
    state.watchers[index(implication.type)].push_back(static_cast<uint32_t>(implications_.size()));
    ++implication.open;
  }
  implications_.push_back(implication);
  if (implication.open == 0) conclude(implication);
}

void TypeInference::conclude(const Implication& implication) {
  CellState& state = cells_[implication.cell];
  const size_t type = index(implication.type);
  if (state.may[type]) return;
  state.may[type] = true;
  queue_.push_back({implication.cell, implication.type});
  if (!implication.is_flow) return;
  state.origin[type] = implication.span;
  state.begins_to_mix = is_mixed(implication.cell) && !is_mixed(implication.source);
}

void TypeInference::run() {
  // First come, first served, so that what is close to its cause is concluded first.
  size_t next = 0;
  while (next < queue_.size()) {
    const Proposition proposition = queue_[next++];
    for (const uint32_t watcher : cells_[proposition.cell].watchers[index(proposition.type)]) {
      Implication& implication = implications_[watcher];
      CHECK(implication.open > 0);
      if (--implication.open == 0) conclude(implication);
    }
  }
  queue_.clear();
}

bool TypeInference::is_mixed(Cell cell) const {
  return may_be(cell, Type::kInteger) && may_be(cell, Type::kString);
}

}  // namespace clew::dedalus
