#include "report/page.h"

#include "base/check.h"
#include "report/page_template.h"

namespace clew::report {

std::string page(std::span<const Record> records, const PageOptions& options) {
  constexpr std::string_view kMark = "CLEW_DATA";
  const std::string_view text = page_template();
  const size_t at = text.rfind(kMark);
  CHECK(at != std::string_view::npos);
  std::string result(text.substr(0, at));
  result += page_data(records, options);
  result += text.substr(at + kMark.size());
  return result;
}

}  // namespace clew::report
