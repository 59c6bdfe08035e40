// Values: strings and 64-bit integers, each in 32 bits.
//
//   ValueTable values;
//   Value a = values.intern("data"), n = values.integer(7);
//   values.is_integer(n);     // true
//   values.text(a);           // data
//   values.print(n);          // 7
//
// Equal values have equal bits, so that tuples compare and hash as plain memory. Integers of 31
// bits are their own representation; strings and larger integers are numbered in order of first
// use.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace clew::datalog {

struct Value {
  uint32_t bits = 0;
  friend bool operator==(Value, Value) = default;
};

// A running hash of values: start with 0, mix() each, finish() at the end.
inline uint64_t mix(uint64_t hash, Value value) {
  return (hash ^ (hash >> 29U) ^ value.bits) * 0x9E3779B97F4A7C15ULL;
}
inline uint32_t finish(uint64_t hash) { return static_cast<uint32_t>(hash >> 32U); }

class ValueTable {
 public:
  Value intern(std::string_view text);
  Value integer(int64_t number);

  bool is_integer(Value value) const;
  int64_t number(Value value) const;           // requires is_integer(value)
  const std::string& text(Value value) const;  // requires !is_integer(value)

  // The order of the language: integers by size, then strings by their bytes.
  int compare(Value a, Value b) const;

  // `7` or `"data"`.
  std::string print(Value value) const;

  size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    bool is_integer = false;
    int64_t number = 0;
    std::string text;
  };
  struct TextHash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };

  static bool is_small(Value value) { return (value.bits & 1U) != 0; }
  const Entry& entry(Value value) const { return entries_[value.bits >> 1U]; }
  Value add(Entry entry);

  std::vector<Entry> entries_;
  std::unordered_map<std::string, Value, TextHash, std::equal_to<>> by_text_;
  std::unordered_map<int64_t, Value> by_number_;
};

}  // namespace clew::datalog
