#include "base/source.h"

#include <gtest/gtest.h>

namespace clew {
namespace {

TEST(Source, PlacesCountLinesAndCodePoints) {
  SourceSet sources;
  FileId file = sources.add("a.ded", "one\r\nh\xC3\xA9llo\n\nend");
  struct Row {
    uint32_t offset;
    uint32_t line;
    uint32_t column;
  };
  const Row rows[] = {{0, 1, 1}, {2, 1, 3},  {5, 2, 1},  {6, 2, 2},  {8, 2, 3},
                      {9, 2, 4}, {12, 3, 1}, {13, 4, 1}, {15, 4, 3}, {16, 4, 4}};
  for (const Row& row : rows) {
    Place place = sources.place(file, row.offset);
    EXPECT_EQ(place.line, row.line) << row.offset;
    EXPECT_EQ(place.column, row.column) << row.offset;
  }
}

TEST(Source, LinesComeWithoutTheirEnds) {
  SourceSet sources;
  FileId file = sources.add("a.ded", "one\r\ntwo\n\nend");
  EXPECT_EQ(sources.line(file, 1), "one");
  EXPECT_EQ(sources.line(file, 2), "two");
  EXPECT_EQ(sources.line(file, 3), "");
  EXPECT_EQ(sources.line(file, 4), "end");
}

TEST(Source, ACarriageReturnEndsALineToo) {
  SourceSet sources;
  const FileId file = sources.add("a.ded", "one\rtwo\r\rfour\r\nfive\n\rseven\r");
  const char* const lines[] = {"one", "two", "", "four", "five", "", "seven", ""};
  for (uint32_t i = 0; i < std::size(lines); ++i) EXPECT_EQ(sources.line(file, i + 1), lines[i]);
  EXPECT_EQ(sources.where({file, 4, 5}), "a.ded:2:1");
  EXPECT_EQ(sources.where({file, 9, 10}), "a.ded:4:1");
  EXPECT_EQ(sources.where({file, 16, 17}), "a.ded:5:2");
}

TEST(Source, NamesPlacesOfSeveralFiles) {
  SourceSet sources;
  FileId a = sources.add("a.ded", "p;\nq;\n");
  FileId b = sources.add("b.ded", "");
  EXPECT_EQ(sources.size(), 2U);
  EXPECT_EQ(sources.where({a, 3, 4}), "a.ded:2:1");
  EXPECT_EQ(sources.where_line({a, 3, 4}), "a.ded:2");
  EXPECT_EQ(sources.text(Span{a, 3, 5}), "q;");
  EXPECT_EQ(sources.where({b, 0, 0}), "b.ded:1:1");
}

}  // namespace
}  // namespace clew
