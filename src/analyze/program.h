// The nodes that files declare: their fields, what they are sent and asked, and where each of it is
// handled.
//
//   struct Acceptor : Node<Acceptor, Message>
//     void receive(Env& env, Id from, const Prepare& prepare) { ... }
//     Durable<Ballot> promised{this, "promised"};
//   };
//
// is a NodeClass with a field and, for each alternative of Message, a Handler.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analyze/clang.h"

namespace clew::analyze {

struct NodeField {
  static constexpr const char* kOthers = "*";  // all that are no members of the node's own classes

  std::string name;  // as the node tells it: the text in {this, "promised"}
  std::string usr{};
  std::string member{};
  std::string owner{};  // the class, if that is a template
  bool durable = false;
};

struct Handler {
  std::string kind;   // start, receive, request, timer
  std::string input;  // the message or request as CLEW_FIELDS calls it; empty if it has no name
  std::vector<Cursor> functions;  // that it may be, most often one; none: nothing is done
  std::string type{};             // of the message or request, as bare_text has it
};

struct NodeClass {
  std::string name;  // qualified
  Place place;
  std::string opaque{};  // why nothing is known of it, if so
  std::vector<NodeField> fields{};
  std::vector<Handler> handlers{};
  std::vector<Cursor> bases{};  // it, then its base classes; of a template, the template

  uint64_t bit_of(const Cursor& member) const;              // 0 if that cannot be told
  uint64_t bit_of_member(const std::string& called) const;  // 0 if no field is called so
  uint64_t bit(size_t field) const { return uint64_t{1} << std::min<size_t>(field, 63); }
  uint64_t durable() const;  // bits of those
  bool has_base(const Cursor& cursor) const;
};

class Program {
 public:
  explicit Program(const Parsed& parsed);

  const std::vector<NodeClass>& nodes() const { return nodes_; }
  // Where the body of a function is, in whatever file; nothing if in none of them.
  std::optional<Cursor> body_owner(const Cursor& function) const;
  // The methods of that name, of the first class that has any.
  static std::vector<Cursor> methods(const NodeClass& node, const std::string& name);
  // The method that a virtual call on a node of this class means.
  Cursor overriding(const NodeClass& node, const Cursor& method) const;

 private:
  void look_at(const Cursor& cursor);
  void look_at_class(const Cursor& cursor);

  std::map<std::string, Cursor> bodies_;
  std::vector<NodeClass> nodes_;
  std::vector<Cursor> templates_;  // of nodes
};

// The statement that a function does; nothing if it is only declared.
std::optional<Cursor> body_of(const Cursor& function);
std::vector<Cursor> parameters_of(const Cursor& function);
bool has_annotation(const Cursor& function, const std::string& text);

// What types of Clew are, by name.
std::string bare_text(Type type);  // canonical; not const, and no reference
bool is_field(Type type);          // or leads to one
bool is_env(Type type);
bool is_node(Type type);
bool is_of(const Cursor& member, const std::vector<std::string>& classes);  // in clew::node

}  // namespace clew::analyze
