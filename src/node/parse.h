// Values from text, as print() of value.h writes them and people type them.
//
//   parse<Request>("Put{key: \"k\", value: 1}", names)     // of a variant: the struct called Put
//   parse<Request>("Put{\"k\", 1}", names)                 // members in order, without their names
//   parse<std::vector<Id>>("[a, b]", names)
//
// What print() gives is read back as the same value, unless it nests too deep. What is wrong is
// thrown as NotText, which says where and what could stand there.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "node/value.h"

namespace clew::node {

struct NotText : std::runtime_error {
  NotText(const std::string& what, std::string what_to_do)
      : std::runtime_error(what), remedy(std::move(what_to_do)) {}
  std::string remedy;
};

// Takes words from the front of a text.
class TextReader {
 public:
  TextReader(std::string_view text, const Names& names) : text_(text), names_(names) {}

  const Names& names() const { return names_; }
  bool sees(char c);     // next, after blanks
  bool take(char c);     // and goes on behind it
  void expect(char c);   // or fails
  void end();            // or fails
  std::string word();    // letters, digits and _ ; empty if there are none
  std::string string();  // "..." with "" for each " in it
  int64_t number();
  Id id();
  // A container begins and ends: no more than kDeepest within one another.
  void enter();
  void leave() { ++depth_; }
  size_t at() const { return at_; }
  void go_back(size_t at) { at_ = at; }
  // "column 5: `x` where a number is expected"
  [[noreturn]] void fail(const std::string& expected, const std::string& remedy = {});

 private:
  void skip_blanks();

