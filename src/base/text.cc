#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace clew {

namespace {

constexpr size_t kLongestTypo = 64;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = lower(c);
  return result;
}

// Optimal string alignment: Levenshtein's table, three rows of it at a time, and swaps.
size_t alignment_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1);
  std::vector<size_t> above(b.size() + 1);
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t change = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, change});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

bool differs_only_in_case(std::string_view a, std::string_view b) {
  return a != b && std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

struct Utf8Shape {
  size_t length;
  unsigned char second_low;   // the bounds of the second byte keep out overlong forms, surrogates
  unsigned char second_high;  // and what lies beyond U+10FFFF
};

// length 0: no code point begins like this.
Utf8Shape utf8_shape(unsigned char lead) {
  if (lead < 0x80) return {1, 0, 0};
  if (lead < 0xC2) return {0, 0, 0};
  if (lead < 0xE0) return {2, 0x80, 0xBF};
  if (lead == 0xE0) return {3, 0xA0, 0xBF};
  if (lead == 0xED) return {3, 0x80, 0x9F};
  if (lead < 0xF0) return {3, 0x80, 0xBF};
  if (lead == 0xF0) return {4, 0x90, 0xBF};
  if (lead < 0xF4) return {4, 0x80, 0xBF};
  if (lead == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

}  // namespace

size_t edit_distance(std::string_view a, std::string_view b) {
  const size_t exact = alignment_distance(a, b);
  if (exact <= 1) return exact;
  return std::min(exact, alignment_distance(lower(a), lower(b)) + 1);
}

std::optional<std::string> closest(std::string_view word,
                                   const std::vector<std::string>& candidates) {
  if (word.size() > kLongestTypo) return std::nullopt;
  const size_t most = std::max<size_t>(1, word.size() / 3);
  const std::string* best = nullptr;
  size_t best_distance = most + 1;
  for (const std::string& candidate : candidates) {
    if (candidate == word || candidate.size() > word.size() + most ||
        word.size() > candidate.size() + most) {
      continue;
    }
    // A word that is all edits is another word: `X` is no misspelling of `Y`.
    const bool too_short = std::min(word.size(), candidate.size()) <= 1;
    if (too_short && !differs_only_in_case(word, candidate)) continue;
    const size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best = &candidate;
      best_distance = distance;
    }
  }
  if (best == nullptr) return std::nullopt;
  return *best;
}

std::optional<size_t> find_invalid_utf8(std::string_view text) {
  size_t i = 0;
  while (i < text.size()) {
    auto byte = [&](size_t k) { return static_cast<unsigned char>(text[i + k]); };
    const Utf8Shape shape = utf8_shape(byte(0));
    if (shape.length == 0 || i + shape.length > text.size()) return i;
    if (shape.length > 1 && (byte(1) < shape.second_low || byte(1) > shape.second_high)) return i;
    for (size_t k = 2; k < shape.length; ++k) {
      if ((byte(k) & 0xC0U) != 0x80U) return i;
    }
    i += shape.length;
  }
  return std::nullopt;
}

std::string with_valid_utf8(std::string_view text) {
  std::string valid;
  while (const std::optional<size_t> bad = find_invalid_utf8(text)) {
    valid += text.substr(0, *bad);
    valid += '?';
    text.remove_prefix(*bad + 1);
  }
  return valid += text;
}

size_t count_code_points(std::string_view text) {
  return static_cast<size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string with_thousands(uint64_t number) {
  std::string digits = std::to_string(number);
  std::string result;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) result += ',';
    result += digits[i];
  }
  return result;
}

std::string count_noun(uint64_t number, std::string_view noun) {
  return fmt::format("{} {}{}", with_thousands(number), noun, number == 1 ? "" : "s");
}

std::string flow(const std::vector<std::string>& items, std::string_view first_prefix,
                 std::string_view prefix, size_t width) {
  std::string result(first_prefix);
  size_t used = count_code_points(first_prefix);
  bool line_is_empty = true;
  for (const std::string& item : items) {
    const size_t length = count_code_points(item);
    if (!line_is_empty && used + 2 + length > width) {
      result += '\n';
      result += prefix;
      used = count_code_points(prefix);
      line_is_empty = true;
    }
    if (!line_is_empty) {
      result += "  ";
      used += 2;
    }
    result += item;
    used += length;
    line_is_empty = false;
  }
  return result;
}

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char byte : text) result.append(byte == '"' ? 2 : 1, byte);
  return result + '"';
}

std::string fingerprint(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3U;
  }
  return fmt::format("{:016x}", hash);
}

}  // namespace clew
