// Text for the columns of a terminal. Widths count code points.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace clew {

// Whether `text` holds a control character (a tab counts, and so do the C1 controls of Unicode).
bool has_control_characters(std::string_view text);

// `text` as it can be shown: a control character becomes a space, a byte that is not UTF-8 a `?`,
// and what is longer than `most` code points ends in `...`.
std::string printable(std::string_view text, size_t most = 200);

// The first `count` code points of `text`, or all of it.
std::string_view first_code_points(std::string_view text, size_t count);

// `text` if it has at most `width` code points, otherwise cut to `width` with a `~` at the end.
std::string cut(std::string_view text, size_t width);

// `text` filled up to `width` with spaces on its right, or on its left.
std::string pad_right(std::string_view text, size_t width);
std::string pad_left(std::string_view text, size_t width);

}  // namespace clew
