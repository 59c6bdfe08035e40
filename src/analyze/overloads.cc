// Which function a call in a template means. The template says it for all types at once; of a
// handler one of them is known, that of what it handles:
//
//   template <class M>
//   void receive(Env& env, Id from, const M& message) { take(env, from, message); }
//   void take(Env& env, Id from, const Prepare& prepare) { ... }      // of a Prepare, this one
#include <algorithm>

#include "analyze/call.h"

namespace clew::analyze {

namespace {

std::vector<Cursor> overloads_in(const Cursor& cursor) {
  if (cursor.kind() == CXCursor_OverloadedDeclRef) return cursor.overloads();
  if (cursor.kind() == CXCursor_CallExpr) return {};
  for (const Cursor& child : cursor.children()) {
    if (std::vector<Cursor> found = overloads_in(child); !found.empty()) return found;
  }
  return {};
}

bool is_member(const Cursor& callee) {
  return callee.exists() && callee.kind() == CXCursor_MemberRefExpr;
}

// What it takes in some place; empty if it takes less.
std::string type_at(const Cursor& function, size_t at) {
  const std::vector<Cursor> parameters = parameters_of(function);
  return at < parameters.size() ? bare_text(parameters[at].type()) : "";
}

// Whether they take the same, but for this place.
bool differ_only_at(const Cursor& one, const Cursor& other, size_t at) {
  const size_t count = parameters_of(one).size();
  if (parameters_of(other).size() != count) return false;
  for (size_t i = 0; i < count; ++i) {
    if (i != at && type_at(one, i) != type_at(other, i)) return false;
  }
  return true;
}

}  // namespace

Cursor unwrapped(Cursor expression) {
  while (expression.kind() == CXCursor_UnexposedExpr || expression.kind() == CXCursor_ParenExpr) {
    const std::vector<Cursor> parts = expression.children();
    if (parts.size() != 1) break;
    expression = parts.front();
  }
  return expression;
}

Cursor callee_of(const Cursor& call) {
  const std::vector<Cursor> arguments = call.arguments();
  const auto is_argument = [&](const Cursor& part) {
    return std::ranges::any_of(arguments, [&](const Cursor& argument) {
      return argument.statement() == part.statement();
    });
  };
  for (const Cursor& part : call.children()) {
    if (clang_isExpression(part.kind()) != 0 && !is_argument(part)) return part;
  }
  return {};
}

bool is_of_env(const Cursor& callee) {
  if (!is_member(callee) || !overloads_in(callee).empty()) return false;
  return std::ranges::any_of(callee.children(), [](const Cursor& part) {
    return clang_isExpression(part.kind()) != 0 && is_env(part.type());
  });
}

// A parameter that is the message or request: of its type, or of one that a template leaves open.
bool Walker::is_input(const Cursor& argument, const State& state) const {
  const Cursor expression = unwrapped(argument);
  if (expression.kind() != CXCursor_DeclRefExpr) return false;
  const Cursor declared = expression.referenced();
  const auto local = state.locals.find(declared.key());
  if (local == state.locals.end() || declared.kind() != CXCursor_ParmDecl) return false;
  const TermPtr& term = local->second.term;
  if (term == nullptr || term->kind != Term::Kind::kMessage || !term->path.empty()) return false;
  const std::string type = bare_text(declared.type());
  return type == handled_->type || type.find("type-parameter") != std::string::npos;
}

// The one that takes the input as it is comes before those that differ from it in nothing else, and
// those that take another message cannot be meant.
std::vector<Cursor> Walker::overloads_of(const Cursor& call, const Cursor& callee,
                                         const State& state) {
  if (!callee.exists()) return {};
  std::vector<Cursor> found = overloads_in(callee);
  if (found.empty() && is_member(callee)) {
    found = Program::methods(node_, written_member(callee));
  }
  const std::vector<Cursor> arguments = call.arguments();
  for (size_t at = 0; at < arguments.size(); ++at) {
    if (handled_->type.empty() || !is_input(arguments[at], state)) continue;
    const std::vector<Cursor> all = found;
    const auto is_exact = [&](const Cursor& one) { return type_at(one, at) == handled_->type; };
    const auto is_worse = [&](const Cursor& one) {
      return !is_exact(one) && std::ranges::any_of(all, [&](const Cursor& other) {
        return is_exact(other) && differ_only_at(one, other, at);
      });
    };
    const auto takes_another = [&](const Cursor& one) {
      return !is_exact(one) && std::ranges::any_of(node_.handlers, [&](const Handler& handler) {
        return !handler.type.empty() && handler.type == type_at(one, at);
      });
    };
    std::erase_if(found, [&](const Cursor& one) { return is_worse(one) || takes_another(one); });
  }
  return found;
}

// Null if there are several, or if it is no method of the node that takes the input.
Cursor Walker::only_overload(const Cursor& call, const State& state) {
  if (handled_ == nullptr || call.kind() != CXCursor_CallExpr) return {};
  const auto takes_input = [&](const Cursor& argument) { return is_input(argument, state); };
  if (std::ranges::none_of(call.arguments(), takes_input)) return {};
  const std::vector<Cursor> found = overloads_of(call, callee_of(call), state);
  const bool is_one = found.size() == 1 && node_.has_base(found.front().parent());
  return is_one ? found.front() : Cursor();
}

}  // namespace clew::analyze
