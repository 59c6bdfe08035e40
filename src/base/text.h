// Small questions about text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clew {

// The candidate that `word` was probably meant to be: at most a third of its letters (and at least
// one) inserted, left out, changed or swapped. Never the word itself, and never for words of more
// than 64 bytes. Ties go to the first candidate.
std::optional<std::string> closest(std::string_view word,
                                   const std::vector<std::string>& candidates);

// Edits (insert, leave out, change, swap neighbours; all changes of case together count as one)
// between two words. Takes time in proportion to the product of their lengths.
size_t edit_distance(std::string_view a, std::string_view b);

// The offset of the first byte that is not part of valid UTF-8, or nothing.
std::optional<size_t> find_invalid_utf8(std::string_view text);

// `text` with a `?` for every byte that is not part of valid UTF-8.
std::string with_valid_utf8(std::string_view text);

// How many code points `text` (valid UTF-8) has.
size_t count_code_points(std::string_view text);

// "1,234,567"
std::string with_thousands(uint64_t number);

// "1 fact", "1,234 facts"
std::string count_noun(uint64_t number, std::string_view noun);

// Breaks `items` (never inside one) into lines of at most `width`, the first after `first_prefix`,
// the others after `prefix`; items are separated by two spaces. The last line has no line end.
std::string flow(const std::vector<std::string>& items, std::string_view first_prefix,
                 std::string_view prefix, size_t width = 80);

// `"text"`, with every `"` of the text twice, so that it can be told where it ends.
std::string quoted(std::string_view text);

// A 64-bit FNV-1a fingerprint as 16 hexadecimal digits.
std::string fingerprint(std::string_view text);

}  // namespace clew
