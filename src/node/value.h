// What can be state, a message or a request, and what follows from its type.
//
//   std::string bytes = encode(vote);              // the same bytes for equal values
//   std::optional<Vote> again = decode<Vote>(bytes);
//   print(vote, names)                             // `Vote{candidate: b, term: 3}`
//   rename(vote, {Id{1}, Id{0}});                  // a and b change places
//   facts(vote, names, columns, row);              // row({"a", 3})
//
// Values are integers, enums, bools, strings, Ids, structs with CLEW_FIELDS, and of values:
// optional, pair, tuple, array, variant, vector, deque, list, set, multiset, map. What has no order
// of its own (unordered_map), is not the same everywhere (pointers, floating point) or is shared is
// refused by the compiler.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "node/fields.h"
#include "node/id.h"

namespace clew::node {

namespace kinds {

template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;
template <class T>
inline constexpr bool kIsVariant = false;
template <class... T>
inline constexpr bool kIsVariant<std::variant<T...>> = true;
template <class T>
inline constexpr bool kIsArray = false;
template <class T, size_t N>
inline constexpr bool kIsArray<std::array<T, N>> = true;

}  // namespace kinds

template <class T>
concept Number = (std::is_integral_v<T> && !std::is_same_v<T, bool>) || std::is_enum_v<T>;
template <class T>
concept Tuple = requires {
  std::tuple_size<T>::value;
}
&&!kinds::kIsArray<T>;
template <class T>
concept Ordered = requires {
  typename T::key_type;
  typename T::key_compare;
};
template <class T>
concept Mapping = Ordered<T> && requires {
  typename T::mapped_type;
};
template <class T>
concept Sequence =
    !Ordered<T> && !std::is_same_v<T, std::string> && requires(T t, typename T::value_type v) {
  t.push_back(v), t.begin(), t.size();
};
// Has several parts of one type.
template <class T>
concept Many = Ordered<T> || Sequence<T> || kinds::kIsArray<T>;

template <class T>
concept Value = std::is_same_v<T, bool> || std::is_same_v<T, std::string> ||
    std::is_same_v<T, Id> || Number<T> || HasFields<T> || kinds::kIsOptional<T> ||
    kinds::kIsVariant<T> || Tuple<T> || Many<T>;

template <class T>
constexpr void check_value() {
  static_assert(Value<T>,
                "this type can be no part of a node's state or messages: use integers, enums, "
                "strings, Ids, ordered containers and structs with CLEW_FIELDS (node/value.h)");
}

// An unsigned number for a signed one, small if it is near to 0.
inline uint64_t folded(int64_t number) {
  return (static_cast<uint64_t>(number) << 1U) ^ static_cast<uint64_t>(number >> 63U);
}
inline int64_t unfolded(uint64_t number) {
  return static_cast<int64_t>(number >> 1U) ^ -static_cast<int64_t>(number & 1U);
}

inline void encode_number(uint64_t number, std::string& out) {
  for (; number >= 0x80; number >>= 7U) out.push_back(static_cast<char>(number | 0x80U));
  out.push_back(static_cast<char>(number));
}

template <class T>
void encode(const T& value, std::string& out) {
  check_value<T>();
  if constexpr (std::is_same_v<T, bool>) {
    out.push_back(value ? 1 : 0);
  } else if constexpr (std::is_same_v<T, Id>) {
    out.push_back(static_cast<char>(value.number));
  } else if constexpr (Number<T>) {
    encode_number(folded(static_cast<int64_t>(value)), out);
  } else if constexpr (std::is_same_v<T, std::string>) {
    encode_number(value.size(), out);
    out += value;
  } else if constexpr (HasFields<T>) {
    for_each_field(value, [&](const char*, const auto& field) { encode(field, out); });
  } else if constexpr (kinds::kIsOptional<T>) {
    out.push_back(value ? 1 : 0);
    if (value) encode(*value, out);
  } else if constexpr (kinds::kIsVariant<T>) {
    encode_number(value.index(), out);
    std::visit([&](const auto& held) { encode(held, out); }, value);
  } else if constexpr (Tuple<T>) {
    std::apply([&](const auto&... part) { (encode(part, out), ...); }, value);
  } else {
    if constexpr (!kinds::kIsArray<T>) encode_number(value.size(), out);
    for (const auto& part : value) encode(part, out);
  }
}

template <class T>
std::string encode(const T& value) {
  std::string out;
  encode(value, out);
  return out;
}

// Containers within containers, of what strangers say: who decodes more of them may need more stack
// than there is.
inline constexpr size_t kDeepest = 200;

// Takes bytes from the front; what does not fit makes it fail for good.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  // Of a stranger to a cluster of so many nodes: refuses Ids of others, and what nests too deep.
  Reader(std::string_view bytes, size_t nodes) : bytes_(bytes), nodes_(nodes), depth_(kDeepest) {}