  std::string_view text_;
  const Names& names_;
  size_t at_ = 0;
  size_t depth_ = kDeepest;  // so many containers may begin
};

template <class T>
void parse(TextReader& in, T& value);

namespace kinds {

// `{`, parts with commas in between, and `}`.
template <class Part>
void parse_list(TextReader& in, char open, char close, const Part& part) {
  in.expect(open);
  if (in.take(close)) return;
  do {
    part();
  } while (in.take(','));
  in.expect(close);
}

template <class T>
std::string field_names() {
  std::string names;
  std::apply(
      [&](const auto&... field) {
        ((names += (names.empty() ? "" : ", ") + std::string(field.name)), ...);
      },
      T::clew_fields());
  return names;
}

// The name of the next member if it stands there with a colon.
template <class T>
bool parse_named(TextReader& in, T& value, std::vector<std::string>& seen) {
  const size_t before = in.at();
  const std::string name = in.word();
  if (name.empty() || !in.take(':')) {
    in.go_back(before);
    return false;
  }
  bool found = false;
  for (const std::string& other : seen) {
    if (other == name) in.go_back(before), in.fail("a member that was not given yet");
  }
  for_each_field(value, [&](const char* field_name, auto& field) {
    if (name == field_name) parse(in, field), found = true;
  });
  if (!found) {
    in.go_back(before);
    in.fail("a member of " + std::string(T::clew_name()), "it has " + field_names<T>());
  }
  seen.push_back(name);
  return true;
}

template <class T>
void parse_position(TextReader& in, T& value, size_t position) {
  size_t at = 0;
  for_each_field(value, [&](const char*, auto& field) {
    if (at++ == position) parse(in, field);
  });
}

// All members, with their names in any order or without in theirs.
template <class T>
void parse_members(TextReader& in, T& value) {
  constexpr size_t kCount = std::tuple_size_v<decltype(T::clew_fields())>;
  if (kCount == 0) {
    if (in.take('{')) in.expect('}');
    return;
  }
  std::vector<std::string> seen;
  size_t count = 0;
  parse_list(in, '{', '}', [&] {
    if (count == kCount) in.fail("}", std::string(T::clew_name()) + " has " + field_names<T>());
    if (!parse_named(in, value, seen)) {
      if (!seen.empty()) in.fail("the name of a member and a colon");
      parse_position(in, value, count);
    } else if (seen.size() != count + 1) {
      in.fail("} or a member without its name");
    }
    ++count;
  });
  if (count < kCount) {
    in.fail("more members before the }", std::string(T::clew_name()) + " has " + field_names<T>());
  }
}

template <class T>
void parse_struct(TextReader& in, T& value) {
  const size_t before = in.at();
  const std::string name = in.word();
  if (name != T::clew_name() && !(name.empty() && in.sees('{'))) {
    in.go_back(before);
    in.fail(T::clew_name());
  }
  parse_members(in, value);
}

template <class Variant, size_t I>
std::string alternative_names() {
  if constexpr (I == std::variant_size_v<Variant>) {
    return "";
  } else {
    using T = std::variant_alternative_t<I, Variant>;
    std::string name = "a value without a name";
    if constexpr (HasFields<T>) name = T::clew_name();
    const std::string others = alternative_names<Variant, I + 1>();
    return others.empty() ? name : name + ", " + others;
  }
}

// A struct is known by its name; the first of other alternatives that fits is it.
template <size_t I, class Variant>
void parse_alternative(TextReader& in, Variant& value) {
  if constexpr (I == std::variant_size_v<Variant>) {
    in.fail("one of these", "there are " + alternative_names<Variant, 0>());
  } else {
    using T = std::variant_alternative_t<I, Variant>;
    const size_t before = in.at();
    if constexpr (HasFields<T>) {
      if (in.word() == T::clew_name()) {
        parse_members(in, value.template emplace<I>());
        return;
      }
    } else {
      try {
        parse(in, value.template emplace<I>());
        return;
      } catch (const NotText&) {  // another one, then
      }
    }
    in.go_back(before);
    parse_alternative<I + 1>(in, value);
  }
}

template <class T>
void parse_number(TextReader& in, T& value) {
  const size_t before = in.at();
  const int64_t number = in.number();
  value = static_cast<T>(number);
  if (static_cast<int64_t>(value) != number) {
    in.go_back(before);
    in.fail("a number that its type can hold");
  }
}

template <class T>
void parse_many(TextReader& in, T& value) {
  const char open = Ordered<T> ? '{' : '[', close = Ordered<T> ? '}' : ']';
  value.clear();
  in.enter();
  parse_list(in, open, close, [&] {
    if constexpr (Mapping<T>) {
      std::pair<typename T::key_type, typename T::mapped_type> part{};
      parse(in, part.first);
      in.expect(':');
      parse(in, part.second);
      value.insert(std::move(part));
    } else {
      typename T::value_type part{};
      parse(in, part);
      value.insert(value.end(), std::move(part));
    }
  });
  in.leave();
}

template <class T>
void parse_array(TextReader& in, T& value) {
  size_t count = 0;
  parse_list(in, '[', ']', [&] {
    if (count == value.size()) in.fail("]");
    parse(in, value[count++]);
  });
  if (count < value.size()) in.fail("more parts before the ]");
}

template <class T>
void parse_tuple(TextReader& in, T& value) {
  in.expect('(');
  bool first = true;
  std::apply(
      [&](auto&... part) {
        ((first ? void(first = false) : in.expect(','), parse(in, part)), ...);
      },
      value);
  in.expect(')');
}

inline void parse_bool(TextReader& in, bool& value) {
  const size_t before = in.at();
  const std::string word = in.word();
  value = word == "true";
  if (!value && word != "false") in.go_back(before), in.fail("true or false");
}

template <class T>
void parse_optional(TextReader& in, T& value) {
  const size_t before = in.at();
  value.reset();
  if (in.word() == "none") return;
  in.go_back(before);
  parse(in, value.emplace());
}

}  // namespace kinds

template <class T>
void parse(TextReader& in, T& value) {
  check_value<T>();
  if constexpr (std::is_same_v<T, bool>) {
    kinds::parse_bool(in, value);
  } else if constexpr (std::is_same_v<T, Id>) {
    value = in.id();
  } else if constexpr (Number<T>) {
    kinds::parse_number(in, value);
  } else if constexpr (std::is_same_v<T, std::string>) {
    value = in.string();
  } else if constexpr (HasFields<T>) {
    kinds::parse_struct(in, value);
  } else if constexpr (kinds::kIsOptional<T>) {
    kinds::parse_optional(in, value);
  } else if constexpr (kinds::kIsVariant<T>) {
    kinds::parse_alternative<0>(in, value);
  } else if constexpr (Tuple<T>) {
    kinds::parse_tuple(in, value);
  } else if constexpr (kinds::kIsArray<T>) {
    kinds::parse_array(in, value);
  } else {
    kinds::parse_many(in, value);
  }
}

// All of the text.
template <class T>
T parse(std::string_view text, const Names& names) {
  TextReader in(text, names);
  T value{};
  parse(in, value);
  in.end();
  return value;
}

}  // namespace clew::node
