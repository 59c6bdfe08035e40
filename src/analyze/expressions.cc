// Expressions: what they read on the way, and what they are in the end.
#include <algorithm>
#include <array>

#include "analyze/walk.h"

namespace clew::analyze {

namespace {

std::string trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t\n\r");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\n\r") - begin + 1);
}

bool is_dependent(const Cursor& expression) {
  const CXTypeKind kind = expression.type().canonical().kind();
  return kind == CXType_Dependent || kind == CXType_Overload || kind == CXType_Unexposed;
}

// Whether it is a member of a parameter that cannot change, as messages are.
bool may_be_input(const Cursor& member) {
  for (const Cursor& part : member.children()) {
    if (clang_isExpression(part.kind()) == 0) continue;
    const Cursor declared = part.referenced();
    if (part.kind() == CXCursor_MemberRefExpr) return may_be_input(part);
    return declared.exists() && declared.kind() == CXCursor_ParmDecl &&
           part.type().canonical().is_const();
  }
  return false;
}

bool may_hold_field(Type type) {
  const std::string text = type.canonical().text();
  if (text.find("node::Field<") != std::string::npos) return true;
  if (text.find("node::Durable<") != std::string::npos) return true;
  for (const Cursor& member : Cursor(type.bare().declaration()).children()) {
    if (member.kind() == CXCursor_FieldDecl && is_field(member.type())) return true;
  }
  return false;
}

// The value of a conversion, if it is the same number still.
TermPtr converted(const TermPtr& term, Type from, Type to) {
  if (term == nullptr) return nullptr;
  if (from.is_number() != to.is_number()) return nullptr;
  if (!to.is_number()) return term->kind == Term::Kind::kText || from.is_like(to) ? term : nullptr;
  if (to.holds_all_of(from)) return term;
  const bool small = term->kind == Term::Kind::kNumber && term->number >= 0 && term->number <= 127;
  return small && to.kind() != CXType_Bool ? term : nullptr;
}

}  // namespace

std::string operator_between(const Cursor& left, const Cursor& right) {
  return trimmed(left.source_between(left.end(), right.begin()));
}

bool leads_to_node(const Cursor& expression) {
  const Type type = expression.type();
  if (is_node(type) || is_env(type)) return true;
  const Cursor function = expression.referenced();  // self(), in a template
  return expression.kind() == CXCursor_CallExpr && function.exists() &&
         Type(clang_getCursorResultType(function.raw()))
             .bare()
             .text()
             .starts_with("type-parameter");
}

std::string written_member(const Cursor& expression) {
  unsigned begin = expression.begin();
  for (const Cursor& part : expression.children()) {
    if (clang_isExpression(part.kind()) != 0) begin = part.end();
  }
  std::string text = expression.source_between(begin, expression.end());
  size_t end = text.size();
  while (end > 0 &&
         (std::isalnum(static_cast<unsigned char>(text[end - 1])) != 0 || text[end - 1] == '_')) {
    --end;
  }
  return text.substr(end);
}

bool is_comparison(const std::string& text) {
  static constexpr std::array kAll = {"==", "!=", "<", "<=", ">", ">="};
  return std::ranges::find(kAll, text) != kAll.end();
}

void Walker::note(const Cursor& where, const std::string& why) {
  const Place place = where.place();
  for (const Note& known : notes_) {
    if (known.why == why && known.place.text() == place.text()) return;
  }
  notes_.push_back({place, why});
}

void Walker::not_understood(const Cursor& where, const std::string& why, State& state) {
  note(where, why);
  state.everything();
}

// Whoever keeps a reference to a field may read and write it from now on.
void Walker::keep(const Value& value, const Cursor& where, State& state) {
  if (value.fields != 0) {
    note(where, "a field is handed on; it counts as read and written");
    state.read(value.fields);
    state.assign(value.fields, durable_);
  }
  if (has_effect(value, state)) {
    not_understood(where, "a lambda that has to do with the node is kept", state);
  }
}

void Walker::run_maybe(const Value& value, State& state) {
  for (const Cursor& lambda : value.lambdas) {
    repeat(state, [&](State& once) {
      const States ends = enter(lambda, {}, once);
      if (!ends.empty()) once.join(joined(ends));
    });
  }
}

bool Walker::has_effect(const Value& value, const State& state) {
  State tried;
  tried.locals = state.locals;
  run_maybe(value, tried);
  return !tried.does_the_same(State());
}

