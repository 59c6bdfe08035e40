// A path through a handler: what it has done so far, and the conditions under which it goes there.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analyze/clang.h"
#include "analyze/term.h"
#include "node/field.h"

namespace clew::analyze {

// A condition on the way.
struct Guard {
  std::string text;   // as it is written
  bool holds = true;  // or its opposite does
  TermPtr term{};     // of the text

  std::string words() const;  // `ballot > promised`, also of the opposite
};

// What an expression is, beside a value that nobody knows.
struct Value {
  uint64_t fields = 0;            // it is one of these fields itself, or leads to it
  std::vector<Cursor> lambdas{};  // it is one of these
  TermPtr term{};

  void join(const Value& other);
};

struct State {
  node::Footprint footprint{};  // its increments: fields to which anything was added
  uint64_t assigned = 0;        // fields that were given a value
  bool sends = false;           // anything
  bool crash_path = false;      // it went through a function that is one
  std::vector<Guard> guards{};
  std::map<const void*, Value> locals{};  // by declaration
  Value returned{};

  void read(uint64_t fields) { footprint.reads |= fields; }
  void update(uint64_t fields, uint64_t durable);
  void assign(uint64_t fields, uint64_t durable);
  void increment(uint64_t fields, uint64_t durable);
  void send();
  void everything();

  // Either of both.
  void join(const State& other);
  bool does_the_same(const State& other) const;
  // As a Footprint is meant: what was only added to.
  node::Footprint predicted() const;
};

using States = std::vector<State>;

// Two paths that differ in a condition which makes no difference become one, and beyond the most
// that there may be, all do.
void merge(States& states);
State joined(const States& states);  // requires that there is one

}  // namespace clew::analyze
