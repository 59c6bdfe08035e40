// web/page.html with the style and the scripts of web/ in it; CLEW_DATA stands where the data goes.
// Defined in a file that the build makes: see CMakeLists.txt.
#pragma once

#include <string_view>

namespace clew::report {

std::string_view page_template();

}  // namespace clew::report
