#include "dedalus/parse.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/dedalus/parsed.h"

namespace clew::dedalus {
namespace {

struct Clauses {
  const char* source;
  const char* clauses;
};

// What parses without a mistake, and how it prints.
constexpr Clauses kAccepted[] = {
    {"", ""},
    {"p(\"a\", 1)@1;", "p(\"a\", 1)@1;\n"},
    {"p ( \"a\" ,1 ) @ 1 ;", "p(\"a\", 1)@1;\n"},
    {"p();", "p();\n"},
    {"p(\"a\");", "p(\"a\");\n"},
    {"p(X)@next :- q(X)@async;", "p(X)@next :- q(X)@async;\n"},
    {"p(X) :- q(X)@3, notin r(X, _)@4, X != \"a\";",
     "p(X) :- q(X)@3, notin r(X, _)@4, X != \"a\";\n"},
    {"include \"a.ded\";include(\"a\")@1;", "include \"a.ded\";\ninclude(\"a\")@1;\n"},
    {"p(count<X>, sum<Y>, min < Z >, max<W>) :- q(X, Y, Z, W);",
     "p(count<X>, sum<Y>, min<Z>, max<W>) :- q(X, Y, Z, W);\n"},
    {"p(count) :- q(count, sum), count < sum;", "p(count) :- q(count, sum), count < sum;\n"},
    {"p(X+1) :- q(X-1, 2*X), 1+2*3 == 7;", "p(X + 1) :- q(X - 1, 2 * X), 1 + 2 * 3 == 7;\n"},
    {"p(X) :- (1+2)*3 > X, 1-(2-3) > X, (1-2)-3 > X, 8/(4/2) > X;",
     "p(X) :- (1 + 2) * 3 > X, 1 - (2 - 3) > X, 1 - 2 - 3 > X, 8 / (4 / 2) > X;\n"},
    {"p(X) :- (X < 1), ((X)) == (((1)));", "p(X) :- X < 1, X == 1;\n"},
    {"p(-5, 3 - -5, X-1, X - 1, X--1) :- q(X);", "p(-5, 3 - -5, X - 1, X - 1, X - -1) :- q(X);\n"},
    {"p(9223372036854775807, -9223372036854775808, 007, -0)@1;",
     "p(9223372036854775807, -9223372036854775808, 7, 0)@1;\n"},
    {"p(X) :- q(X), X<-5;", "p(X) :- q(X), X < -5;\n"},
    {"p(\"\", \"\\\", \"\t//\", \"h\xC3\xA9\")@1;",
     "p(\"\", \"\\\", \"\t//\", \"h\xC3\xA9\")@1;\n"},
    {"2pc(a.b?, _x)@next :- not(a.b?), .x(_x);", "2pc(a.b?, _x)@next :- not(a.b?), .x(_x);\n"},
    {"\xEF\xBB\xBFp()@1;\r\nq()@2;\r\n", "p()@1;\nq()@2;\n"},
    {"p(X)\n:-\nq(X)\n,\nr(X)\n;", "p(X) :- q(X), r(X);\n"},
    {"log(Node, Pload) :-\nbcast(Node, Pload),\nnode(Node, _);\n",
     "log(Node, Pload) :- bcast(Node, Pload), node(Node, _);\n"},
    {"/* a */ p(/* b */)@1 // c\n;", "p()@1;\n"},
    {"reliable \"a\";nocrash\n\"a\" ,\"b\" ;", "reliable \"a\";\nnocrash \"a\", \"b\";\n"},
    {"reliable \"a\">\"b\", \"c\",\"b\" > \"a\";",
     "reliable \"a\" > \"b\", \"c\", \"b\" > \"a\";\n"},
    {"reliable(\"a\")@1; nocrash() :- reliable(X); p(reliable) :- nocrash(reliable);",
     "reliable(\"a\")@1;\nnocrash() :- reliable(X);\np(reliable) :- nocrash(reliable);\n"},
};

TEST(Parse, Accepts) {
  for (const Clauses& row : kAccepted) {
    Parsed parsed = parse_text(row.source);
    EXPECT_EQ(parsed.errors(), "") << row.source;
    EXPECT_EQ(printed_clauses(parsed.file), row.clauses) << row.source;
  }
}

// Mistakes and what is still read around them: {source, codes and clauses}.
constexpr Clauses kRecovered[] = {
    {"a()@1; b(; c()@1;", "[expected-term]\na()@1;\nc()@1;\n"},
    {"a()@1; b( c()@1;\nd()@1;", "[nested-atom]\na()@1;\nd()@1;\n"},
    {"a() :- b()\nc() :- d();", "[missing-semicolon]\na() :- b();\nc() :- d();\n"},
    {"a()@1\nb()@1\nc()@1\n",
     "[missing-semicolon][missing-semicolon][missing-semicolon]\na()@1;\nb()@1;\nc()@1;\n"},
    {"  a()@1\n  b()@1;", "[missing-semicolon]\na()@1;\nb()@1;\n"},
    {"a() :- b()\n  c();\nd()@1;", "[missing-comma]\nd()@1;\n"},
    {"a(\"x)@1;\nb()@1;", "[unterminated-string]\nb()@1;\n"},
    {"a() :-\nb() = 1,\nc(;\nd()@1;", "[single-equals]\nd()@1;\n"},
    {"a() :- b().\nc() :- d().\n",
     "[period-ends-clause][period-ends-clause]\na() :- b();\nc() :- d();\n"},
    {"a() <- !b(), 'x' = 'y';", "[wrong-arrow]\na() :- notin b(), \"x\" == \"y\";\n"},
    {"# one\n# two\na(;\nb()@1;", "[comment-style][expected-term]\nb()@1;\n"},
    {"a() :- b(), /* never\nc()@1;", "[unterminated-comment]\n"},
    {"a() :- b( /* never\nc()@1;", "[unterminated-comment]\n"},
    {"a(; /* never\nc()@1;", "[expected-term][unterminated-comment]\n"},
    {"a() :- b()", "[missing-semicolon]\na() :- b();\n"},
    {"a() :- b(),", "[extra-comma]\n"},
    {"a(", "[expected-term]\n"},
    {"a", "[missing-arguments]\n"},
    {"@", "[expected-clause]\n"},
};

TEST(Parse, GoesOnAfterMistakes) {
  for (const Clauses& row : kRecovered) {
    Parsed parsed = parse_text(row.source);
    std::string result;
    for (const Diagnostic& error : parsed.diagnostics.all()) {
      result += fmt::format("[{}]", error.code);
    }
    EXPECT_EQ(result + "\n" + printed_clauses(parsed.file), row.clauses) << row.source;
  }
}

TEST(Parse, SpansCoverWhatTheyName) {
  Parsed parsed = parse_text(
      "// c\n log(B, X + 1)@async :- bcast( A,X ) , notin ack(A)@3,(X > 2) ; // t\n"
      "p(count<X>);");
  ASSERT_EQ(parsed.errors(), "");
  const Clause& rule = parsed.file.clauses[0];
  auto text = [&](Span span) { return std::string(parsed.sources.text(span)); };
  EXPECT_EQ(text(rule.span), "log(B, X + 1)@async :- bcast( A,X ) , notin ack(A)@3,(X > 2) ;");
  EXPECT_EQ(text(rule.head.span), "log(B, X + 1)@async");
  EXPECT_EQ(text(rule.head.name_span), "log");
  EXPECT_EQ(text(rule.head.time.span), "@async");
  EXPECT_EQ(text(rule.head.args[1].span), "X + 1");
  EXPECT_EQ(text(rule.head.args[1].operands[1].span), "1");
  EXPECT_EQ(text(rule.body[0].span), "bcast( A,X )");
  EXPECT_EQ(text(rule.body[1].span), "notin ack(A)@3");
  EXPECT_EQ(text(rule.body[1].atom.span), "ack(A)@3");
  EXPECT_EQ(text(rule.body[2].span), "(X > 2)");
  EXPECT_EQ(text(rule.body[2].condition.operands[0].span), "X");
  EXPECT_EQ(text(parsed.file.clauses[1].head.args[0].span), "count<X>");
}

std::string texts(const std::vector<Comment>& comments) {
  std::string text;
  for (const Comment& comment : comments) text += comment.text + " ";
  return text;
}

TEST(Parse, CommentsStayWithWhatTheyAreAbout) {
  Parsed parsed = parse_text(
      "// 1\n\np(/* 2 */) /* 3 */ :- // 4\n"
      "  q() /* 5 */, // 6\n"
      "  /* 7 */ r(), /* 8 */ s() /* 9 */; // 10\n"
      "// 11\n"
      "t()@1; /* 12 */ u()@1;\n"
      "\n// 13");
  ASSERT_EQ(parsed.errors(), "");
  const std::vector<Clause>& clauses = parsed.file.clauses;
  ASSERT_EQ(clauses.size(), 3U);
  EXPECT_EQ(texts(clauses[0].comments), "// 1 /* 2 */ /* 3 */ ");
  EXPECT_TRUE(clauses[0].blank_before);
  EXPECT_EQ(texts(clauses[0].body[0].comments), "// 4 /* 5 */ ");
  EXPECT_EQ(texts(clauses[0].body[0].trailing), "// 6 ");
  EXPECT_EQ(texts(clauses[0].body[1].comments), "/* 7 */ ");
  EXPECT_EQ(texts(clauses[0].body[1].trailing), "");
  EXPECT_EQ(texts(clauses[0].body[2].comments), "/* 8 */ /* 9 */ ");
  EXPECT_EQ(texts(clauses[0].trailing), "// 10 ");
  EXPECT_EQ(texts(clauses[1].comments), "// 11 ");
  EXPECT_EQ(texts(clauses[1].trailing), "");
  EXPECT_EQ(texts(clauses[2].comments), "/* 12 */ ");
  EXPECT_FALSE(clauses[2].blank_before);
  EXPECT_EQ(texts(parsed.file.comments), "// 13 ");
  EXPECT_TRUE(parsed.file.comments[0].blank_before);
}

std::string repeated(const std::string& text, size_t times) {
  std::string result;
  for (size_t i = 0; i < times; ++i) result += text;
  return result;
}

// The codes of all errors, in order.
std::vector<std::string> codes(const Parsed& parsed) {
  std::vector<std::string> result;
  for (const Diagnostic& error : parsed.diagnostics.all()) result.push_back(error.code);
  return result;
}

TEST(Parse, NestingIsLimited) {
  const std::vector<std::string> too_deep = {"too-deep"};
  const size_t most = kMostNesting;
  auto chain = [](size_t operands) { return "p(1" + repeated("+1", operands - 1) + ")@1;"; };
  EXPECT_EQ(parse_text(chain(most)).errors(), "");
  EXPECT_EQ(codes(parse_text(chain(most + 1))), too_deep);
  EXPECT_EQ(codes(parse_text(chain(100'000))), too_deep);
  auto nested = [](size_t depth) {
    return "p(" + repeated("(", depth) + "1" + repeated(")", depth) + ")@1;";
  };
  EXPECT_EQ(parse_text(nested(most)).errors(), "");
  EXPECT_EQ(codes(parse_text(nested(most + 1))), too_deep);
  EXPECT_EQ(codes(parse_text(nested(100'000))), too_deep);
  auto right = [](size_t depth) {
    return "p(" + repeated("1-(", depth) + "1" + repeated(")", depth) + ")@1;";
  };
  EXPECT_EQ(parse_text(right(most - 1)).errors(), "");
  EXPECT_EQ(codes(parse_text(right(most))), too_deep);
}

TEST(Parse, StopsAfterManyMistakes) {
  Parsed parsed = parse_text(repeated("p(;\n", 10'000));
  EXPECT_EQ(parsed.diagnostics.all().size(), kMostSyntaxErrors + 1);
  EXPECT_EQ(parsed.diagnostics.all().back().code, "too-many-errors");
  EXPECT_EQ(parsed.diagnostics.all().back().message,
            "100 syntax errors have been found; the rest of the file is not read");
}

TEST(Parse, TheNumberOfElementsIsLimited) {
  SourceSet sources;
  // A clause, a literal and three terms; a comment.
  FileId file = sources.add("t.ded", "p(X) :- q(X, 1); // c\nr()@1;");
  struct Limit {
    size_t most;
    std::vector<std::string> codes;
  };
  const Limit limits[] = {
      {7, {}}, {6, {"program-too-large"}}, {2, {"program-too-large"}}, {0, {"program-too-large"}}};
  for (const Limit& limit : limits) {
    Parsed parsed;
    parsed.file = parse(file, sources, parsed.diagnostics, limit.most);
    EXPECT_EQ(codes(parsed), limit.codes) << limit.most;
    if (limit.codes.empty()) {
      EXPECT_EQ(parsed.file.elements, limit.most);
    }
  }
}

TEST(Parse, SameClauseIgnoresLayoutOnly) {
  auto clause = [](const char* source) { return parse_text(source).file.clauses.at(0); };
  const char* distinct[] = {"p();",
                            "p()@1;",
                            "p()@2;",
                            "p()@next;",
                            "q();",
                            "p(1);",
                            "p(\"1\");",
                            "p(_);",
                            "p(x);",
                            "p(y);",
                            "p(x, y);",
                            "p(1 + 2);",
                            "p(1 - 2);",
                            "p(2 + 1);",
                            "p(count<x>);",
                            "p(sum<x>);",
                            "p() :- q();",
                            "p() :- notin q();",
                            "p() :- q(), q();",
                            "p() :- 1 < 2;",
                            "include \"p\";",
                            "include \"q\";"};
  for (const char* a : distinct) {
    EXPECT_TRUE(same_clause(clause(a), clause((" /* c */ " + std::string(a)).c_str()))) << a;
    for (const char* b : distinct) {
      EXPECT_EQ(same_clause(clause(a), clause(b)), a == b) << a << " " << b;
    }
  }
}

}  // namespace
}  // namespace clew::dedalus
