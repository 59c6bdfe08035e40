// Which types the values of a program may have, by forward inference.
//
// The basic idea: everything that can have a value is a cell (a column of a relation, a variable of
// a rule, an expression), and "cell c may hold an integer" and "... a string" are propositions. A
// rule of inference says that some propositions together imply another: a variable may hold an
// integer if every column that binds it may; `X + Y` may be a string if both operands may be; a
// column may hold what a fact or a head puts there. Starting from the constants, whatever follows
// is added until nothing new does. A cell that ends without any type never gets a value.
//
// Each proposition becomes true at most once, and each implication counts down its open premises,
// so that the work is linear in the size of the program.
#pragma once

#include <cstdint>
#include <vector>

#include "base/source.h"

namespace clew::dedalus {

using Cell = uint32_t;

enum class Type : uint32_t { kInteger = 0, kString = 1 };

inline constexpr Type kTypes[] = {Type::kInteger, Type::kString};

class TypeInference {
 public:
  TypeInference();

  // Cells that every program needs: constants, and what nothing is known about.
  Cell integer() const { return 0; }
  Cell string() const { return 1; }
  Cell unknown() const { return 2; }
  // `count` cells in a row; returns the first.
  Cell add_cells(uint32_t count);

  // `cell` may have `type` if each of `premises` may.
  void imply(const std::vector<Cell>& premises, Type type, Cell cell);
  // `column` may hold what `source` may, because of what is written at `span`.
  void flow(Cell source, Cell column, Span span);

  // Draws all conclusions.
  void run();

  bool may_be(Cell cell, Type type) const { return cells_[cell].may[index(type)]; }
  // What first put a value of that type into a column.
  Span origin(Cell column, Type type) const { return cells_[column].origin[index(type)]; }
  // A column that holds both types though nothing that flows into it did so before: the place where
  // mixing begins.
  bool begins_to_mix(Cell column) const { return cells_[column].begins_to_mix; }

 private:
  struct CellState {
    bool may[2] = {false, false};
    Span origin[2];
    bool begins_to_mix = false;
    std::vector<uint32_t> watchers[2];  // implications with this proposition as a premise
  };
  struct Implication {
    uint32_t open = 0;  // premises that are not known to be true
    Type type = Type::kInteger;
    Cell cell = 0;
    Cell source = 0;  // flows: where from
    bool is_flow = false;
    Span span;
  };
  struct Proposition {
    Cell cell;
    Type type;
  };

  static size_t index(Type type) { return static_cast<size_t>(type); }
  bool is_mixed(Cell cell) const;
  void add(const std::vector<Cell>& premises, Implication implication);
  void conclude(const Implication& implication);

  std::vector<CellState> cells_;
  std::vector<Implication> implications_;
  std::vector<Proposition> queue_;
};

}  // namespace clew::dedalus
