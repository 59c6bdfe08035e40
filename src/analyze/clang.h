// The little of libclang that the analysis uses, as values with methods. Nobody else includes it.
//
//   const Parsed file({"paxos.cc"}, flags, {{"paxos.cc", source}});    // or what is in the file
//   file.failed()
//   file.complaints()                                       // as the compiler says them
//   for (const Cursor& child : file.units()[0].children()) ...
//
// A cursor is a part of the source: a class, a function, a statement, an expression. It lives as
// long as the Parsed that it came from.
#pragma once

#include <clang-c/Index.h>

#include <optional>
#include <string>
#include <vector>

namespace clew::analyze {

struct Place {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;

  std::string text() const;  // `paxos.h:92:5`
};

class Type {
 public:
  explicit Type(CXType type) : type_(type) {}

  std::string text() const;
  Type canonical() const { return Type(clang_getCanonicalType(type_)); }
  Type pointee() const { return Type(clang_getPointeeType(type_)); }  // of pointers and references
  Type bare() const;  // canonical, what pointers and references lead to
  CXTypeKind kind() const { return type_.kind; }
  bool is_const() const { return clang_isConstQualifiedType(type_) != 0; }
  bool is_reference() const;
  bool is_number() const;                       // integers, bool and enums
  bool holds_all_of(Type other) const;          // of numbers: no value is changed
  bool is_like(Type other) const;               // the same but for references, pointers and const
  std::vector<Type> written_arguments() const;  // in a template, as it says them
  std::vector<Type> arguments() const;          // of a template
  CXCursor declaration() const { return clang_getTypeDeclaration(type_); }

 private:
  CXType type_;
};

class Cursor {
 public:
  Cursor() : cursor_(clang_getNullCursor()) {}
  explicit Cursor(CXCursor cursor) : cursor_(cursor) {}

  CXCursor raw() const { return cursor_; }
  bool exists() const { return clang_Cursor_isNull(cursor_) == 0; }
  CXCursorKind kind() const { return clang_getCursorKind(cursor_); }
  std::string name() const;
  std::string usr() const;  // the same for the same declaration in several files
  const void* key() const { return cursor_.data[0]; }        // of a declaration
  const void* statement() const { return cursor_.data[1]; }  // of a statement
  std::string qualified_name() const;  // as demangled: `(anonymous namespace)::A`
  Type type() const { return Type(clang_getCursorType(cursor_)); }
  std::vector<Cursor> children() const;
  Cursor referenced() const { return Cursor(clang_getCursorReferenced(cursor_)); }
  Cursor definition() const { return Cursor(clang_getCursorDefinition(cursor_)); }
  Cursor parent() const { return Cursor(clang_getCursorSemanticParent(cursor_)); }
  bool is_virtual() const { return clang_CXXMethod_isVirtual(cursor_) != 0; }
  bool is_static() const { return clang_CXXMethod_isStatic(cursor_) != 0; }
  // Of a call; of an operator that is a member, the object is the first.
  std::vector<Cursor> arguments() const;
  std::vector<Cursor> overloads() const;  // that the name may mean
  std::optional<int64_t> constant() const;

  Place place() const;
  bool is_in_system_header() const;
  // Where it begins and ends in its file; what a macro makes begins where the macro does.
  unsigned begin() const;
  unsigned end() const;
  std::string source() const;                                      // as it is written
  std::string source_between(unsigned begin, unsigned end) const;  // of its file

  friend bool operator==(const Cursor& a, const Cursor& b) {
    return clang_equalCursors(a.cursor_, b.cursor_) != 0;
  }

 private:
  CXCursor cursor_;
};

// The files, parsed as a compiler would.
class Parsed {
 public:
  struct Text {
    std::string name;
    std::string text;
  };
  // `texts` are files that are not on the disk.
  Parsed(const std::vector<std::string>& files, const std::vector<std::string>& flags,
         const std::vector<Text>& texts = {});
  ~Parsed();
  Parsed(const Parsed&) = delete;
  Parsed& operator=(const Parsed&) = delete;

  bool failed() const { return failed_; }
  const std::string& complaints() const { return complaints_; }
  const std::vector<Cursor>& units() const { return cursors_; }

 private:
  CXIndex index_;
  std::vector<CXTranslationUnit> units_;
  std::vector<Cursor> cursors_;
  bool failed_ = false;
  std::string complaints_;
};

}  // namespace clew::analyze
