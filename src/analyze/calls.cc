// Calls: of the methods of a field and of the Env, of functions whose body is known, and of all
// others.
#include <algorithm>
#include <array>

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

namespace {

constexpr size_t kMostEntered = 40;  // functions within one another

// What only stands around a call.
Cursor unwrapped(Cursor expression) {
  while (expression.kind() == CXCursor_UnexposedExpr || expression.kind() == CXCursor_ParenExpr) {
    const std::vector<Cursor> parts = expression.children();
    if (parts.size() != 1) break;
    expression = parts.front();
  }
  return expression;
}

bool is_operator_method(const Cursor& function) {
  return function.exists() && function.kind() == CXCursor_CXXMethod &&
         function.name().starts_with("operator");
}

std::vector<Cursor> overloads_in(const Cursor& cursor) {
  if (cursor.kind() == CXCursor_OverloadedDeclRef) return cursor.overloads();
  if (cursor.kind() == CXCursor_CallExpr) return {};
  for (const Cursor& child : cursor.children()) {
    if (std::vector<Cursor> found = overloads_in(child); !found.empty()) return found;
  }
  return {};
}

bool is_in_std(const Cursor& function, const std::string& name) {
  return function.parent().name() == name && function.is_in_system_header();
}

bool call_is_lambda(const Cursor& function) {
  return function.name() == "operator()" &&
         function.parent().type().text().find("(lambda") != std::string::npos;
}

bool is_constructor(const Cursor& function) {
  return function.exists() && (function.kind() == CXCursor_Constructor ||
                               (function.kind() == CXCursor_FunctionTemplate &&
                                function.name() == function.parent().name()));
}

}  // namespace

