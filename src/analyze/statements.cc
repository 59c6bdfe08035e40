// Statements: where paths part and meet.
#include <algorithm>

#include "analyze/walk.h"

namespace clew::analyze {

namespace {

bool is_loop(CXCursorKind kind) {
  return kind == CXCursor_ForStmt || kind == CXCursor_WhileStmt || kind == CXCursor_DoStmt ||
         kind == CXCursor_CXXForRangeStmt;
}

std::string without_comments(const std::string& text) {
  std::string result;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text.compare(at, 2, "//") == 0) {
      at = std::min(text.find('\n', at), text.size() - 1);
    } else if (text.compare(at, 2, "/*") == 0) {
      at = std::min(text.find("*/", at), text.size() - 2) + 1;
    } else {
      result += text[at];
    }
  }
  return result;
}

// In one line.
std::string in_one_line(const std::string& text) {
  std::string result;
  for (const char letter : without_comments(text)) {
    const bool space = std::isspace(static_cast<unsigned char>(letter)) != 0;
    if (!space) {
      result += letter;
    } else if (!result.empty() && result.back() != ' ') {
      result += ' ';
    }
  }
  return result;
}

bool has_else(const std::vector<Cursor>& parts) {
  if (parts.size() < 3) return false;
  const Cursor& then = parts[parts.size() - 2];
  const std::string between = then.source_between(then.end(), parts.back().begin());
  return without_comments(between).find("else") != std::string::npos;
}

void append(States& to, const States& from) { to.insert(to.end(), from.begin(), from.end()); }

// Conditions after these are about another state than that in which the handler began.
void forget_guards(States& states, size_t count) {
  for (State& state : states) {
    if (state.guards.size() > count) state.guards.resize(count);
  }
}

}  // namespace

States Walker::walk(const Handler& handler) {
  States paths;
  handled_ = &handler;
  for (const Cursor& declared : handler.functions) {
    State state;
    const std::optional<Cursor> function = program_.body_owner(declared);
    if (!function) {
      not_understood(declared, "the body of this handler is in none of the files", state);
      paths.push_back(state);
      continue;
    }
    std::vector<Value> arguments(parameters_of(*function).size());
    if (arguments.size() == 3 && handler.kind == "receive") {
      arguments[1].term = make_leaf(Term::Kind::kFrom);
    }
    if (arguments.size() == 3) arguments[2].term = make_leaf(Term::Kind::kMessage);
    if (arguments.size() == 2) arguments[1].term = make_leaf(Term::Kind::kTimer);
    append(paths, enter(*function, arguments, state));
  }
  if (paths.empty()) paths.emplace_back();
  for (State& path : paths) path.locals.clear(), path.returned = {};
  merge(paths);
  return paths;
}

void Walker::walk(const Cursor& statement, States in, Flow& flow) {
  if (in.empty()) return;
  const CXCursorKind kind = statement.kind();
  // With attributes, as [[fallthrough]].
  const bool is_block = kind == CXCursor_CompoundStmt || kind == CXCursor_UnexposedStmt;
  if (is_block) return walk_all(statement.children(), std::move(in), flow);
  if (kind == CXCursor_NullStmt) return append(flow.next, in);
  if (kind == CXCursor_BreakStmt) return append(flow.broken, in);
  if (kind == CXCursor_ContinueStmt) return append(flow.continued, in);
  for (State& state : in) {
    if (kind == CXCursor_IfStmt) {
      walk_if(statement, std::move(state), flow);
    } else if (kind == CXCursor_SwitchStmt) {
      walk_switch(statement, std::move(state), flow);
    } else if (is_loop(kind)) {
      walk_loop(statement, std::move(state), flow);
    } else if (kind == CXCursor_CXXTryStmt) {
      walk_try(statement, state, flow);
    } else if (kind == CXCursor_ReturnStmt) {
      const std::vector<Cursor> parts = statement.children();
      if (!parts.empty()) state.returned = evaluate(parts.back(), state);
      flow.returned.push_back(std::move(state));
    } else if (kind == CXCursor_DeclStmt) {
      for (const Cursor& part : statement.children()) declare(part, state);
      flow.next.push_back(std::move(state));
    } else if (clang_isExpression(kind) != 0) {
      walk_expression(statement, std::move(state), flow);
    } else {
      not_understood(statement, "a statement of a kind that is not looked into", state);
      flow.returned.push_back(state);
      flow.next.push_back(std::move(state));
    }
  }
}

