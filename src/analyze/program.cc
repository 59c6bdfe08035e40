#include "analyze/program.h"

#include <algorithm>
#include <set>

namespace clew::analyze {

namespace {

constexpr const char* kNode = "clew::node::Node<";

std::string without_const(const std::string& text) {
  return text.starts_with("const ") ? text.substr(6) : text;
}

bool is_class(const Cursor& cursor) {
  return cursor.kind() == CXCursor_StructDecl || cursor.kind() == CXCursor_ClassDecl;
}

bool is_function(const Cursor& cursor) {
  switch (cursor.kind()) {
    case CXCursor_FunctionDecl:
    case CXCursor_CXXMethod:
    case CXCursor_FunctionTemplate:
    case CXCursor_Constructor:
    case CXCursor_ConversionFunction:
      return true;
    default:
      return false;
  }
}

// Namespaces in which there are no nodes of users.
bool is_ours(const Cursor& space) {
  const std::string name = space.qualified_name();
  return name == "clew::node" || name == "clew::explore";
}

// The first text in it.
std::optional<std::string> literal_in(const Cursor& cursor) {
  if (cursor.kind() == CXCursor_StringLiteral) {
    const std::string quoted = cursor.name();
    return quoted.size() < 2 ? "" : quoted.substr(1, quoted.size() - 2);
  }
  for (const Cursor& child : cursor.children()) {
    if (auto found = literal_in(child)) return found;
  }
  return std::nullopt;
}

// As messages print themselves: what CLEW_FIELDS says.
std::string printed_name(Type type) {
  for (const Cursor& child : Cursor(type.bare().declaration()).children()) {
    if (child.name() == "clew_name") return literal_in(child).value_or("");
  }
  return "";
}

std::vector<Type> alternatives(Type type) {
  if (type.canonical().text().starts_with("std::variant<")) return type.canonical().arguments();
  return {type};
}

bool is_node_template(const Cursor& pattern) {
  for (const Cursor& child : pattern.children()) {
    if (child.kind() != CXCursor_CXXBaseSpecifier) continue;
    for (const Cursor& part : child.children()) {
      if (part.kind() == CXCursor_TemplateRef &&
          part.referenced().qualified_name() == "clew::node::Node") {
        return true;
      }
    }
  }
  return false;
}

// The arguments of the Node<...> that a class derives from, at whatever distance; its classes go to
// `bases`.
struct Ancestry {
  std::vector<Cursor> bases{};
  std::vector<Type> arguments{};
  bool hidden = false;  // by a template that is not understood
};

// What a template's Node<Self, Message> stands for in a class that is made of it.
std::vector<Type> arguments_through(const Cursor& pattern, const std::vector<Type>& made_of) {
  std::vector<std::string> parameters;
  std::vector<Type> result;
  for (const Cursor& child : pattern.children()) {
    if (child.kind() == CXCursor_TemplateTypeParameter) parameters.push_back(child.name());
    if (child.kind() != CXCursor_CXXBaseSpecifier) continue;
    const bool is_node = child.type().canonical().text().starts_with(kNode);
    if (!is_node && !is_node_template(pattern)) continue;
    result = child.type().written_arguments();
  }
  for (Type& type : result) {
    const auto at = std::ranges::find(parameters, type.text());
    const auto which = static_cast<size_t>(at - parameters.begin());
    if (at != parameters.end() && which < made_of.size()) type = made_of[which];
  }
  return result;
}

void climb(const Cursor& cursor, Ancestry& found) {
  found.bases.push_back(cursor);
  for (const Cursor& child : cursor.children()) {
    if (child.kind() != CXCursor_CXXBaseSpecifier) continue;
    const Type base = child.type().canonical();
    if (base.text().starts_with(kNode)) {
      found.arguments = base.arguments();
      continue;
    }
    const Cursor declared(base.declaration());
    const Cursor pattern(clang_getSpecializedCursorTemplate(base.declaration()));
    if (pattern.exists() && is_node_template(pattern)) {
      found.bases.push_back(pattern);
      found.arguments = arguments_through(pattern, base.arguments());
      found.hidden = found.arguments.size() < 2;
    } else if (is_class(declared) && declared.definition().exists()) {
      climb(declared.definition(), found);
    }
  }
}

// Those of a base are hidden by those of a class, unless it says `using`.
std::vector<Cursor> methods_named(const std::vector<Cursor>& bases, const std::string& name) {
  std::vector<Cursor> found;
  for (const Cursor& base : bases) {
    bool goes_on = found.empty();
    for (const Cursor& child : base.children()) {
      if (is_function(child) && child.name() == name) {
        found.push_back(child);
        goes_on = false;
      }
    }
    for (const Cursor& child : base.children()) {
      const bool names = child.kind() == CXCursor_UsingDeclaration && child.name() == name;
      goes_on = goes_on || names;
    }
    if (!goes_on) break;
  }
  return found;
}

// Of overloads those that may take this type as their third parameter.
std::vector<Cursor> taking(const std::vector<Cursor>& overloads, const std::vector<Type>& all,
                           Type type) {
  std::vector<Cursor> exact, others;
  for (const Cursor& one : overloads) {
    const std::vector<Cursor> parameters = parameters_of(one);
    if (parameters.size() != 3) continue;
    const std::string takes = bare_text(parameters[2].type());
    if (takes == bare_text(type)) {
      if (exact.empty()) exact.push_back(one);
    } else if (std::ranges::none_of(all, [&](Type t) { return bare_text(t) == takes; })) {
      others.push_back(one);
    }
  }
  return exact.empty() ? others : exact;
}

std::vector<NodeField> fields_of(const std::vector<Cursor>& bases) {
  std::vector<NodeField> fields;
  for (size_t i = bases.size(); i-- > 0;) {
    const Cursor& base = bases[i];
    for (const Cursor& child : base.children()) {
      if (child.kind() != CXCursor_FieldDecl || child.type().is_reference()) continue;
      if (child.type().kind() == CXType_Pointer || !is_field(child.type())) continue;
      const bool durable = child.type().canonical().text().find("::Durable<") != std::string::npos;
      fields.push_back({.name = literal_in(child).value_or(child.name()),
                        .usr = child.usr(),
                        .member = child.name(),
                        .owner = base.kind() == CXCursor_ClassTemplate ? base.name() : "",
                        .durable = durable});
    }
  }
  fields.push_back({.name = NodeField::kOthers, .durable = true});
  return fields;
}

std::vector<Handler> handlers_of(const std::vector<Cursor>& bases,
                                 const std::vector<Type>& arguments) {
  std::vector<Handler> handlers;
  handlers.push_back({"start", "", methods_named(bases, "start")});
  const auto add = [&](const char* kind, Type types) {
    const std::vector<Type> all = alternatives(types);
    const std::vector<Cursor> overloads = methods_named(bases, kind);
    for (const Type type : all) {
      handlers.push_back({kind, printed_name(type), taking(overloads, all, type), bare_text(type)});
    }
  };
  add("receive", arguments.at(1));
  const bool takes_requests = arguments.size() > 2 && bare_text(arguments[2]) != "clew::node::None";
  if (takes_requests) add("request", arguments[2]);
  handlers.push_back({"timer", "", methods_named(bases, "timer")});
  return handlers;
}

bool has_prefix(Type type, const std::vector<std::string>& prefixes) {
  const std::string text = bare_text(type);
  return std::ranges::any_of(prefixes,
                             [&](const std::string& prefix) { return text.starts_with(prefix); });
}

}  // namespace

std::string bare_text(Type type) { return without_const(type.bare().text()); }

uint64_t NodeClass::bit_of(const Cursor& member) const {
  const std::string usr = member.usr(), called = member.name(), owner = member.parent().name();
  for (size_t i = 0; i + 1 < fields.size(); ++i) {
    const NodeField& field = fields[i];
    if (field.usr == usr) return bit(i);
    // Of a class that is made of a template, its members are copies.
    if (!field.owner.empty() && field.owner == owner && field.member == called) return bit(i);
  }
  const bool is_member = member.kind() == CXCursor_FieldDecl && !member.type().is_reference() &&
                         member.type().kind() != CXType_Pointer;
  return is_member && !has_base(member.parent()) ? bit(fields.size() - 1) : 0;
}

uint64_t NodeClass::bit_of_member(const std::string& called) const {
  uint64_t bits = 0;
  for (size_t i = 0; i + 1 < fields.size(); ++i) {
    if (fields[i].member == called) bits |= bit(i);
  }
  return bits;
}

bool NodeClass::has_base(const Cursor& cursor) const {
  return std::ranges::any_of(bases, [&](const Cursor& base) {
    const bool same_template =
        base.kind() == CXCursor_ClassTemplate && base.name() == cursor.name();
    return base.usr() == cursor.usr() || same_template;
  });
}

uint64_t NodeClass::durable() const {
  uint64_t bits = 0;
  for (size_t i = 0; i < fields.size(); ++i) bits |= fields[i].durable ? bit(i) : 0;
  return bits;
}

Program::Program(const Parsed& parsed) {
  for (const Cursor& unit : parsed.units()) look_at(unit);
  for (const Cursor& pattern : templates_) {
    const bool is_known = std::ranges::any_of(nodes_, [&](const NodeClass& node) {
      return node.name == pattern.qualified_name() || node.has_base(pattern);
    });
    if (is_known) continue;
    nodes_.push_back({.name = pattern.qualified_name(),
                      .place = pattern.place(),
                      .opaque = "the class is a template"});
  }
}

void Program::look_at(const Cursor& cursor) {
  for (const Cursor& child : cursor.children()) {
    if (child.is_in_system_header()) continue;
    switch (child.kind()) {
      case CXCursor_Namespace:
        if (!is_ours(child)) look_at(child);
        break;
      case CXCursor_LinkageSpec:
      case CXCursor_UnexposedDecl:
      case CXCursor_ClassTemplate:
        look_at(child);
        if (child.kind() == CXCursor_ClassTemplate && is_node_template(child)) {
          templates_.push_back(child);
        }
        break;
      case CXCursor_StructDecl:
      case CXCursor_ClassDecl:
        look_at(child);
        look_at_class(child);
        break;
      default:
        if (is_function(child) && body_of(child)) bodies_.emplace(child.usr(), child);
    }
  }
}

void Program::look_at_class(const Cursor& cursor) {
  if (!(cursor.definition() == cursor)) return;
  Ancestry ancestry;
  climb(cursor, ancestry);
  if (ancestry.arguments.empty() && !ancestry.hidden) return;
  NodeClass node{.name = cursor.qualified_name(), .place = cursor.place()};
  for (const NodeClass& known : nodes_) {
    if (known.name == node.name) return;
  }
  node.bases = ancestry.bases;
  node.fields = fields_of(ancestry.bases);
  if (ancestry.hidden) {
    node.opaque = "the class derives from a template that is a node";
  } else {
    node.handlers = handlers_of(ancestry.bases, ancestry.arguments);
    if (!methods_named(ancestry.bases, "declares_state").empty()) {
      node.opaque = "the node does not declare its state";
    }
  }
  nodes_.push_back(std::move(node));
}

std::optional<Cursor> Program::body_owner(const Cursor& function) const {
  if (!is_function(function)) return std::nullopt;
  if (function.is_in_system_header()) return std::nullopt;
  if (body_of(function)) return function;
  if (const Cursor known = function.definition(); known.exists() && body_of(known)) return known;
  const Cursor pattern(clang_getSpecializedCursorTemplate(function.raw()));
  if (pattern.exists() && !(pattern == function)) return body_owner(pattern);
  const auto at = bodies_.find(function.usr());
  if (at == bodies_.end()) return std::nullopt;
  return at->second;
}

std::vector<Cursor> Program::methods(const NodeClass& node, const std::string& name) {
  return methods_named(node.bases, name);
}

Cursor Program::overriding(const NodeClass& node, const Cursor& method) const {
  const std::string type = method.type().canonical().text();
  const bool is_of_template = type.find("type-parameter") != std::string::npos;
  for (const Cursor& base : node.bases) {
    for (const Cursor& child : base.children()) {
      if (!is_function(child) || child.name() != method.name()) continue;
      const std::string other = child.type().canonical().text();
      const bool may_be = is_of_template || other.find("type-parameter") != std::string::npos;
      const bool same_count = parameters_of(child).size() == parameters_of(method).size();
      if (other == type || (may_be && same_count)) return child;
    }
  }
  return method;
}

std::optional<Cursor> body_of(const Cursor& function) {
  for (const Cursor& child : function.children()) {
    if (child.kind() == CXCursor_CompoundStmt || child.kind() == CXCursor_CXXTryStmt) return child;
  }
  return std::nullopt;
}

std::vector<Cursor> parameters_of(const Cursor& function) {
  std::vector<Cursor> parameters;
  for (const Cursor& child : function.children()) {
    if (child.kind() == CXCursor_ParmDecl) parameters.push_back(child);
  }
  return parameters;
}

bool has_annotation(const Cursor& function, const std::string& text) {
  return std::ranges::any_of(function.children(), [&](const Cursor& child) {
    return child.kind() == CXCursor_AnnotateAttr && child.name() == text;
  });
}

bool is_field(Type type) {
  return has_prefix(type, {"clew::node::Field<", "clew::node::Durable<", "clew::node::AnyField"});
}

bool is_env(Type type) {
  if (has_prefix(type, {"clew::node::Env<", "clew::node::AnyEnv"})) return true;
  const std::string text = bare_text(type);  // in a template, what somebody calls Env
  const bool depends = text.find("type-parameter") != std::string::npos;
  return depends && text.ends_with("::Env");
}

bool is_node(Type type) {
  if (has_prefix(type, {kNode, "clew::node::AnyNode"})) return true;
  const Cursor declared = Cursor(type.bare().declaration()).definition();
  if (!declared.exists() || !is_class(declared)) return false;
  Ancestry ancestry;
  climb(declared, ancestry);
  return !ancestry.arguments.empty() || ancestry.hidden;
}

bool is_of(const Cursor& member, const std::vector<std::string>& classes) {
  const Cursor parent = member.parent();
  return std::ranges::find(classes, parent.name()) != classes.end() &&
         parent.parent().qualified_name() == "clew::node";
}

}  // namespace clew::analyze
