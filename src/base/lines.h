// Where the lines of a text end: with a line feed, with a carriage return, or with both.
#pragma once

#include <cstddef>
#include <string_view>

namespace clew {

// Whether the character at `at` is the last one of a line's end.
inline bool ends_line(std::string_view text, size_t at) {
  return text[at] == '\n' || (text[at] == '\r' && !text.substr(at + 1).starts_with('\n'));
}

}  // namespace clew