void Walker::walk_all(const std::vector<Cursor>& statements, States in, Flow& flow) {
  for (const Cursor& statement : statements) {
    if (clang_isAttribute(statement.kind()) != 0) continue;
    Flow one;
    walk(statement, std::move(in), one);
    append(flow.broken, one.broken);
    append(flow.continued, one.continued);
    append(flow.returned, one.returned);
    merge(flow.returned);
    in = std::move(one.next);
    merge(in);
  }
  append(flow.next, in);
}

void Walker::walk_expression(const Cursor& statement, State state, Flow& flow) {
  States ends;
  if (walk_call(statement, state, ends)) return append(flow.next, ends);
  if (statement.kind() == CXCursor_CXXThrowExpr) {
    evaluate_parts(statement, state);
    return flow.returned.push_back(std::move(state));
  }
  const Value value = evaluate(statement, state);
  // A lambda that nobody calls does nothing.
  static_cast<void>(value);
  flow.next.push_back(std::move(state));
}

void Walker::declare(const Cursor& declaration, State& state) {
  const std::vector<Cursor> parts = declaration.children();
  Value value;
  for (const Cursor& part : parts) {
    if (clang_isExpression(part.kind()) != 0) value = evaluate(part, state);
  }
  if (declaration.kind() == CXCursor_VarDecl) {
    const Type type = declaration.type();
    if (clang_Cursor_getStorageClass(declaration.raw()) == CX_SC_Static) value.term = nullptr;
    const bool refers = type.is_reference() || type.kind() == CXType_Pointer;
    // Of a field that changes later on, it is the new value.
    if (refers && mentions_field(value.term)) value.term = nullptr;
    if (value.fields != 0 && !refers) keep(value, declaration, state), value.fields = 0;
    if (!value.lambdas.empty() && type.bare().text().find("(lambda at") == std::string::npos) {
      keep(value, declaration, state), value.lambdas.clear();
    }
    state.locals[declaration.key()] = std::move(value);
  } else if (value.fields != 0 || !value.lambdas.empty()) {
    keep(value, declaration, state);
  }
}

void Walker::walk_if(const Cursor& statement, State state, Flow& flow) {
  const std::vector<Cursor> parts = statement.children();
  const size_t branches = has_else(parts) ? 2 : 1;
  if (parts.size() <= branches) {
    not_understood(statement, "an if that a macro makes", state);
    return flow.next.push_back(std::move(state));
  }
  Guard guard;
  const size_t conditions = parts.size() - branches;
  for (size_t i = 0; i < conditions; ++i) {
    const Cursor& part = parts[i];
    guard.term = nullptr;
    if (part.kind() == CXCursor_DeclStmt) {
      for (const Cursor& one : part.children()) declare(one, state);
    } else if (clang_isDeclaration(part.kind()) != 0) {
      declare(part, state);
    } else if (clang_isExpression(part.kind()) != 0) {
      guard.term = evaluate(part, state).term;
    } else {
      not_understood(part, "an if that a macro makes", state);
    }
    if (const std::string text = in_one_line(part.source()); !text.empty()) guard.text = text;
  }
  // What a macro makes is all in one place.
  if (parts[conditions - 1].begin() >= parts[conditions].begin()) guard.term = nullptr;
  State other = state;
  state.guards.push_back(guard);
  guard.holds = false;
  other.guards.push_back(guard);
  walk(parts[conditions], {std::move(state)}, flow);
  if (branches == 1) {
    flow.next.push_back(std::move(other));
  } else {
    walk(parts.back(), {std::move(other)}, flow);
  }
  merge(flow.next);
}

namespace {

// The labels before a statement, and the statement: `case 1: case 2: x = 3;`
struct Labelled {
  std::vector<Cursor> values{};
  bool is_default = false;
  std::optional<Cursor> statement{};
};

Labelled labels_of(const Cursor& cursor) {
  Labelled result;
  std::optional<Cursor> at = cursor;
  while (at && (at->kind() == CXCursor_CaseStmt || at->kind() == CXCursor_DefaultStmt)) {
    const std::vector<Cursor> parts = at->children();
    result.is_default = result.is_default || at->kind() == CXCursor_DefaultStmt;
    if (at->kind() == CXCursor_CaseStmt && !parts.empty()) result.values.push_back(parts.front());
    at = parts.empty() ? std::nullopt : std::optional(parts.back());
  }
  result.statement = at;
  return result;
}

}  // namespace

