#include "report/escape.h"

#include <gtest/gtest.h>

namespace clew::report {
namespace {

TEST(EscapeTest, Xml) {
  EXPECT_EQ(xml("a < b & c > \"d\" 'e'"), "a &lt; b &amp; c &gt; &quot;d&quot; 'e'");
  EXPECT_EQ(xml("two\nlines\tand a tab\r"), "two\nlines\tand a tab&#13;");
  EXPECT_EQ(xml(std::string("\0\x01\x1b\x7f", 4)), "????");
  EXPECT_EQ(xml("gr\xc3\xbc\xc3\x9f \xf0\x9f\xa7\xb6"), "gr\xc3\xbc\xc3\x9f \xf0\x9f\xa7\xb6");
  EXPECT_EQ(xml("half \xc3 a letter"), "half ? a letter");
  EXPECT_EQ(xml("\xef\xbf\xbe\xef\xbf\xbf\xef\xbf\xbd"), "??\xef\xbf\xbd");
  EXPECT_EQ(xml("]]>"), "]]&gt;");
}

TEST(EscapeTest, Dot) {
  EXPECT_EQ(dot("plain"), "\"plain\"");
  EXPECT_EQ(dot("a \"b\" \\ c"), R"("a \"b\" \\ c")");
  EXPECT_EQ(dot("two\nlines"), R"("two\nlines")");
  EXPECT_EQ(dot(std::string("\t\0\x1b", 3)), "\"   \"");
  EXPECT_EQ(dot("half \xc3"), "\"half ?\"");
}

}  // namespace
}  // namespace clew::report
