// Text inside XML and DOT.
//
//   xml("a < \"b\"")   a &lt; &quot;b&quot;
//   dot("a \"b\"\n")    "a \"b\"\n"   with the quotation marks around it
#pragma once

#include <string>
#include <string_view>

namespace clew::report {

// For element content and attributes. XML cannot hold most control characters, nor bytes that are
// not UTF-8: each becomes a `?`. Line ends and tabs stay (in attributes,
// readers make spaces of them).
std::string xml(std::string_view text);

// A quoted DOT string that shows `text` as it is.
std::string dot(std::string_view text);

}  // namespace clew::report
