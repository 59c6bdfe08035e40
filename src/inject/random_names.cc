#include "inject/random_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>

namespace clew::inject {

namespace {

constexpr size_t kMkstemp = 6;  // XXXXXX
constexpr size_t kLong = 12;    // of what looks scrambled wherever it stands
constexpr pid_t kLargeNumber =
    1000;  // below, a number that is also a process' is no more than that

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_letter(char c) { return is_lower(c) || is_upper(c); }
bool is_alnum(char c) { return is_digit(c) || is_letter(c); }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

bool all(std::string_view text, bool (*is)(char)) { return std::ranges::all_of(text, is); }

// Takes what is of one kind off the text: how much.
size_t take(std::string_view& text, bool (*is)(char)) {
  const auto end = std::ranges::find_if_not(text, is);
  const auto count = static_cast<size_t>(end - text.begin());
  text.remove_prefix(count);
  return count;
}

// What people write: `word`, `Word2`, `WORD2`, `someWords`, `7z`, `utf8mb`.
bool is_natural(std::string_view token) {
  std::string_view rest = token;
  if (take(rest, is_upper) > 1) return take(rest, is_digit), rest.empty();
  rest = token;
  if (take(rest, is_digit) > 0) {
    const bool one_case = all(rest, is_lower) || all(rest, is_upper);
    return one_case;
  }
  bool is_first = true;
  while (!rest.empty() && is_letter(rest.front())) {
    const bool capital = is_upper(rest.front());
    if (capital) rest.remove_prefix(1);
    if (!capital && !is_first) return false;
    if (take(rest, is_lower) < (capital || !is_first ? 2 : 1)) return false;
    is_first = false;
  }
  take(rest, is_digit);
  return all(rest, is_lower);
}

// Letters and digits take turns, as nobody writes. Numbers with zeros in front are counters.
bool is_scrambled(std::string_view token) {
  if (token.find("0000") != std::string_view::npos) return false;
  size_t turns = 0;
  size_t lower = 2;  // letters of a word so far
  for (size_t i = 0; i + 1 < token.size(); ++i) {
    lower = is_lower(token[i]) ? lower + 1 : 0;
    if (is_digit(token[i]) != is_digit(token[i + 1])) ++turns;
    if (lower == 1 && is_upper(token[i + 1])) ++turns;
  }
  return turns >= 3;
}

// Seconds, milli-, micro- or nanoseconds since 1970, between 2008 and 2039.
bool is_time(std::string_view digits) {
  const size_t size = digits.size();
  if (size != 10 && size != 13 && size != 16 && size != 19) return false;
  const std::string_view first = digits.substr(0, 2);
  return first >= "12" && first <= "21";
}

bool is_process(std::string_view digits, const std::set<pid_t>& processes, bool temporary) {
  pid_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool read = error == std::errc() && end == digits.data() + digits.size();
  if (!read || digits.front() == '0' || !processes.contains(number)) return false;
  return temporary || number >= kLargeNumber;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

bool says_temporary(std::string_view name) {
  const std::string lower = lower_case(name);
  return std::ranges::any_of(
      std::array<std::string_view, 4>{"tmp", "temp", "pid", "swap"},
      [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

// 123e4567-e89b-12d3-a456-426614174000 at the beginning of the text.
bool begins_with_uuid(std::string_view text) {
  constexpr size_t kSize = 36;
  if (text.size() < kSize || (text.size() > kSize && is_alnum(text[kSize]))) return false;
  for (size_t i = 0; i < kSize; ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? text[i] != '-' : !is_hex(text[i])) return false;
  }
  return true;
}

// Names that are known to be followed by something random: how long these are, if this is one.
size_t known_prefix(std::string_view name) {
  const auto is_python = [](char c) { return is_lower(c) || is_digit(c) || c == '_'; };
  const std::string_view stem = name.substr(0, name.find('.', 1));
  if (stem.size() == 11 && stem.starts_with("tmp") &&
      std::ranges::all_of(stem.substr(3), is_python)) {
    return 3;  // Python's tempfile
  }
  if (name.starts_with("etilqs_") && all(name.substr(7), is_alnum)) return 7;  // SQLite
  if (name.starts_with("tmp.") && name.size() >= 10 && all(name.substr(4), is_alnum)) return 4;
  return 0;
}

// A token of a name: letters and digits between other characters.
struct Token {
  std::string_view text;
  bool is_whole = false;  // of the name
  bool is_last = false;   // but for one extension
};

bool is_random(const Token& token, bool temporary, const std::set<pid_t>& processes) {
  if (all(token.text, is_digit)) {
    return !token.is_whole && (is_process(token.text, processes, temporary) || is_time(token.text));
  }
  if (token.text.size() >= kLong) return is_scrambled(token.text);
  if (token.text.size() != kMkstemp || !token.is_last || token.is_whole) return false;
  return temporary ? !all(token.text, is_lower) : !is_natural(token.text);
}

}  // namespace

std::string without_random(std::string_view name, const std::set<pid_t>& processes) {
  if (const size_t prefix = known_prefix(name)) {
    const size_t extension = name.find('.', prefix);
    const std::string_view rest = extension == std::string_view::npos ? "" : name.substr(extension);
    return std::string(name.substr(0, prefix)).append("*").append(rest);
  }
  const bool temporary = says_temporary(name);
  std::string result;
  for (std::string_view rest = name; !rest.empty();) {
    if (!is_alnum(rest.front())) {
      result += rest.front();
      rest.remove_prefix(1);
      continue;
    }
    if (begins_with_uuid(rest)) {
      result += '*';
      rest.remove_prefix(36);
      continue;
    }
    const std::string_view from = rest;
    const std::string_view text = from.substr(0, take(rest, is_alnum));
    const bool is_last = rest.empty() || (rest.front() == '.' && all(rest.substr(1), is_letter));
    const Token token{text, text.size() == name.size(), is_last};
    result += is_random(token, temporary, processes) ? "*" : std::string(text);
  }
  return result;
}

std::string without_counters(std::string_view name) {
  std::string result;
  for (std::string_view rest = name; !rest.empty();) {
    if (!is_digit(rest.front())) {
      result += rest.front();
      rest.remove_prefix(1);
      continue;
    }
    const std::string_view from = rest;
    const std::string_view digits = from.substr(0, take(rest, is_digit));
    const bool counts = !result.empty() && (rest.empty() || !is_letter(rest.front()));
    result += counts ? "*" : std::string(digits);
  }
  return result;
}

}  // namespace clew::inject
