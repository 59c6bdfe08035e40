# Joins the files that web/page.txt lists into one page, and writes it as the C++ source that
# src/report/page_template.h declares:  cmake -DWEB=... -DOUTPUT=... -P EmbedPage.cmake

file(STRINGS "${WEB}/page.txt" names)
set(css "")
set(js "")
set(page "")
foreach(name IN LISTS names)
  file(READ "${WEB}/${name}" text)
  if(name MATCHES "\\.html$")
    string(APPEND page "${text}")
  elseif(name MATCHES "\\.css$")
    string(APPEND css "${text}")
  else()
    string(APPEND js "${text}")
  endif()
endforeach()
string(REPLACE "/*CLEW_CSS*/" "${css}" page "${page}")
string(REPLACE "/*CLEW_JS*/" "(() => {\n\"use strict\";\n${js}})();" page "${page}")

file(WRITE "${OUTPUT}" "#include \"report/page_template.h\"

// Longer than the least that a compiler must support.
#pragma GCC diagnostic ignored \"-Woverlength-strings\"

namespace clew::report {

std::string_view page_template() {
  static constexpr char kText[] = R\"clew_page(${page})clew_page\";
  return {kText, sizeof kText - 1};
}

}  // namespace clew::report
")
