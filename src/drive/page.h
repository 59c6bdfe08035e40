// The page of `clew explore --report`: one HTML file that needs nothing else, the same as that of
// `clew check --report` (report/page.h), with steps for ticks and states for facts.
#pragma once

#include <string>
#include <vector>

#include "drive/session.h"

namespace clew::drive {

std::string page(const Report& report);

// What the page's script reads: web/README.md, "An explored run". On one line, and harmless within
// a <script> element. Beyond so many bytes, texts are cut short.
std::string page_data(const Report& report, size_t most_bytes = 16 << 20);

// A state as it is printed, field by field: `holder ann, waiting [bob, cid]` gives `holder ann` and
// `waiting [bob, cid]`. What does not read like one is a single field.
std::vector<std::string> fields_of(const std::string& state);

}  // namespace clew::drive