void Walker::walk_switch(const Cursor& statement, State state, Flow& flow) {
  const std::vector<Cursor> parts = statement.children();
  Value subject;
  std::string text;
  for (size_t i = 0; i + 1 < parts.size(); ++i) {
    if (clang_isExpression(parts[i].kind()) != 0) {
      subject = evaluate(parts[i], state);
      text = in_one_line(parts[i].source());
    } else if (parts[i].kind() == CXCursor_DeclStmt) {
      for (const Cursor& one : parts[i].children()) declare(one, state);
    }
  }
  States running;
  bool has_default = false;
  Flow inner;
  const bool is_block = !parts.empty() && parts.back().kind() == CXCursor_CompoundStmt;
  for (const Cursor& child : is_block ? parts.back().children() : parts) {
    const Labelled labels = labels_of(child);
    for (const Cursor& value : labels.values) {
      State entering = state;
      const TermPtr equal =
          make_whole(Term::Kind::kCompare, {subject.term, evaluate(value, entering).term}, "==");
      entering.guards.push_back({text + " == " + in_one_line(value.source()), true, equal});
      running.push_back(std::move(entering));
    }
    if (labels.is_default) {
      has_default = true;
      running.push_back(state);
      running.back().guards.push_back({text + " is something else", true, nullptr});
    }
    if (!labels.statement) continue;
    Flow one;
    walk(*labels.statement, std::move(running), one);
    append(inner.broken, one.broken);
    append(flow.continued, one.continued);
    append(flow.returned, one.returned);
    running = std::move(one.next);
    merge(running);
  }
  append(flow.next, running);
  append(flow.next, inner.broken);
  if (!has_default) {
    flow.next.push_back(state);
    flow.next.back().guards.push_back({text + " is something else", true, nullptr});
  }
  merge(flow.next);
}

void Walker::walk_loop(const Cursor& statement, State state, Flow& flow) {
  const size_t guards = state.guards.size();
  const std::vector<Cursor> parts = statement.children();
  States returned;
  repeat(state, [&](State& once) {
    Flow inner;
    States running{once};
    for (const Cursor& part : parts) {
      Flow one;
      const bool declares = clang_isDeclaration(part.kind()) != 0;
      for (State& each : running) {
        if (declares) declare(part, each);
        if (clang_isExpression(part.kind()) == 0) continue;
        const Value value = evaluate(part, each);
        if (is_field(part.type())) each.read(value.fields);  // what a range is
      }
      if (declares || clang_isExpression(part.kind()) != 0) continue;
      walk(part, std::move(running), one);
      append(inner.continued, one.continued);
      append(inner.broken, one.broken);
      append(inner.returned, one.returned);
      running = std::move(one.next);
      // What comes after a `continue` may be the next round's condition.
      append(running, one.continued);
      if (running.empty()) break;
    }
    append(inner.continued, inner.broken);
    append(running, inner.continued);
    returned = inner.returned;
    if (!running.empty()) once.join(joined(running));
  });
  forget_guards(returned, guards);
  merge(returned);
  append(flow.returned, returned);
  flow.next.push_back(std::move(state));
}

void Walker::walk_try(const Cursor& statement, const State& state, Flow& flow) {
  const size_t guards = state.guards.size();
  const std::vector<Cursor> parts = statement.children();
  State caught = state;  // thrown somewhere in it: after some of what it does
  for (size_t i = 0; i < parts.size(); ++i) {
    Flow one;
    if (i == 0) {
      walk(parts[i], {state}, one);
      for (const States* ends : {&one.next, &one.broken, &one.continued, &one.returned}) {
        if (!ends->empty()) caught.join(joined(*ends));
      }
      caught.guards.resize(std::min(caught.guards.size(), guards));
    } else {
      for (const Cursor& part : parts[i].children()) {
        if (part.kind() == CXCursor_CompoundStmt) walk(part, {caught}, one);
      }
    }
    append(flow.next, one.next);
    append(flow.broken, one.broken);
    append(flow.continued, one.continued);
    append(flow.returned, one.returned);
  }
}

States Walker::walk_body(const Cursor& body, State state) {
  Flow flow;
  walk(body, {std::move(state)}, flow);
  append(flow.next, flow.returned);
  append(flow.next, flow.broken);
  merge(flow.next);
  return flow.next;
}

}  // namespace clew::analyze
