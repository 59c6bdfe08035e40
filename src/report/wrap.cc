#include "report/wrap.h"

#include <algorithm>

#include "base/text.h"

namespace clew::report {

namespace {

// The end of the first piece of `text` that is not to be broken.
size_t end_of_piece(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (!quoted && text[i] == '(') ++depth;
    if (!quoted && text[i] == ')') depth = std::max(0, depth - 1);
    if (text[i] == ' ' && depth == 0 && !quoted) return i;
  }
  return text.size();
}

}  // namespace

std::string wrap(std::string_view text, std::string_view first_prefix, std::string_view prefix,
                 size_t width) {
  std::string result;
  std::string line(first_prefix);
  bool empty = true;
  while (!text.empty()) {
    const std::string_view piece = text.substr(0, end_of_piece(text));
    text.remove_prefix(std::min(text.size(), piece.size() + 1));
    const size_t needed = count_code_points(line) + (empty ? 0 : 1) + count_code_points(piece);
    if (!empty && needed > width) {
      result += line + '\n';
      line = prefix;
      empty = true;
    }
    if (!empty) line += ' ';
    line += piece;
    empty = false;
  }
  return result + line + '\n';
}

}  // namespace clew::report
