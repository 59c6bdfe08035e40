// A call, taken apart, between the files that say what comes of it.
#pragma once

#include "analyze/walk.h"

namespace clew::analyze {

struct Walker::Call {
  Cursor expression;
  Cursor function;  // null in a template, where it is not known yet
  Cursor callee{};  // what is written before the parentheses, if it is no operator
  Value object{};   // of a method
  std::vector<Cursor> arguments{};
  std::vector<Value> values{};  // of these

  std::string name() const { return function.exists() ? function.name() : ""; }
};

bool is_constructor(const Cursor& function);
// What only stands around an expression is left out.
Cursor unwrapped(Cursor expression);
// What is written before the parentheses of a call; null of an operator.
Cursor callee_of(const Cursor& call);
// In a template: a method of the Env.
bool is_of_env(const Cursor& callee);
bool is_lambda_call(const Cursor& function);

}  // namespace clew::analyze
