// What a handler may do, path by path: walks its statements and the functions that it calls, and
// collects which fields are read, updated and sent.
//
//   Walker walker(program, node);
//   const States paths = walker.walk(node.handlers[0]);    // each with its conditions
//   walker.notes()                                         // what was not understood, and where
//
// A path does at least what the handler does whenever its conditions hold: branches are told apart
// where they are statements; what an expression may or may not evaluate counts as evaluated, a loop
// is walked until nothing new happens, and so is recursion. Whatever the walker does not
// understand and might have to do with the node counts as if it read, wrote and sent everything.
// What reads and writes are is what node/field.h notes: calls of the methods of Field.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyze/program.h"
#include "analyze/state.h"

namespace clew::analyze {

// Of what was not understood.
struct Note {
  Place place;
  std::string why;
};

class Walker {
 public:
  Walker(const Program& program, const NodeClass& node)
      : program_(program), node_(node), durable_(node.durable()) {}

  States walk(const Handler& handler);
  const std::vector<Note>& notes() const { return notes_; }

 private:
  // Where the paths of a statement go on.
  struct Flow {
    States next{}, broken{}, continued{}, returned{};
  };

  // statements.cc
  void walk(const Cursor& statement, States in, Flow& flow);
  void walk_all(const std::vector<Cursor>& statements, States in, Flow& flow);
  void walk_if(const Cursor& statement, State state, Flow& flow);
  void walk_switch(const Cursor& statement, State state, Flow& flow);
  void walk_loop(const Cursor& statement, State state, Flow& flow);
  void walk_try(const Cursor& statement, const State& state, Flow& flow);
  void walk_expression(const Cursor& statement, State state, Flow& flow);
  void declare(const Cursor& declaration, State& state);
  States walk_body(const Cursor& body, State state);  // to its ends
  // Any number of times.
  template <class Body>
  void repeat(State& state, const Body& body) {
    while (true) {
      const State before = state;
      State after = state;
      body(after);
      state.join(after);
      if (state.does_the_same(before)) return;
    }
  }

  // What is evaluated in an order that nobody knows: if it sends, then after all that it reads.
  template <class Parts>
  void in_any_order(State& state, const Parts& parts) {
    const bool sent = std::exchange(state.sends, false);
    parts();
    if (state.sends) state.send();
    state.sends = state.sends || sent;
  }

  // expressions.cc
  Value evaluate(const Cursor& expression, State& state, bool is_read = false);
  Value evaluate_parts(const Cursor& expression, State& state);
  Value evaluate_name(const Cursor& expression, State& state, bool is_read);
  Value evaluate_member(const Cursor& expression, State& state, bool is_read);
  Value evaluate_binary(const Cursor& expression, State& state);
  Value evaluate_unary(const Cursor& expression, State& state);
  Value evaluate_through(const Cursor& expression, State& state);
  Value evaluate_list(const Cursor& expression, State& state);
  void keep(const Value& value, const Cursor& where, State& state);
  void run_maybe(const Value& value, State& state);
  bool has_effect(const Value& value, const State& state);

  // calls.cc, field_calls.cc, unknown_calls.cc
  struct Call;
  Value evaluate_call(const Cursor& expression, State& state);
  Call take_apart(const Cursor& expression, State& state);
  Value call_field(const Call& call, State& state);
  Value call_env(const std::string& name, const Call& call, State& state);
  Value call_lambda(const Call& call, State& state);
  Value call_overloads(const Call& call, State& state);
  Value call_unknown(const Call& call, State& state);
  void expose(const Call& call, State& state);
  // The body of the call, if it is known and stands for itself as a statement.
  bool walk_call(const Cursor& statement, const State& state, States& ends);
  std::optional<Cursor> body_of_call(const Call& call);
  // overloads.cc
  std::vector<Cursor> overloads_of(const Cursor& call, const Cursor& callee, const State& state);
  Cursor only_overload(const Cursor& call, const State& state);
  bool is_input(const Cursor& argument, const State& state) const;
  States enter(const Cursor& function, const std::vector<Value>& arguments, State state);
  TermPtr term_of_call(const Call& call) const;

  TermPtr term_of_field(uint64_t bit, const State& state) const;
  void not_understood(const Cursor& where, const std::string& why, State& state);
  void note(const Cursor& where, const std::string& why);

  const Program& program_;
  const NodeClass& node_;
  uint64_t durable_;
  const Handler* handled_ = nullptr;
  std::vector<Note> notes_{};
  std::vector<const void*> entered_{};  // bodies that are being walked
  std::set<const void*> recursive_{};   // of these, those that were met again
};

// The operator that is written between two expressions; empty if that cannot be told.
std::string operator_between(const Cursor& left, const Cursor& right);
bool is_comparison(const std::string& text);
// The last name in it: `x` of `self().x`.
std::string written_member(const Cursor& expression);
// Whether it is the node or its Env, or leads to them.
bool leads_to_node(const Cursor& expression);

}  // namespace clew::analyze
