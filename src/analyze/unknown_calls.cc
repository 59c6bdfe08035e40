// Calls of functions whose body is nowhere: what they may do with what they are given.
#include <algorithm>

#include "analyze/call.h"

namespace clew::analyze {

namespace {

bool is_in_std(const Cursor& function, const std::string& name) {
  return function.parent().name() == name && function.is_in_system_header();
}

}  // namespace

bool is_constructor(const Cursor& function) {
  return function.exists() && (function.kind() == CXCursor_Constructor ||
                               (function.kind() == CXCursor_FunctionTemplate &&
                                function.name() == function.parent().name()));
}

bool is_lambda_call(const Cursor& function) {
  return function.name() == "operator()" &&
         function.parent().type().text().find("(lambda") != std::string::npos;
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
  if (!is_callable || is_in_std(function, "function") || is_lambda_call(function)) {
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
  TermPtr size = make_whole(Term::Kind::kSize, {call.object.term});
  if (name == "size") return size;
  if (name == "empty") return make_whole(Term::Kind::kCompare, {size, make_number(0)}, "==");
  return nullptr;
}

}  // namespace clew::analyze