  bool failed() const { return failed_; }
  bool done() const { return !failed_ && bytes_.empty(); }
  size_t left() const { return bytes_.size(); }
  uint8_t byte();
  uint64_t number();
  Id id();
  std::string_view take(uint64_t size);
  // A container begins and ends.
  void enter();
  void leave() { ++depth_; }
  void fail() { failed_ = true, bytes_ = {}; }

 private:
  std::string_view bytes_;
  size_t nodes_ = SIZE_MAX;
  size_t depth_ = SIZE_MAX;  // so many containers may begin
  bool failed_ = false;
};

template <class T>
void decode(Reader& in, T& value);

namespace kinds {

template <class Variant, size_t I = 0>
void decode_variant(Reader& in, uint64_t index, Variant& value) {
  if constexpr (I == std::variant_size_v<Variant>) {
    in.fail();
  } else if (index == I) {
    decode(in, value.template emplace<I>());
  } else {
    decode_variant<Variant, I + 1>(in, index, value);
  }
}

// What is ordered comes in order, as it was written.
template <class T, class Part>
void append(Reader& in, T& value, Part part) {
  const size_t before = value.size();
  const auto at = value.insert(value.end(), std::move(part));
  if (value.size() == before || std::next(at) != value.end()) in.fail();
}

template <class T>
void decode_many(Reader& in, T& value) {
  value.clear();
  in.enter();
  const uint64_t count = in.number();
  // Each part takes a byte at least, or there are few.
  if (count > in.left() + 64) in.fail();
  for (uint64_t i = 0; i < count && !in.failed(); ++i) {
    if constexpr (Mapping<T>) {
      std::pair<typename T::key_type, typename T::mapped_type> part{};
      decode(in, part);
      append(in, value, std::move(part));
    } else {
      typename T::value_type part{};
      decode(in, part);
      append(in, value, std::move(part));
    }
  }
  in.leave();
}

template <class T>
void decode_number(Reader& in, T& value) {
  using Whole = typename std::conditional_t<std::is_enum_v<T>, std::underlying_type<T>,
                                            std::type_identity<T>>::type;
  const int64_t number = unfolded(in.number());
  value = static_cast<T>(number);
  if constexpr (sizeof(Whole) < sizeof(int64_t)) {
    if (static_cast<int64_t>(value) != number) in.fail();
  }
}

}  // namespace kinds

template <class T>
void decode(Reader& in, T& value) {
  check_value<T>();
  if constexpr (std::is_same_v<T, bool>) {
    const uint8_t byte = in.byte();
    value = byte == 1;
    if (byte > 1) in.fail();
  } else if constexpr (std::is_same_v<T, Id>) {
    value = in.id();
  } else if constexpr (Number<T>) {
    kinds::decode_number(in, value);
  } else if constexpr (std::is_same_v<T, std::string>) {
    value = in.take(in.number());
  } else if constexpr (HasFields<T>) {
    for_each_field(value, [&](const char*, auto& field) { decode(in, field); });
  } else if constexpr (kinds::kIsOptional<T>) {
    bool has = false;
    decode(in, has);
    value.reset();
    if (has && !in.failed()) decode(in, value.emplace());
  } else if constexpr (kinds::kIsVariant<T>) {
    kinds::decode_variant(in, in.number(), value);
  } else if constexpr (Tuple<T>) {
    std::apply([&](auto&... part) { (decode(in, part), ...); }, value);
  } else if constexpr (kinds::kIsArray<T>) {
    for (auto& part : value) decode(in, part);
  } else {
    kinds::decode_many(in, value);
  }
}

