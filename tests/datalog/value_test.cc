#include "datalog/value.h"

#include <gtest/gtest.h>

namespace clew::datalog {
namespace {

// Small integers are their own representation; the table begins right beyond them.
TEST(ValueTable, IntegersOfAllSizes) {
  constexpr int64_t kInline = int64_t{1} << 30;
  const struct {
    int64_t number;
    size_t entries;  // in the table, after it
  } table[] = {{0, 0},         {1, 0},       {-1, 0},           {kInline - 1, 0},
               {-kInline, 0},  {kInline, 1}, {-kInline - 1, 2}, {INT64_MAX, 3},
               {INT64_MIN, 4}, {kInline, 4}};
  ValueTable values;
  for (const auto& one : table) {
    const Value value = values.integer(one.number);
    EXPECT_TRUE(values.is_integer(value)) << one.number;
    EXPECT_EQ(values.number(value), one.number);
    EXPECT_EQ(values.integer(one.number), value);
    EXPECT_EQ(values.size(), one.entries) << one.number;
  }
}

TEST(ValueTable, IntegersBySizeThenStringsByBytes) {
  ValueTable values;
  const Value ascending[] = {
      values.integer(INT64_MIN), values.integer(-5),        values.integer(0),
      values.integer(7),         values.integer(INT64_MAX), values.intern(""),
      values.intern("10"),       values.intern("9"),        values.intern("a")};
  for (const Value& a : ascending) {
    for (const Value& b : ascending) {
      const int expected = &a < &b ? -1 : (&a > &b ? 1 : 0);
      EXPECT_EQ(values.compare(a, b), expected) << values.print(a) << " " << values.print(b);
    }
  }
}

TEST(ValueTableDeathTest, AStringIsNoNumber) {
  ValueTable values;
  EXPECT_EXIT(values.number(values.intern("7")), testing::ExitedWithCode(1), "is_integer");
  EXPECT_EXIT(values.text(values.integer(7)), testing::ExitedWithCode(1), "is_integer");
}

}  // namespace
}  // namespace clew::datalog
