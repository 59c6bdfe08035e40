#include "datalog/value.h"

#include "base/check.h"

namespace clew::datalog {

namespace {
constexpr int64_t kSmallest = -(int64_t{1} << 30);
constexpr int64_t kLargest = (int64_t{1} << 30) - 1;
constexpr size_t kMostEntries = size_t{1} << 31;
static_assert(kMostEntries - 1 <= UINT32_MAX >> 1U, "an entry's number leaves a bit of a Value");
}  // namespace

Value ValueTable::add(Entry entry) {
  CHECK(entries_.size() < kMostEntries, "too many distinct values");
  entries_.push_back(std::move(entry));
  return {static_cast<uint32_t>(entries_.size() - 1) << 1U};
}

Value ValueTable::intern(std::string_view text) {
  if (auto found = by_text_.find(text); found != by_text_.end()) return found->second;
  Value value = add({false, 0, std::string(text)});
  by_text_.emplace(text, value);
  return value;
}

Value ValueTable::integer(int64_t number) {
  if (number >= kSmallest && number <= kLargest) {
    return {(static_cast<uint32_t>(number) << 1U) | 1U};
  }
  if (auto found = by_number_.find(number); found != by_number_.end()) return found->second;
  Value value = add({true, number, {}});
  by_number_.emplace(number, value);
  return value;
}

bool ValueTable::is_integer(Value value) const {
  return is_small(value) || entry(value).is_integer;
}

int64_t ValueTable::number(Value value) const {
  if (is_small(value)) return static_cast<int32_t>(value.bits) >> 1;
  CHECK(entry(value).is_integer);
  return entry(value).number;
}

const std::string& ValueTable::text(Value value) const {
  CHECK(!is_integer(value));
  return entry(value).text;
}

int ValueTable::compare(Value a, Value b) const {
  if (a == b) return 0;
  const bool a_is_integer = is_integer(a);
  if (a_is_integer != is_integer(b)) return a_is_integer ? -1 : 1;
  if (a_is_integer) return number(a) < number(b) ? -1 : 1;
  return text(a) < text(b) ? -1 : 1;
}

std::string ValueTable::print(Value value) const {
  return is_integer(value) ? fmt::format("{}", number(value)) : fmt::format("\"{}\"", text(value));
}

}  // namespace clew::datalog
