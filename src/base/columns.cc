#include "base/columns.h"

#include <algorithm>

#include "base/text.h"

namespace clew {

namespace {

bool is_control(std::string_view text, size_t at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  if (byte < 0x20 || byte == 0x7f) return true;
  if (byte != 0xc2 || at + 1 == text.size()) return false;
  const auto next = static_cast<unsigned char>(text[at + 1]);
  return next >= 0x80 && next < 0xa0;
}

bool begins_code_point(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }

}  // namespace

bool has_control_characters(std::string_view text) {
  for (size_t at = 0; at < text.size(); ++at) {
    if (is_control(text, at)) return true;
  }
  return false;
}

std::string printable(std::string_view text, size_t most) {
  const std::string valid = with_valid_utf8(text.substr(0, 4 * most + 4));
  std::string shown;
  for (size_t at = 0; at < valid.size(); ++at) {
    if (!is_control(valid, at)) {
      shown += valid[at];
    } else {
      shown += ' ';
      at += valid[at] == '\xc2';
    }
  }
  const std::string_view kept = first_code_points(shown, most);
  return kept.size() == shown.size() ? shown : std::string(kept) + "...";
}

std::string_view first_code_points(std::string_view text, size_t count) {
  size_t at = 0;
  for (; at < text.size(); ++at) {
    if (begins_code_point(text[at]) && count-- == 0) break;
  }
  return text.substr(0, at);
}

std::string cut(std::string_view text, size_t width) {
  if (count_code_points(text) <= width) return std::string(text);
  if (width == 0) return {};
  return std::string(first_code_points(text, width - 1)) + "~";
}

std::string pad_right(std::string_view text, size_t width) {
  const size_t used = count_code_points(text);
  return std::string(text) + std::string(width - std::min(width, used), ' ');
}

std::string pad_left(std::string_view text, size_t width) {
  const size_t used = count_code_points(text);
  return std::string(width - std::min(width, used), ' ') + std::string(text);
}

}  // namespace clew