// Nothing if the bytes are not those of a T, all of them.
template <class T>
std::optional<T> decode(std::string_view bytes) {
  Reader in(bytes);
  T value{};
  decode(in, value);
  if (!in.done()) return std::nullopt;
  return value;
}

template <class T>
void rename(T& value, const Renaming& renaming) {
  check_value<T>();
  if constexpr (std::is_same_v<T, Id>) {
    value = renamed(value, renaming);
  } else if constexpr (HasFields<T>) {
    for_each_field(value, [&](const char*, auto& field) { rename(field, renaming); });
  } else if constexpr (kinds::kIsOptional<T>) {
    if (value) rename(*value, renaming);
  } else if constexpr (kinds::kIsVariant<T>) {
    std::visit([&](auto& held) { rename(held, renaming); }, value);
  } else if constexpr (Tuple<T>) {
    std::apply([&](auto&... part) { (rename(part, renaming), ...); }, value);
  } else if constexpr (Mapping<T>) {
    T other;
    for (const auto& [key, mapped] : value) {
      std::pair<typename T::key_type, typename T::mapped_type> part(key, mapped);
      rename(part, renaming);
      other.insert(std::move(part));
    }
    value = std::move(other);
  } else if constexpr (Ordered<T>) {
    T other;
    for (typename T::value_type part : value) {
      rename(part, renaming);
      other.insert(std::move(part));
    }
    value = std::move(other);
  } else if constexpr (Many<T>) {
    for (auto&& part : value) {
      typename T::value_type other = part;  // a vector of bools has no parts to refer to
      rename(other, renaming);
      part = other;
    }
  }
}

// `"text"` with quotes and escapes.
std::string quoted_text(std::string_view text);

template <class T>
std::string print(const T& value, const Names& names);

namespace kinds {

template <class T>
std::string print_fields(const T& value, const Names& names) {
  std::string text = T::clew_name();
  const char* between = "{";
  for_each_field(value, [&](const char* name, const auto& field) {
    text += between;
    text += name;
    text += ": " + print(field, names);
    between = ", ";
  });
  return *between == '{' ? text : text + "}";
}

template <class T>
std::string print_many(const T& value, const Names& names) {
  std::string text;
  for (const auto& part : value) {
    if (!text.empty()) text += ", ";
    if constexpr (Mapping<T>) {
      text += print(part.first, names) + ": " + print(part.second, names);
    } else {
      text += print(static_cast<typename T::value_type>(part), names);
    }
  }
  return Ordered<T> ? "{" + text + "}" : "[" + text + "]";
}

}  // namespace kinds

template <class T>
std::string print(const T& value, const Names& names) {
  check_value<T>();
  if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_same_v<T, Id>) {
    return names.name(value);
  } else if constexpr (Number<T>) {
    return std::to_string(static_cast<int64_t>(value));
  } else if constexpr (std::is_same_v<T, std::string>) {
    return quoted_text(value);
  } else if constexpr (HasFields<T>) {
    return kinds::print_fields(value, names);
  } else if constexpr (kinds::kIsOptional<T>) {
    return value ? print(*value, names) : "none";
  } else if constexpr (kinds::kIsVariant<T>) {
    return std::visit([&](const auto& held) { return print(held, names); }, value);
  } else if constexpr (Tuple<T>) {
    std::string text;
    const auto add = [&](const auto& part) {
      text += (text.empty() ? "" : ", ") + print(part, names);
    };
    std::apply([&](const auto&... part) { (add(part), ...); }, value);
    return "(" + text + ")";
  } else {
    return kinds::print_many(value, names);
  }
}

// A column of a fact.
using Column = std::variant<int64_t, std::string>;
using Row = std::vector<Column>;
using RowSink = std::function<void(const Row&)>;

// Tells a value as rows: a number, a string or an Id is one row of one column; the columns of a
// struct or tuple follow one another; of a container each part is a row, of a map with its key
// and of a sequence with its position first; what is absent is no row. Several containers side by
// side in a struct are all combinations of their parts. `row` begins with the columns so far.
template <class T>
void facts(const T& value, const Names& names, Row& row, const RowSink& sink);

// How many columns these rows have; 0 if that differs from row to row.
template <class T>
constexpr size_t columns();

