// infer_types and check_types.
#include <gtest/gtest.h>

#include "tests/dedalus/passes/diagnose.h"

namespace clew::dedalus {
namespace {

// "p: integer|string, string; ..." of all relations but `crash`; `-` for a column without values.
std::string columns_of(const std::string& source) {
  SourceSet sources;
  Diagnostics diagnostics;
  FileId file = sources.add("test.ded", source);
  auto program = check_program({parse(file, sources, diagnostics)}, diagnostics);
  if (!program) return diagnostics.render(sources);
  std::string text;
  for (size_t i = 1; i < program->relations.size(); ++i) {
    const RelationInfo& relation = program->relations[i];
    text += (i == 1 ? "" : " ") + relation.name + ":";
    for (ColumnType column : relation.columns) {
      const char* both = column.integer && column.string ? "|" : "";
      const char* none = !column.integer && !column.string ? "-" : "";
      text += fmt::format(" {}{}{}{}", column.integer ? "int" : "", both,
                          column.string ? "str" : "", none);
    }
  }
  return text;
}

TEST(InferTypes, Columns) {
  const Case cases[] = {
      {"p(\"a\", 1)@1;", "p: str int"},
      {"p(\"a\", 1)@1; q(X, Y)@next :- p(X, Y); q(X, Y)@next :- q(X, Y);", "p: str int q: str int"},
      {"p(\"a\", 1)@1; q(X, Y + 1, X + \"!\", Y * Y) :- p(X, Y);", "p: str int q: str int str int"},
      {"p(\"a\", \"x\")@1; q(X, count<Y>, min<Y>) :- p(X, Y);", "p: str str q: str int str"},
      {"p(\"a\", 1)@1; p(\"a\", \"x\")@1; q(X, Y) :- p(X, Y); r(X, Y + Y, Y - 1) :- q(X, Y);",
       "p: str int|str q: str int|str r: str int|str int"},
      // A join holds what all its columns hold; a location is a string.
      {"p(\"a\", 1)@1; p(\"a\", \"x\")@1; s(\"a\", \"x\")@1; q(Y) :- p(X, Y), s(X, Y);",
       "p: str int|str s: str str q: str"},
      {"p(\"a\", 1)@1; p(1, 1)@1; q(X) :- p(X, _);", "p: int|str int q: str"},
      {"p(\"a\")@1; q(X, N, T) :- crash(X, N, T), p(X);", "p: str q: str str int"},
      {"p(\"a\")@1; q(X) :- notin p(X);", "p: str q: str"},
      {"q(X, Y) :- gone(X, Y);", "q: - - gone: - -"},
      // Where the types of a circle come from its far side.
      {"a(X, Y)@next :- b(X, Y); b(X, Y)@next :- c(X, Y); c(X, Y) :- a(X, Y); c(\"n\", 1)@1;",
       "a: str int b: str int c: str int"},
  };
  for (const Case& each : cases) EXPECT_EQ(columns_of(each.source), each.diagnostics);
}

TEST(InferTypes, MixedColumnsAreReportedWhereMixingBegins) {
  const Case cases[] = {
      {"p(\"a\", 1)@1;\np(\"a\", \"x\")@1;\nq(X, Y) :- p(X, Y);\nr(X, Y)@next :- q(X, Y);",
       "2:8 warning mixed-column: column 2 of `p` holds both integers and strings\n"
       "  1:8 an integer gets there here\n"
       "  help: give the column one type; operators fail on the other when the program runs\n"},
      {"p(\"a\", \"x\")@1;\nq(\"a\", 1)@1;\nr(X, Y) :- p(X, Y);\nr(X, Y) :- q(X, Y);",
       "4:6 warning mixed-column: column 2 of `r` holds both integers and strings\n"
       "  3:6 a string gets there here\n"
       "  help: give the column one type; operators fail on the other when the program runs\n"},
      // Each feeds the other; one report is enough.
      {"p(\"a\", \"x\")@1;\nq(\"a\", 1)@1;\np(X, Y) :- q(X, Y);\nq(X, Y) :- p(X, Y);",
       "3:6 warning mixed-column: column 2 of `p` holds both integers and strings\n"
       "  1:8 a string gets there here\n"
       "  help: give the column one type; operators fail on the other when the program runs\n"},
  };
  for (const Case& each : cases) EXPECT_EQ(diagnose(each.source), each.diagnostics) << each.source;
}

// What a column holds is not known where a clause cannot be read; but all errors are told at once.
TEST(CheckTypes, AProgramThatCannotBeRead) {
  const std::string rule = "p(\"a\", 1)@1; q(X) :- p(X, Y), Y - \"1\" > 0, Y < \"b\";\n";
  const std::string wrong_type =
      "1:35 error wrong-type: `-` needs integers, but this is a string\n"
      "  help: only `+` works on strings: it joins them\n";
  const std::string wrong_comparison =
      "1:44 warning wrong-comparison: this compares an integer with a string, and integers come "
      "before strings: it always holds\n"
      "  1:27 `Y` is column 2 of `p`\n"
      "  1:8 column 2 of `p` gets an integer here\n"
      "  help: compare two integers or two strings\n";
  const std::string unread =
      "2:22 error expected-term: expected a variable or a value, but found `;`\n"
      "  help: write a variable, `_`, a \"string\" or an integer\n";
  EXPECT_EQ(diagnose(rule), wrong_type + wrong_comparison);
  EXPECT_EQ(diagnose(rule + "q(X) :- p(X, _), X < ;"), wrong_type + unread);
}

const std::string kFacts = "p(\"a\", 1)@1; q(\"a\", \"x\")@1;\n";

TEST(CheckTypes, Operators) {
  const Case cases[] = {
      {"r(X, Y + 1, Z + \"!\") :- p(X, Y), q(X, Z), Y * 2 > 1, Z >= \"x\";", ""},
      {"r(X, Y * 2) :- q(X, Y);",
       "2:6 error wrong-type: `*` needs integers, but `Y` is a string\n"
       "  2:21 `Y` is column 2 of `q`\n"
       "  1:21 column 2 of `q` gets a string here\n"
       "  help: only `+` works on strings: it joins them\n"},
      {"r(X) :- p(X, Y), Y - \"1\" > 0;",
       "2:22 error wrong-type: `-` needs integers, but this is a string\n"
       "  help: only `+` works on strings: it joins them\n"},
      {"r(X, Y + X) :- p(X, Y);",
       "2:6 error wrong-type: `+` cannot join an integer and a string\n"
       "  2:21 `Y` is column 2 of `p`\n"
       "  1:8 column 2 of `p` gets an integer here\n"
       "  2:18 `X` is column 1 of `p`\n"
       "  1:3 column 1 of `p` gets a string here\n"
       "  help: `+` adds two integers or joins two strings\n"},
      // One mistake, one error: the outer operators know nothing.
      {"r(X, (\"1\" * 2) + X + 1) :- p(X, _);",
       "2:7 error wrong-type: `*` needs integers, but this is a string\n"
       "  help: only `+` works on strings: it joins them\n"},
      {"r(X, sum<Y>) :- q(X, Y);",
       "2:6 error wrong-type: `sum` needs integers, but `Y` is a string\n"
       "  2:22 `Y` is column 2 of `q`\n"
       "  1:21 column 2 of `q` gets a string here\n"
       "  help: `count`, `min` and `max` work on strings\n"},
      {"r(X) :- p(X, Y), Y == \"1\";",
       "2:18 warning wrong-comparison: this compares an integer with a string, and integers come "
       "before strings: it never holds\n"
       "  2:14 `Y` is column 2 of `p`\n"
       "  1:8 column 2 of `p` gets an integer here\n"
       "  help: compare two integers or two strings\n"},
      {"r(X) :- p(X, _), crash(X, N, _), N < 3;",
       "2:34 warning wrong-comparison: this compares a string with an integer, and integers come "
       "before strings: it never holds\n"
       "  2:27 `N` is column 2 of `crash`\n"
       "  help: compare two integers or two strings\n"},
      {"r(X) :- p(X, _), 3 <= \"\";",
       "2:18 warning wrong-comparison: this compares an integer with a string, and integers come "
       "before strings: it always holds\n"
       "  help: compare two integers or two strings\n"},
      // Mixed columns are left to the run.
      {"m(\"a\", 1)@1; m(\"a\", \"x\")@1; r(X, Y * 2) :- m(X, Y), Y < 3, Y < \"y\";",
       "2:21 warning mixed-column: column 2 of `m` holds both integers and strings\n"
       "  2:8 an integer gets there here\n"
       "  help: give the column one type; operators fail on the other when the program runs\n"},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(diagnose(kFacts + each.source), each.diagnostics) << each.source;
  }
}

TEST(CheckTypes, WhatNeverMatches) {
  const Case cases[] = {
      {"r(X) :- p(X, 2), q(X, \"y\"), notin q(X, \"z\"), p(X, 1 + 1);", ""},
      {"r(X) :- p(X, Y), q(X, Y);",
       "2:23 warning never-matches: `Y` is a string here but an integer elsewhere: this rule never "
       "fires\n"
       "  2:14 `Y` gets its values here\n"
       "  help: join columns that hold the same type\n"},
      {"r(X) :- p(X, \"1\");",
       "2:14 warning never-matches: column 2 of `p` never holds a string: this rule never fires\n"
       "  1:8 column 2 of `p` gets an integer here\n"
       "  help: compare with a value of the type that the column holds\n"},
      {"r(X) :- p(X, Y), notin q(X, Y + 1);",
       "2:29 warning never-matches: column 2 of `q` never holds an integer: this `notin` always "
       "holds\n"
       "  1:21 column 2 of `q` gets a string here\n"
       "  help: compare with a value of the type that the column holds\n"},
      {"r(X) :- p(X, _), notin crash(X, 7, _);",
       "2:33 warning never-matches: column 2 of `crash` never holds an integer: this `notin` "
       "always "
       "holds\n"
       "  help: compare with a value of the type that the column holds\n"},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(diagnose(kFacts + each.source), each.diagnostics) << each.source;
  }
}

TEST(CheckTypes, Nodes) {
  const Case cases[] = {
      {"r(X) :- p(7, X);",
       "2:11 warning not-a-node: an integer is not a node: this rule never fires\n"
       "  help: nodes are strings; the first column of the body says where the rule fires\n"},
      {"v(7)@1; r(X) :- v(X);",
       "2:19 warning not-a-node: `X` is an integer, not a node: this rule never fires\n"
       "  help: nodes are strings; the first column of the body says where the rule fires\n"},
      {"r(7, X)@async :- p(X, _);",
       "2:3 warning not-a-node: an integer is not a node: this message is never sent\n"
       "  help: nodes are strings; the first column of an `@async` head says who receives it\n"},
      {"r(Y, X)@async :- p(X, Y);",
       "2:3 warning not-a-node: an integer is not a node: this message is never sent\n"
       "  2:23 `Y` is column 2 of `p`\n"
       "  1:8 column 2 of `p` gets an integer here\n"
       "  help: nodes are strings; the first column of an `@async` head says who receives it\n"},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(diagnose(kFacts + each.source), each.diagnostics) << each.source;
  }
}

}  // namespace
}  // namespace clew::dedalus
