// The report page: one HTML file that needs nothing else, made from web/ and a Record.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "report/record.h"

namespace clew::report {

struct PageOptions {
  // Runs beyond this are listed without what happened in them; counterexamples only if there is no
  // time or memory left (base/watched.h).
  size_t most_bytes = 16 << 20;
  // Once true, so are all that are still to come.
  std::function<bool()> hurry{};
};

// With a Record for each promise, at least one. A promise whose check failed is only listed, and
// one of them did not.
std::string page(std::span<const Record> records, const PageOptions& options);
// With data from elsewhere; as below.
std::string page_with(std::string_view data);

// What the page's script reads: web/README.md describes it. On one line, and harmless within a
// <script> element.
std::string page_data(const Record& record, const PageOptions& options);
std::string page_data(std::span<const Record> records, const PageOptions& options);

// JSON in which no string, such as "</script>", can end the element that it is in.
std::string without_tags(std::string_view json);

}  // namespace clew::report
