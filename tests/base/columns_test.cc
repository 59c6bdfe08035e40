#include "base/columns.h"

#include <gtest/gtest.h>

namespace clew {
namespace {

TEST(Columns, PrintableReplacesWhatATerminalMustNotSee) {
  EXPECT_EQ(printable("log(\"é\")"), "log(\"é\")");
  EXPECT_EQ(printable("a\tb\n\x1b[31m"), "a b  [31m");
  EXPECT_EQ(printable("a\xc2\x9b"
                      "b"),
            "a b");
  EXPECT_EQ(printable("a\xff\xfe"
                      "b"),
            "a??b");
  EXPECT_EQ(printable("\xe2\x82"), "??");
}

TEST(Columns, PrintableCutsAtCodePoints) {
  EXPECT_EQ(printable("abcdef", 6), "abcdef");
  EXPECT_EQ(printable("abcdefg", 6), "abcdef...");
  EXPECT_EQ(printable("äöüäöü", 3), "äöü...");
  EXPECT_EQ(printable(std::string(100'000, 'x'), 3), "xxx...");
  EXPECT_EQ(printable(std::string(100'000, '\xff'), 3), "???...");
}

TEST(Columns, ControlCharacters) {
  EXPECT_FALSE(has_control_characters(""));
  EXPECT_FALSE(has_control_characters("node 7, é €"));
  EXPECT_TRUE(has_control_characters("a\tb"));
  EXPECT_TRUE(has_control_characters("a\x7f"));
  EXPECT_TRUE(has_control_characters("\xc2\x85"));
  EXPECT_FALSE(has_control_characters("\xc2\xa9"));
}

TEST(Columns, CutAndPadCountCodePoints) {
  EXPECT_EQ(cut("abc", 3), "abc");
  EXPECT_EQ(cut("abcd", 3), "ab~");
  EXPECT_EQ(cut("äöüß", 3), "äö~");
  EXPECT_EQ(cut("abcd", 1), "~");
  EXPECT_EQ(cut("abcd", 0), "");
  EXPECT_EQ(pad_right("äö", 4), "äö  ");
  EXPECT_EQ(pad_left("äö", 4), "  äö");
  EXPECT_EQ(pad_left("long", 2), "long");
  EXPECT_EQ(first_code_points("äöü", 2), "äö");
  EXPECT_EQ(first_code_points("äöü", 9), "äöü");
}

}  // namespace
}  // namespace clew