Value Walker::evaluate(const Cursor& expression, State& state, bool is_read) {
  switch (expression.kind()) {
    case CXCursor_DeclRefExpr:
      return evaluate_name(expression, state, is_read);
    case CXCursor_MemberRefExpr:
      return evaluate_member(expression, state, is_read);
    case CXCursor_CallExpr:
      return evaluate_call(expression, state);
    case CXCursor_BinaryOperator:
    case CXCursor_CompoundAssignOperator:
      return evaluate_binary(expression, state);
    case CXCursor_UnaryOperator:
      return evaluate_unary(expression, state);
    case CXCursor_LambdaExpr: {
      for (const Cursor& child : expression.children()) {  // of [x = field.get()]
        if (clang_isExpression(child.kind()) != 0) keep(evaluate(child, state), child, state);
      }
      return {.lambdas = {expression}};
    }
    case CXCursor_IntegerLiteral: {
      const auto number = expression.constant();
      return {.term = number ? make_number(*number) : nullptr};
    }
    case CXCursor_CXXBoolLiteralExpr: {
      const std::string text = expression.source();
      const bool known = text == "true" || text == "false";
      return {.term = known ? make_number(text == "true" ? 1 : 0) : nullptr};
    }
    case CXCursor_StringLiteral: {
      const std::string text = expression.name();
      const bool plain =
          text.size() >= 2 && text.front() == '"' && text.find('\\') == std::string::npos;
      return {.term = plain ? make_text(text.substr(1, text.size() - 2)) : nullptr};
    }
    case CXCursor_ParenExpr:
    case CXCursor_UnexposedExpr:
    case CXCursor_CXXFunctionalCastExpr:
    case CXCursor_CXXStaticCastExpr:
    case CXCursor_CXXConstCastExpr:
    case CXCursor_CStyleCastExpr:
      return evaluate_through(expression, state);
    case CXCursor_InitListExpr:
      return evaluate_list(expression, state);
    case CXCursor_ConditionalOperator: {
      const std::vector<Cursor> parts = expression.children();
      Value value;
      for (size_t i = 0; i < parts.size(); ++i) {
        const Value part = evaluate(parts[i], state);
        if (i > 0) value.join(part);
      }
      value.term = nullptr;
      return value;
    }
    default:
      return evaluate_parts(expression, state);
  }
}

// Each after the other; what comes of it is not known.
Value Walker::evaluate_parts(const Cursor& expression, State& state) {
  for (const Cursor& part : expression.children()) {
    if (clang_isStatement(part.kind()) != 0) state = joined(walk_body(part, state));
    if (clang_isExpression(part.kind()) == 0) continue;
    const Value value = evaluate(part, state);
    if (value.fields != 0 && is_dependent(expression)) {
      state.read(value.fields);
    } else {
      keep(value, part, state);
    }
  }
  return {};
}

// What stands for what it contains.
Value Walker::evaluate_through(const Cursor& expression, State& state) {
  std::vector<Cursor> parts;
  for (const Cursor& child : expression.children()) {
    if (clang_isExpression(child.kind()) != 0) parts.push_back(child);
  }
  if (parts.size() == 1) {
    const bool reads = expression.kind() == CXCursor_UnexposedExpr;
    Value value = evaluate(parts.front(), state, reads);
    value.term = converted(value.term, parts.front().type(), expression.type());
    return value;
  }
  return evaluate_parts(expression, state);
}

// Members of a struct that is made, or a number in braces, as they are written: a field among them
// is converted to what it holds, unless what is made refers to fields.
Value Walker::evaluate_list(const Cursor& expression, State& state) {
  Value value;
  for (const Cursor& part : expression.children()) {
    if (clang_isExpression(part.kind()) == 0) continue;
    const Value one = evaluate(part, state);
    value.lambdas.insert(value.lambdas.end(), one.lambdas.begin(), one.lambdas.end());
    if (leads_to_node(part)) not_understood(part, "the node is handed on", state);
    if (expression.type().is_number()) {
      value.term = converted(one.term, part.type(), expression.type());
    }
    if (!may_hold_field(expression.type())) {
      state.read(one.fields);
    } else {
      keep({.fields = one.fields}, part, state);
    }
  }
  return value;
}

Value Walker::evaluate_name(const Cursor& expression, State& state, bool is_read) {
  const Cursor declared = expression.referenced();
  if (!declared.exists()) return {};
  if (declared.kind() == CXCursor_EnumConstantDecl) {
    const auto number = declared.constant();
    return {.term = number ? make_number(*number) : nullptr};
  }
  const auto at = state.locals.find(declared.key());
  if (at != state.locals.end()) {
    const Type type = declared.type();
    const Type inner = type.is_reference() ? type.pointee() : type;
    // Whoever gets hold of it may change it.
    if (!is_read && !inner.canonical().is_const()) at->second.term = nullptr;
    return at->second;
  }
  if (is_field(expression.type())) {
    const uint64_t bit = node_.bit_of(declared);
    if (bit != 0) return {.fields = bit};
    note(expression, "this may be any field");
    return {.fields = UINT64_MAX};
  }
  if (declared.kind() == CXCursor_VarDecl && declared.type().canonical().is_const() &&
      declared.type().is_number()) {
    if (const auto number = expression.constant()) return {.term = make_number(*number)};
  }
  return {};
}

