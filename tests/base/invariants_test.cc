// Every numbered invariant of source.h, broken: the CHECK says so.
#include <gtest/gtest.h>

#include "base/source.h"

namespace clew {
namespace {

class SourceInvariants : public testing::Test {
 protected:
  SourceSet sources_;
  FileId file_ = sources_.add("a.ded", "p;\n");
};

TEST_F(SourceInvariants, OneAFileIdIsWhatAddGave) {
  const auto exits = testing::ExitedWithCode(1);
  EXPECT_EXIT(sources_.path(file_ + 1), exits, "file 1 of 1");
  EXPECT_EXIT(sources_.text(file_ + 1), exits, "file 1 of 1");
  EXPECT_EXIT(sources_.place(file_ + 1, 0), exits, "file 1 of 1");
  EXPECT_EXIT(sources_.line(file_ + 1, 1), exits, "file 1 of 1");
  sources_.add("b.ded", "");
  EXPECT_EQ(sources_.path(file_ + 1), "b.ded");
  EXPECT_EQ(sources_.path(file_), "a.ded");
}

TEST_F(SourceInvariants, TwoASpanLiesWithinItsFile) {
  const auto exits = testing::ExitedWithCode(1);
  EXPECT_EQ(sources_.text(Span{file_, 0, 3}), "p;\n");
  EXPECT_EXIT(sources_.text(Span{file_, 2, 1}), exits, "from 2 to 1");
  EXPECT_EXIT(sources_.text(Span{file_, 2, 4}), exits, "up to 4 of 3");
}

}  // namespace
}  // namespace clew
