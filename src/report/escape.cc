#include "report/escape.h"

#include "base/text.h"

namespace clew::report {

namespace {

// U+FFFE and U+FFFF are the only valid code points above the controls that XML forbids.
bool is_noncharacter(std::string_view rest) {
  return rest.starts_with("\xef\xbf\xbe") || rest.starts_with("\xef\xbf\xbf");
}

std::string xml_byte(char byte) {
  switch (byte) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\n':
    case '\t':
      return {byte};
    case '\r':
      return "&#13;";
    default:
      return {static_cast<unsigned char>(byte) < 0x20 || byte == 0x7f ? '?' : byte};
  }
}

}  // namespace

std::string xml(std::string_view text) {
  const std::string valid = with_valid_utf8(text);
  std::string result;
  for (size_t i = 0; i < valid.size(); ++i) {
    if (is_noncharacter(std::string_view(valid).substr(i))) {
      result += '?';
      i += 2;
    } else {
      result += xml_byte(valid[i]);
    }
  }
  return result;
}

std::string dot(std::string_view text) {
  std::string result = "\"";
  for (const char byte : with_valid_utf8(text)) {
    if (byte == '"' || byte == '\\') {
      result += '\\';
      result += byte;
    } else if (byte == '\n') {
      result += "\\n";
    } else {
      result += static_cast<unsigned char>(byte) < 0x20 || byte == 0x7f ? ' ' : byte;
    }
  }
  return result + '"';
}

}  // namespace clew::report