Value Walker::evaluate_member(const Cursor& expression, State& state, bool is_read) {
  Value base;
  for (const Cursor& part : expression.children()) {
    if (clang_isExpression(part.kind()) != 0) base = evaluate(part, state, is_read);
  }
  const Cursor member = expression.referenced();
  if (member.exists() && member.kind() == CXCursor_FieldDecl) {
    if (!is_field(expression.type())) {
      return {.lambdas = base.lambdas, .term = member_of(base.term, member.name())};
    }
    if (const uint64_t bit = node_.bit_of(member)) return {.fields = bit};
    note(expression, "this may be any field");
    return {.fields = UINT64_MAX};
  }
  if (base.fields != 0) keep({.fields = base.fields}, expression, state);
  // In a template: a member of what may be the node.
  if (member.exists() || may_be_input(expression)) return {};
  return {.fields = node_.bit_of_member(written_member(expression))};
}

Value Walker::evaluate_binary(const Cursor& expression, State& state) {
  const std::vector<Cursor> parts = expression.children();
  if (parts.size() != 2) return evaluate_parts(expression, state);
  const std::string text = operator_between(parts[0], parts[1]);
  const bool assigns = expression.kind() == CXCursor_CompoundAssignOperator || text == "=";
  Value left, right;
  in_any_order(state, [&] {
    left = evaluate(parts[0], state);
    right = evaluate(parts[1], state);
  });
  if (text == ",") return right;
  if (left.fields != 0 && assigns) {  // in a template: else these are calls
    if (parts[0].type().kind() == CXType_Pointer) keep(right, parts[1], state);
    if (expression.kind() == CXCursor_CompoundAssignOperator) state.read(left.fields);
    state.read(right.fields);
    state.assign(left.fields, durable_);
    return left;
  }
  if (assigns) {
    const bool converts = is_dependent(expression) && parts[0].type().kind() != CXType_Pointer;
    if (converts) state.read(right.fields);
    keep({.fields = converts ? 0 : right.fields, .lambdas = right.lambdas, .term = nullptr},
         parts[1], state);
    if (leads_to_node(parts[1])) not_understood(parts[1], "the node is handed on", state);
    return {};
  }
  if (expression.type().kind() == CXType_Dependent || is_dependent(parts[0])) {
    state.read(left.fields | right.fields);
  }
  if (text == "&&") return {.term = make_and(left.term, right.term)};
  if (text == "||") return {.term = make_or(left.term, right.term)};
  if (is_comparison(text)) {
    return {.term = make_whole(Term::Kind::kCompare, {left.term, right.term}, text)};
  }
  const bool adds = text == "+" || text == "-";
  if (!adds || !expression.type().holds_all_of(Type(parts[0].type()))) return {};
  const bool is_signed = expression.type().canonical().kind() == CXType_Int ||
                         expression.type().canonical().kind() == CXType_Long;
  if (!is_signed) return {};
  return {.term = make_whole(text == "+" ? Term::Kind::kPlus : Term::Kind::kMinus,
                             {left.term, right.term})};
}

Value Walker::evaluate_unary(const Cursor& expression, State& state) {
  const std::vector<Cursor> parts = expression.children();
  if (parts.size() != 1) return evaluate_parts(expression, state);
  Value value = evaluate(parts.front(), state);
  const std::string text = expression.source();
  const std::string inner = parts.front().source();
  if (text.starts_with("++") || text.starts_with("--") || text.ends_with("++") ||
      text.ends_with("--")) {
    state.read(value.fields);
    state.assign(value.fields, durable_);
    value.term = nullptr;
  } else if (text == inner) {
    // `a != b` where only == is defined: the call below it has taken != for its operator.
    const std::vector<Cursor> two = parts.front().arguments();
    const bool rewritten = two.size() == 2 && operator_between(two[0], two[1]) == "!=";
    if (!rewritten) value.term = nullptr;
  } else if (text.starts_with('!') && text.ends_with(inner)) {
    value.term = make_not(value.term);
  } else if (text.starts_with('-') && value.term != nullptr &&
             value.term->kind == Term::Kind::kNumber && text.ends_with(inner)) {
    value.term = make_number(-value.term->number);
  } else {
    value.term = nullptr;
  }
  return value;
}

}  // namespace clew::analyze
