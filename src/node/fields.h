// Structs with named fields: declared once, and everything else follows from it.
//
//   struct Vote {
//     Id candidate;
//     int term = 0;
//     CLEW_FIELDS(Vote, candidate, term)
//   };
//
// A Vote can now be compared, encoded, decoded, printed, renamed and told as facts (value.h). It is
// an error of the compiler to leave out a member.
#pragma once

#include <compare>
#include <cstddef>
#include <tuple>
#include <utility>

namespace clew::node {

template <class Struct, class Type>
struct Member {
  const char* name;
  Type Struct::*pointer;
};

template <class T>
concept HasFields = requires {
  T::clew_fields();
};

namespace fields {

// Converts to whatever a member needs.
struct Anything {
  template <class T>
  operator T() const;  // NOLINT(google-explicit-constructor): that is its use
};

template <class T, size_t... I>
constexpr bool takes(std::index_sequence<I...>) {
  return requires { T{((void)I, Anything{})...}; };
}

// How many members an aggregate has: as many as it can be made of.
template <class T, size_t Count = 0>
constexpr size_t count() {
  if constexpr (takes<T>(std::make_index_sequence<Count + 1>())) {
    return count<T, Count + 1>();
  } else {
    return Count;
  }
}

template <class T>
constexpr bool all_listed() {
  return count<T>() == std::tuple_size_v<decltype(T::clew_fields())>;
}

}  // namespace fields

// Calls visit(name, member) for each field, in order. `value` may be const.
template <class T, class Visit>
void for_each_field(T&& value, Visit&& visit) {
  using Struct = std::remove_cvref_t<T>;
  std::apply([&](const auto&... field) { (visit(field.name, value.*(field.pointer)), ...); },
             Struct::clew_fields());
}

}  // namespace clew::node

// Up to 64 names, one after the other.
#define CLEW_PARENS_ ()
#define CLEW_EXPAND_(...) CLEW_EXPAND_3_(CLEW_EXPAND_3_(CLEW_EXPAND_3_(__VA_ARGS__)))
#define CLEW_EXPAND_3_(...) CLEW_EXPAND_2_(CLEW_EXPAND_2_(CLEW_EXPAND_2_(__VA_ARGS__)))
#define CLEW_EXPAND_2_(...) CLEW_EXPAND_1_(CLEW_EXPAND_1_(CLEW_EXPAND_1_(__VA_ARGS__)))
#define CLEW_EXPAND_1_(...) __VA_ARGS__
#define CLEW_EACH_(Type, ...) __VA_OPT__(CLEW_EXPAND_(CLEW_EACH_NEXT_(Type, __VA_ARGS__)))
#define CLEW_EACH_NEXT_(Type, field, ...) \
  CLEW_MEMBER_(Type, field)               \
  __VA_OPT__(, CLEW_EACH_AGAIN_ CLEW_PARENS_(Type, __VA_ARGS__))
#define CLEW_EACH_AGAIN_() CLEW_EACH_NEXT_
#define CLEW_MEMBER_(Type, field) \
  ::clew::node::Member<Type, decltype(Type::field)> { #field, &Type::field }

#define CLEW_FIELDS(Type, ...)                                                                   \
  static constexpr const char* clew_name() { return #Type; }                                     \
  static constexpr auto clew_fields() { return std::make_tuple(CLEW_EACH_(Type, __VA_ARGS__)); } \
  static constexpr void clew_check() {                                                           \
    static_assert(::clew::node::fields::all_listed<Type>(),                                      \
                  "CLEW_FIELDS lists every member of the struct once");                          \
  }                                                                                              \
  friend bool operator==(const Type&, const Type&) = default;                                    \
  friend auto operator<=>(const Type&, const Type&) = default;