Walker::Call Walker::take_apart(const Cursor& expression, State& state) {
  Call call{.expression = expression, .function = expression.referenced()};
  call.arguments = expression.arguments();
  const auto is_argument = [&](const Cursor& part) {
    return std::ranges::any_of(call.arguments, [&](const Cursor& argument) {
      return argument.statement() == part.statement();
    });
  };
  const std::vector<Cursor> parts = expression.children();
  for (const Cursor& part : parts) {
    if (clang_isExpression(part.kind()) == 0 || is_argument(part)) continue;
    call.callee = part;
    break;
  }
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
  const Cursor function = expression.referenced();
  if (!function.exists() || is_of(function, {"Field", "Durable", "AnyField", "Env", "AnyEnv"})) {
    return false;
  }
  const Call peeked{.expression = expression, .function = function};
  if (!body_of_call(peeked) || call_is_lambda(function)) return false;
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
    state.locals[parameters[i].key()] = i < arguments.size() ? arguments[i] : Value{};
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

Value Walker::call_field(const Call& call, State& state) {
  static constexpr std::array kReads = {"get",   "operator*",  "operator->",
                                        "begin", "operator[]", "operator=="};
  static constexpr std::array kAdds = {"operator++", "operator--", "operator+=", "operator-="};
  static constexpr std::array kNothing = {"name", "durable", "told_columns"};
  const uint64_t fields = call.object.fields;
  const std::string name = call.name();
  const auto is_one_of = [&](const auto& names) {
    return std::ranges::find(names, name) != names.end();
  };
  for (size_t i = 0; i < call.values.size(); ++i) {
    state.read(call.values[i].fields);  // x = y
    keep({.fields = 0, .lambdas = call.values[i].lambdas, .term = nullptr}, call.arguments[i],
         state);
  }
  if (is_constructor(call.function) || is_one_of(kNothing)) return {};
  if (fields == 0) {
    not_understood(call.expression, "this may be any field", state);
  } else if (name == "operator=") {
    state.assign(fields, durable_);
    return {.fields = fields};
  } else if (is_one_of(kAdds)) {
    state.increment(fields, durable_);
    return {.fields = fields};
  } else if (is_one_of(kReads) || name == "end" ||
             call.function.kind() == CXCursor_ConversionFunction) {
    const TermPtr term = term_of_field(fields, state);
    state.read(fields);
    if (name == "operator bool") return {.term = make_whole(Term::Kind::kHas, {term})};
    if (name == "operator[]" || name == "begin" || name == "end") return {};
    if (name != "operator==") return {.term = term};
    const std::vector<Cursor> both = call.expression.arguments();
    const std::string text = both.size() == 2 ? operator_between(both[0], both[1]) : "";
    const TermPtr other = call.values.empty() ? nullptr : call.values.front().term;
    if (!is_comparison(text)) return {};
    return {.term = make_whole(Term::Kind::kCompare, {term, other}, text)};
  } else {  // edit, and what else there may be
    state.read(fields);
    state.assign(fields, durable_);
  }
  return {};
}

// As it was when the handler began; afterwards it is not known.
TermPtr Walker::term_of_field(uint64_t bit, const State& state) const {
  if ((state.footprint.updates & bit) != 0) return nullptr;
  for (size_t i = 0; i + 1 < node_.fields.size() && i < 63; ++i) {
    if (bit == node_.bit(i)) return make_leaf(Term::Kind::kField, {node_.fields[i].name});
  }
  return nullptr;
}

Value Walker::call_env(const std::string& name, const Call& call, State& state) {
  // In a template, what a field holds is not written as a call.
  for (const Value& value : call.values) state.read(value.fields);
  if (name.starts_with("send") || name.starts_with("reply")) state.send();
  if (name == "self") return {.term = make_leaf(Term::Kind::kSelf)};
  return {};
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
  std::vector<Cursor> overloads =
      call.callee.exists() ? overloads_in(call.callee) : std::vector<Cursor>();
  const bool is_member = call.callee.exists() && call.callee.kind() == CXCursor_MemberRefExpr;
  if (overloads.empty() && is_member) {
    const std::string name = written_member(call.callee);
    for (const Cursor& part : call.callee.children()) {
      if (clang_isExpression(part.kind()) != 0 && is_env(part.type())) {
        return call_env(name, call, state);
      }
    }
    overloads = Program::methods(node_, name);
  }
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

// Its body is not known. It does what can be done with what it is given.
Value Walker::call_unknown(const Call& call, State& state) {
  const Cursor& function = call.function;
  if (has_annotation(function, "clew::apart")) return {};
  if (is_constructor(function)) {
    const bool copies =
        call.arguments.size() == 1 && call.arguments.front().type().is_like(call.expression.type());
    if (copies) return call.values.front();
    for (size_t i = 0; i < call.values.size(); ++i) {
      keep({.fields = call.values[i].fields, .lambdas = call.values[i].lambdas, .term = nullptr},
           call.arguments[i], state);
      if (leads_to_node(call.arguments[i])) {
        not_understood(call.arguments[i], "the node is handed on", state);
      }
    }
    const bool text = !call.values.empty() && call.values.front().term != nullptr &&
                      call.values.front().term->kind == Term::Kind::kText;
    return text ? Value{.term = call.values.front().term} : Value{};
  }
  const bool is_function = function.kind() == CXCursor_FunctionDecl ||
                           function.kind() == CXCursor_CXXMethod ||
                           function.kind() == CXCursor_FunctionTemplate ||
                           function.kind() == CXCursor_ConversionFunction;
  const bool is_library = function.is_in_system_header();
  const bool is_callable = is_function || is_library;  // std::ranges::find is an object
  if (!is_callable || is_in_std(function, "function") || call_is_lambda(function)) {
    not_understood(call.expression, "a call of a function that is not known here", state);
  } else if (function.is_virtual() && !is_library) {
    not_understood(call.expression, "a virtual call", state);
  } else if (!function.is_static() && function.kind() == CXCursor_CXXMethod &&
             is_node(Cursor(function.parent()).type())) {
    not_understood(call.expression,
                   call.name() + " is a method of a node whose body is in none of the files",
                   state);
  }
  expose(call, state);
  return {.term = term_of_call(call)};
}

void Walker::expose(const Call& call, State& state) {
  const bool is_library = call.function.exists() && call.function.is_in_system_header();
  const std::string type = call.expression.type().canonical().text();
  const bool gives_back = is_field(call.expression.type()) ||
                          type.find("node::Field<") != std::string::npos ||
                          type.find("node::Durable<") != std::string::npos;
  for (size_t i = 0; i < call.values.size(); ++i) {
    const Value& value = call.values[i];
    const bool only_read =
        (is_library && !gives_back) || call.arguments[i].type().canonical().is_const();
    if (value.fields != 0 && only_read) {
      state.read(value.fields);
    } else if (value.fields != 0) {
      keep({.fields = value.fields}, call.arguments[i], state);
    }
    if (is_library) {
      run_maybe(value, state);
    } else {
      keep({.fields = 0, .lambdas = value.lambdas, .term = nullptr}, call.arguments[i], state);
    }
    if (leads_to_node(call.arguments[i])) {
      not_understood(call.arguments[i],
                     "the node is given to a function whose body is in none of the files", state);
    }
  }
}

TermPtr Walker::term_of_call(const Call& call) const {
  const std::string name = call.name();
  const std::vector<Cursor> both = call.expression.arguments();
  if (name.starts_with("operator") && both.size() == 2) {
    const std::string text = operator_between(both[0], both[1]);
    if (!is_comparison(text) || !is_comparison(name.substr(8))) return nullptr;
    const bool is_method = call.values.size() == 1;
    const TermPtr left = is_method ? call.object.term : call.values[0].term;
    return make_whole(Term::Kind::kCompare, {left, call.values.back().term}, text);
  }
  if (!call.function.is_in_system_header() || !call.values.empty()) return nullptr;
  if (name == "operator bool" || name == "has_value") {
    return make_whole(Term::Kind::kHas, {call.object.term});
  }
  if (name == "operator*" || name == "operator->" || name == "value") return call.object.term;
  const TermPtr size = make_whole(Term::Kind::kSize, {call.object.term});
  if (name == "size") return size;
  if (name == "empty") return make_whole(Term::Kind::kCompare, {size, make_number(0)}, "==");
  return nullptr;
}

}  // namespace clew::analyze
