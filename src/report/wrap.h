// Sentences broken into lines for a terminal.
#pragma once

#include <string>
#include <string_view>

namespace clew::report {

// Breaks `text` at spaces, though not at those inside parentheses, into lines of at most `width`
// columns where that is possible; the first after `first_prefix`, the others after `prefix`. Every
// line ends in a newline.
std::string wrap(std::string_view text, std::string_view first_prefix, std::string_view prefix,
                 size_t width = 80);

}  // namespace clew::report
