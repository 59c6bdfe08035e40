#include "dedalus/print.h"

#include <gtest/gtest.h>

#include "tests/dedalus/parsed.h"

namespace clew::dedalus {
namespace {

// What is printed of a condition: no more parentheses than its tree needs.
TEST(Print, ParenthesesFollowTheTree) {
  struct Row {
    const char* source;
    const char* printed;
  };
  const Row rows[] = {
      {"((1)) == (2)", "1 == 2"},
      {"(1 + 2) + 3 == 0", "1 + 2 + 3 == 0"},
      {"1 + (2 + 3) == 0", "1 + (2 + 3) == 0"},
      {"1 - (2 - 3) == 0", "1 - (2 - 3) == 0"},
      {"1 + (2 * 3) == 0", "1 + 2 * 3 == 0"},
      {"(1 + 2) * 3 == 0", "(1 + 2) * 3 == 0"},
      {"1 * (2 + 3) == 0", "1 * (2 + 3) == 0"},
      {"1 * 2 / 3 == 0", "1 * 2 / 3 == 0"},
      {"1 * (2 / 3) == 0", "1 * (2 / 3) == 0"},
      {"1 / (2 * 3) == 0", "1 / (2 * 3) == 0"},
      {"1 - -2 == -3", "1 - -2 == -3"},
      {"(1 < 2)", "1 < 2"},
      {"\"a\" + X != Y", "\"a\" + X != Y"},
  };
  for (const Row& row : rows) {
    Parsed parsed = parse_text("p(X, Y) :- " + std::string(row.source) + ";");
    ASSERT_EQ(parsed.errors(), "") << row.source;
    EXPECT_EQ(print(parsed.file.clauses[0].body[0]), row.printed);
  }
}

TEST(Print, Parts) {
  Parsed parsed =
      parse_text("p(X, count<Y>)@async :- q(X, \"a\", -1, _)@3, notin r(Y), X + 1 <= Y;");
  ASSERT_EQ(parsed.errors(), "");
  const Clause& clause = parsed.file.clauses[0];
  EXPECT_EQ(print(clause.head), "p(X, count<Y>)@async");
  EXPECT_EQ(print(clause.head.args[1]), "count<Y>");
  EXPECT_EQ(print(clause.body[0]), "q(X, \"a\", -1, _)@3");
  EXPECT_EQ(print(clause.body[1]), "notin r(Y)");
  EXPECT_EQ(print(clause.body[2].condition), "X + 1 <= Y");
  EXPECT_EQ(print(clause), "p(X, count<Y>)@async :- q(X, \"a\", -1, _)@3, notin r(Y), X + 1 <= Y;");
}

TEST(Print, Tree) {
  Parsed parsed = parse_text(
      "include \"a.ded\";\n"
      "reliable \"a\", \"a\" > \"b\";\n"
      "node(\"a\", 1)@1;\n"
      "p(X, count<Y>)@next :- q(X, _), notin r(Y)@3, X + 1 <= Y;\n"
      "always fair: p(X, _) implies q(X, 2), X != 3;\n"
      "never two: r(1);\n");
  ASSERT_EQ(parsed.errors(), "");
  EXPECT_EQ(print_tree(parsed.file), R"(include "a.ded"
reliable
  "a"
  "a" > "b"
fact node @1
  string "a"
  integer 1
rule
  head p @next
    variable X
    aggregate count Y
  atom q
    variable X
    wildcard
  notin r @3
    variable Y
  condition
    operator <=
      operator +
        variable X
        integer 1
      variable Y
always fair
  atom p
    variable X
    wildcard
  implies
  atom q
    variable X
    integer 2
  condition
    operator !=
      variable X
      integer 3
never two
  atom r
    integer 1
)");
}

}  // namespace
}  // namespace clew::dedalus
