// A rule of the program with its names resolved: relations by index, variables by slot.
//
// Nothing is planned or reordered: the body stays as written.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "dedalus/program.h"
#include "verify/values.h"

namespace clew::verify {

using dedalus::RelationIndex;
using Slot = uint32_t;

// An argument of a body atom.
struct Argument {
  // kLocal: a variable that nothing else binds, in a `notin`; equal slots are equal values.
  enum class Kind { kAny, kSlot, kLocal, kConstant, kExpression };
  Kind kind = Kind::kAny;
  Slot slot = 0;
  ValueId value = 0;                    // kConstant
  const dedalus::Term* term = nullptr;  // kExpression
};

// One literal of the body.
struct Element {
  dedalus::Literal::Kind kind = dedalus::Literal::Kind::kPositive;
  RelationIndex relation = 0;
  std::vector<Argument> args;
  std::optional<int64_t> at;                 // reads this tick
  const dedalus::Term* condition = nullptr;  // kCondition
  bool calculates = false;                   // + - * / somewhere in it: it is tried last
};

struct Rule {
  const dedalus::Clause* clause = nullptr;
  size_t index = 0;  // into Program::rules
  RelationIndex head = 0;
  dedalus::TimeSuffix::Kind time = dedalus::TimeSuffix::Kind::kNone;
  bool aggregates = false;
  dedalus::Location location;
  std::vector<Element> body;
  std::map<std::string, Slot> slots;  // what the positive literals bind, and the location
  Slot locals = 0;                    // slots of one `notin` beyond those
};

Rule compile(const dedalus::Program& program, size_t index, Values& values);

// The program's relations in groups: each group after all that its relations depend on within a
// tick, and relations that depend on each other in one group.
struct Group {
  std::vector<RelationIndex> relations;
  bool recursive = false;
};
std::vector<Group> order_relations(const dedalus::Program& program, const std::vector<Rule>& rules);

}  // namespace clew::verify