namespace kinds {

template <class... Parts>
constexpr size_t columns_of(const std::tuple<Parts...>*) {
  const bool known = ((columns<std::remove_cvref_t<Parts>>() > 0) && ...);
  return known ? (columns<std::remove_cvref_t<Parts>>() + ... + 0) : 0;
}

template <class First, class... Others>
constexpr size_t columns_of(const std::variant<First, Others...>*) {
  const bool same = ((columns<Others>() == columns<First>()) && ...);
  return same ? columns<First>() : 0;
}

template <class First, class Second>
constexpr size_t columns_of(const std::pair<First, Second>*) {
  return columns_of(static_cast<const std::tuple<First, Second>*>(nullptr));
}

inline void with_column(const Column& column, Row& row, const RowSink& sink) {
  row.push_back(column);
  sink(row);
  row.pop_back();
}

template <size_t I, class Parts>
void part_facts(const Parts& parts, const Names& names, Row& row, const RowSink& sink) {
  if constexpr (I == std::tuple_size_v<Parts>) {
    sink(row);
  } else {
    Row columns = row;
    facts(std::get<I>(parts), names, columns, [&](const Row& so_far) {
      Row next = so_far;
      part_facts<I + 1>(parts, names, next, sink);
    });
  }
}

template <class T>
auto tied_fields(const T& value) {
  return std::apply([&](const auto&... field) { return std::tie(value.*(field.pointer)...); },
                    T::clew_fields());
}

template <class T>
void many_facts(const T& value, const Names& names, Row& row, const RowSink& sink) {
  int64_t position = 0;  // NOLINT(misc-const-correctness): of a set nothing is counted
  for (const auto& part : value) {
    if constexpr (Mapping<T>) {
      part_facts<0>(std::tie(part.first, part.second), names, row, sink);
    } else if constexpr (Ordered<T>) {
      facts(part, names, row, sink);
    } else {
      const typename T::value_type& copy = part;
      part_facts<0>(std::tie(position, copy), names, row, sink);
      ++position;
    }
  }
}

}  // namespace kinds

template <class T>
void facts(const T& value, const Names& names, Row& row, const RowSink& sink) {
  check_value<T>();
  if constexpr (std::is_same_v<T, bool>) {
    kinds::with_column(int64_t{value}, row, sink);
  } else if constexpr (std::is_same_v<T, Id>) {
    kinds::with_column(names.name(value), row, sink);
  } else if constexpr (Number<T>) {
    kinds::with_column(static_cast<int64_t>(value), row, sink);
  } else if constexpr (std::is_same_v<T, std::string>) {
    kinds::with_column(value, row, sink);
  } else if constexpr (HasFields<T>) {
    kinds::part_facts<0>(kinds::tied_fields(value), names, row, sink);
  } else if constexpr (kinds::kIsOptional<T>) {
    if (value) facts(*value, names, row, sink);
  } else if constexpr (kinds::kIsVariant<T>) {
    std::visit([&](const auto& held) { facts(held, names, row, sink); }, value);
  } else if constexpr (Tuple<T>) {
    std::apply(
        [&](const auto&... part) { kinds::part_facts<0>(std::tie(part...), names, row, sink); },
        value);
  } else {
    kinds::many_facts(value, names, row, sink);
  }
}

template <class T>
constexpr size_t columns() {
  if constexpr (std::is_same_v<T, Id> || Number<T> || std::is_same_v<T, bool> ||
                std::is_same_v<T, std::string>) {
    return 1;
  } else if constexpr (HasFields<T>) {
    using Parts = decltype(kinds::tied_fields(std::declval<const T&>()));
    return kinds::columns_of(static_cast<const Parts*>(nullptr));
  } else if constexpr (kinds::kIsOptional<T>) {
    return columns<typename T::value_type>();
  } else if constexpr (kinds::kIsVariant<T> || Tuple<T>) {
    return kinds::columns_of(static_cast<const T*>(nullptr));
  } else if constexpr (Mapping<T>) {
    constexpr size_t kKey = columns<typename T::key_type>();
    constexpr size_t kMapped = columns<typename T::mapped_type>();
    return kKey > 0 && kMapped > 0 ? kKey + kMapped : 0;
  } else {
    constexpr size_t kPart = columns<typename T::value_type>();
    return kPart == 0 ? 0 : kPart + (Ordered<T> ? 0 : 1);
  }
}

}  // namespace clew::node
