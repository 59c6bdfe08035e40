// The page of `clew inject --report`: one HTML file that needs nothing else, the same as that of
// `clew check --report` (report/page.h), with a run for each cause, and moments for ticks.
#pragma once

#include <string>

#include "service/report.h"

namespace clew::service {

std::string page(const Report& report);

// What the page's script reads: web/README.md, "An injected run". On one line, and harmless within
// a <script> element. Beyond so many bytes, runs have fewer moments.
std::string page_data(const Report& report, size_t most_bytes = 16 << 20);

}  // namespace clew::service
