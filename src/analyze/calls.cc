// Calls, and what comes of those of functions whose body is known.
#include <algorithm>

#include "analyze/call.h"

namespace clew::analyze {

namespace {

constexpr size_t kMostEntered = 40;  // functions within one another

bool is_operator_method(const Cursor& function) {
  return function.exists() && function.kind() == CXCursor_CXXMethod &&
         function.name().starts_with("operator");
}

}  // namespace

Walker::Call Walker::take_apart(const Cursor& expression, State& state) {
  Call call{.expression = expression,
            .function = expression.referenced(),
            .callee = callee_of(expression),
            .arguments = expression.arguments()};
  if (!call.function.exists()) call.function = only_overload(expression, state);
  in_any_order(state, [&] {
    const bool is_member = call.callee.exists() && call.callee.kind() == CXCursor_MemberRefExpr;
    if (is_member) {
      for (const Cursor& part : call.callee.children()) {
        if (clang_isExpression(part.kind()) != 0) call.object = evaluate(part, state);
      }
    } else if (call.callee.exists() && !call.function.exists()) {
      call.object = evaluate(call.callee, state);
    }
    for (const Cursor& argument : call.arguments) call.values.push_back(evaluate(argument, state));
    const bool is_written_as_operator = !is_member && is_operator_method(call.function);
    if (is_written_as_operator && !call.values.empty()) {
      call.object = call.values.front();
      call.arguments.erase(call.arguments.begin());
      call.values.erase(call.values.begin());
    }
  });
  return call;
}

Value Walker::evaluate_call(const Cursor& expression, State& state) {
  const Call call = take_apart(expression, state);
  const Cursor& function = call.function;
  if (!function.exists()) return call_overloads(call, state);
  if (is_of(function, {"Field", "Durable", "AnyField"})) return call_field(call, state);
  if (is_of(function, {"Env", "AnyEnv"})) return call_env(call.name(), call, state);
  if (is_of(function, {"Node"}) && (call.name() == "start" || call.name() == "timer")) return {};
  if (call.name() == "operator()" && !call.object.lambdas.empty()) return call_lambda(call, state);
  const std::optional<Cursor> body = body_of_call(call);
  if (!body) return call_unknown(call, state);
  const States ends = enter(*body, call.values, state);
  if (!ends.empty()) {
    const size_t guards = state.guards.size();
    state = joined(ends);
    state.guards.resize(std::min(guards, state.guards.size()));
  }
  Value value = std::exchange(state.returned, {});
  if (value.term == nullptr) value.term = term_of_call(call);
  return value;
}

bool Walker::walk_call(const Cursor& statement, const State& state, States& ends) {
  const Cursor expression = unwrapped(statement);
  if (expression.kind() != CXCursor_CallExpr) return false;
  Cursor function = expression.referenced();
  if (!function.exists()) function = only_overload(expression, state);
  if (!function.exists() || is_of(function, {"Field", "Durable", "AnyField", "Env", "AnyEnv"})) {
    return false;
  }
  const Call peeked{.expression = expression, .function = function};
  if (!body_of_call(peeked) || is_lambda_call(function)) return false;
  State before = state;
  const Call call = take_apart(expression, before);
  ends = enter(*body_of_call(call), call.values, std::move(before));
  for (State& end : ends) end.returned = {};
  return true;
}

std::optional<Cursor> Walker::body_of_call(const Call& call) {
  if (has_annotation(call.function, "clew::apart") || is_constructor(call.function)) {
    return std::nullopt;
  }
  if (is_of(call.function, {"Node", "AnyNode"})) return std::nullopt;
  Cursor function = call.function;
  if (function.is_virtual()) {
    const bool own = std::ranges::any_of(
        node_.bases, [&](const Cursor& base) { return base.usr() == function.parent().usr(); });
    if (!own) return std::nullopt;
    function = program_.overriding(node_, function);
  }
  return program_.body_owner(function);
}

States Walker::enter(const Cursor& function, const std::vector<Value>& arguments, State state) {
  const std::optional<Cursor> body = body_of(function);
  if (!body) return {std::move(state)};
  const void* key = body->statement();
  if (std::ranges::find(entered_, key) != entered_.end()) {
    recursive_.insert(key);
    for (const Value& one : arguments) {
      if (one.fields == 0 && one.lambdas.empty()) continue;
      not_understood(function, "a field or a lambda is handed on by recursion", state);
    }
    return {std::move(state)};
  }
  if (entered_.size() == kMostEntered) {
    not_understood(function, "functions call one another too deeply", state);
    return {std::move(state)};
  }
  const std::map<const void*, Value> before = state.locals;
  const std::vector<Cursor> parameters = parameters_of(function);
  for (size_t i = 0; i < parameters.size(); ++i) {
    Value value = i < arguments.size() ? arguments[i] : Value{};
    const bool refers = parameters[i].type().is_reference();
    if (refers && mentions_field(value.term)) value.term = nullptr;
    state.locals[parameters[i].key()] = std::move(value);
  }
  state.crash_path = state.crash_path || has_annotation(function, "clew::crash_path");
  entered_.push_back(key);
  States ends = walk_body(*body, state);
  if (recursive_.erase(key) > 0) {
    const size_t guards = state.guards.size();
    repeat(state, [&](State& once) {
      const States again = walk_body(*body, once);
      if (!again.empty()) once.join(joined(again));
      once.guards.resize(std::min(guards, once.guards.size()));
    });
    state.returned = {};
    ends = {state};
    recursive_.erase(key);
  }
  entered_.pop_back();
  for (State& end : ends) {  // its own variables are gone
    std::erase_if(end.locals, [&](const auto& local) { return !before.contains(local.first); });
  }
  return ends;
}

// One of these, if it may be several.
Value Walker::call_lambda(const Call& call, State& state) {
  States ends;
  for (const Cursor& lambda : call.object.lambdas) {
    const States some = enter(lambda, call.values, state);
    ends.insert(ends.end(), some.begin(), some.end());
  }
  if (ends.empty()) return {};
  const size_t guards = state.guards.size();
  state = joined(ends);
  state.guards.resize(std::min(guards, state.guards.size()));
  return std::exchange(state.returned, {});
}

// In a template: any of the functions of that name.
Value Walker::call_overloads(const Call& call, State& state) {
  if (is_of_env(call.callee)) return call_env(written_member(call.callee), call, state);
  const std::vector<Cursor> overloads = overloads_of(call.expression, call.callee, state);
  bool unknown = overloads.empty();
  for (const Cursor& overload : overloads) {
    const Call one{.expression = call.expression,
                   .function = overload,
                   .callee = call.callee,
                   .object = call.object,
                   .arguments = call.arguments,
                   .values = call.values};
    const std::optional<Cursor> body = body_of_call(one);
    if (!body) {
      unknown = true;
      continue;
    }
    const States ends = enter(*body, call.values, state);
    if (!ends.empty()) state.join(joined(ends));
    state.returned = {};
  }
  const bool is_lambda = overloads.empty() && !call.object.lambdas.empty();
  if (is_lambda) return call_lambda(call, state);
  if (!unknown) return {};
  if (call.object.fields != 0) keep({.fields = call.object.fields}, call.expression, state);
  Call one = call;
  const auto is_library = [](const Cursor& overload) { return overload.is_in_system_header(); };
  if (!overloads.empty() && std::ranges::all_of(overloads, is_library)) {
    one.function = overloads.front();
  }
  expose(one, state);
  return {};
}

}  // namespace clew::analyze
