#include "report/page.h"

#include "base/check.h"
#include "report/page_template.h"

namespace clew::report {

std::string page(std::span<const Record> records, const PageOptions& options) {
  return page_with(page_data(records, options));
}

std::string page_with(std::string_view data) {
  constexpr std::string_view kMark = "CLEW_DATA";
  const std::string_view text = page_template();
  const size_t at = text.rfind(kMark);
  CHECK(at != std::string_view::npos);
  std::string result(text.substr(0, at));
  result += data;
  result += text.substr(at + kMark.size());
  return result;
}

std::string without_tags(std::string_view json) {
  std::string result;
  result.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      result += "\\u003c";
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace clew::report
