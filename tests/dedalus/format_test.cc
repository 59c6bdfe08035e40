#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.h"
#include "base/random.h"
#include "tests/dedalus/parsed.h"
#include "tests/fuzz/parse_property.h"

namespace clew::dedalus {
namespace {

struct Layout {
  const char* source;
  const char* formatted;
};

constexpr Layout kLayouts[] = {
    {"", ""},
    {"\n\n\n", ""},
    {"p( \"a\",1 )@1 ;q()@2;", "p(\"a\", 1)@1;\nq()@2;\n"},
    {"\n\np()@1;\n\n\n\nq()@1;\nr()@1;\n\n", "p()@1;\n\nq()@1;\nr()@1;\n"},
    {"include   \"a.ded\" ;", "include \"a.ded\";\n"},
    {"reliable\"a\">\"b\" ,\n\"c\" ;", "reliable \"a\" > \"b\", \"c\";\n"},
    {"// a\nnocrash /* b */ \"a\", // c\n\"b\"; // d",
     "// a\n/* b */\n// c\nnocrash \"a\", \"b\";  // d\n"},
    {"p(X)\n  :- q(X)\n  , r(X);", "p(X) :- q(X), r(X);\n"},
    // Eighty columns fit, eighty-one do not.
    {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa(X)@next :- bbbbbbbbbbbbbbbbbb(X), ccccccccccc(X);",
     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa(X)@next :- bbbbbbbbbbbbbbbbbb(X), ccccccccccc(X);\n"},
    {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa(X)@next :- bbbbbbbbbbbbbbbbbb(X), cccccccccccc(X);",
     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa(X)@next :-\n"
     "    bbbbbbbbbbbbbbbbbb(X),\n"
     "    cccccccccccc(X);\n"},
    // A trailing comment does not count.
    {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa(X)@next :- bbbbbbbbbbbbbbbbbb(X), ccccccccccc(X);// c",
     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa(X)@next :- bbbbbbbbbbbbbbbbbb(X), ccccccccccc(X);  // c\n"},
    {"// a\n\n// b\np()@1; // c\n// d", "// a\n\n// b\np()@1;  // c\n// d\n"},
    {"// a\n\n\n\np()@1;\n\n\n// b\n\n\n", "// a\n\np()@1;\n\n// b\n"},
    {"p()@1; /* a */ // b\nq()@1; /* c */ r()@1;",
     "p()@1;  /* a */ // b\nq()@1;\n/* c */\nr()@1;\n"},
    {"p() :- // a\n q(), // b\n\n // c\n r() // d\n ; // e",
     "p() :-\n    // a\n    q(),  // b\n    // c\n    // d\n    r();  // e\n"},
    {"p(/* a */) :- q(/* b */);", "/* a */\np() :-\n    /* b */\n    q();\n"},
    {"/* a  \r\n   b */\r\np()@1;\r\n", "/* a\n   b */\np()@1;\n"},
    {"// a \r\r/* b  \r   c */\rp()@1; // d\rq()@1;\r",
     "// a\n\n/* b\n   c */\np()@1;  // d\nq()@1;\n"},
    {"p() :- q(), /* a\n b */\n r();", "p() :-\n    q(),  /* a\n b */\n    r();\n"},
    {"// only a comment", "// only a comment\n"},
    {"promise  p :a(X),b(X)implies c(X) ;never n:a(X);",
     "promise p: a(X), b(X) implies c(X);\nnever n: a(X);\n"},
    {"always p: a(X) // first\n, b(X) implies c(X), // then\n d(X); // end",
     "always p:\n    // first\n    a(X),\n    b(X)\n    implies\n    c(X),  // then\n    d(X);  // "
     "end\n"},
    {"promise(\"a\")@1; always(\"a\")@1; never(X) :- promise(X), always(X);",
     "promise(\"a\")@1;\nalways(\"a\")@1;\nnever(X) :- promise(X), always(X);\n"},
};

TEST(Format, Table) {
  for (const Layout& row : kLayouts) {
    Parsed parsed = parse_text(row.source);
    ASSERT_EQ(parsed.errors(), "") << row.source;
    EXPECT_EQ(format_file(parsed.file), row.formatted);
    EXPECT_TRUE(check_parse_property(row.source)) << row.source;
  }
}

TEST(Format, KeepsEveryProtocol) {
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("protocols")) {
    if (entry.path().extension() != ".ded") continue;
    Result<std::string> text = read_file(entry.path().string(), kMostFileBytes);
    ASSERT_TRUE(text.ok()) << text.error().message;
    EXPECT_TRUE(check_parse_property(*text)) << entry.path();
    ++files;
  }
  EXPECT_GT(files, 0);
}

const std::vector<std::string> kRelations = {"p",   "q",       "log",      "a.b",    "_x",
                                             "2pc", "include", "reliable", "nocrash"};
const std::vector<std::string> kVariables = {"X", "Y", "_", "Node", "count", "x.", "next"};
const std::vector<std::string> kConstants = {
    "1", "-1", "0", "\"\"", "\"a b\"", "\"//\"", "-9223372036854775808"};
const std::vector<std::string> kFunctions = {"count", "sum", "min", "max"};
const std::vector<std::string> kOperators = {"+", "-", "*", "/"};
const std::vector<std::string> kComparisons = {"<", "<=", ">", ">=", "==", "!="};
const std::vector<std::string> kTimes = {"next", "async", "1", "23"};
const std::vector<std::string> kGaps = {" ",         " ",
                                        "\n",        "\n\n",
                                        "\t",        "",
                                        "",          "\r\n",
                                        "// note\n", " /* inner */ ",
                                        "\n",        "\n ",
                                        "// x\n\n",  "/* two\n lines */"};
const std::vector<std::string> kAggregated = {"X", "Node", "count"};

// Writes random programs without mistakes, with random blanks and comments between all tokens.
class RandomText {
 public:
  explicit RandomText(uint64_t seed) : random_(seed) {}

  std::string program() {
    for (uint64_t n = random_.uniform_below(4); n > 0; --n) clause();
    gap();
    return std::move(text_);
  }

 private:
  void clause() {
    if (random_.chance(0.1)) {
      token("include");
      token("\"a.ded\"");
    } else if (random_.chance(0.1)) {
      limits();
    } else {
      atom(true);
      if (random_.chance(0.7)) body();
    }
    token(";");
  }

  void limits() {
    const bool links = random_.chance(0.5);
    token(links ? "reliable" : "nocrash");
    for (uint64_t n = random_.uniform_below(3) + 1; n > 0; --n) {
      token("\"a\"");
      if (links && random_.chance(0.5)) {
        token(">");
        token("\"b\"");
      }
      if (n > 1) token(",");
    }
  }

  void body() {
    token(":-");
    for (uint64_t n = random_.uniform_below(4); n > 0; --n) {
      literal();
      token(",");
    }
    literal();
  }

  void literal() {
    if (random_.chance(0.3)) return condition();
    if (random_.chance(0.3)) token("notin");
    atom(false);
  }

  void condition() {
    bool enclosed = random_.chance(0.2);
    if (enclosed) token("(");
    term(3);
    token(random_.pick(kComparisons));
    term(3);
    if (enclosed) token(")");
  }

  void atom(bool head) {
    token(random_.pick(kRelations));
    token("(");
    for (uint64_t n = random_.uniform_below(4); n > 0; --n) {
      head&& random_.chance(0.2) ? aggregate() : term(2);
      if (n > 1) token(",");
    }
    token(")");
    if (!random_.chance(0.4)) return;
    token("@");
    token(random_.pick(kTimes));
  }

  void aggregate() {
    token(random_.pick(kFunctions));
    token("<");
    token(random_.pick(kAggregated));
    token(">");
  }

  void term(int depth) {
    if (depth == 0 || random_.chance(0.5)) {
      token(random_.pick(random_.chance(0.5) ? kVariables : kConstants));
      return;
    }
    bool enclosed = random_.chance(0.5);
    if (enclosed) token("(");
    term(depth - 1);
    token(random_.pick(kOperators));
    term(depth - 1);
    if (enclosed) token(")");
  }

  void token(const std::string& text) {
    bool word = text[0] != '(' && text[0] != ')' && text[0] != ',' && text[0] != ';';
    gap();
    // Two words in a row would become one, and `/` with what follows it a comment.
    if (word) text_ += ' ';
    text_ += text;
    if (text == "/") text_ += ' ';
  }

  void gap() {
    for (uint64_t n = random_.uniform_below(3); n > 0; --n) text_ += random_.pick(kGaps);
  }

  Random random_;
  std::string text_;
};

TEST(Format, KeepsRandomProgramsAndTheirComments) {
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    std::string text = RandomText(seed).program();
    ASSERT_TRUE(check_parse_property(text)) << parse_text(text).errors() << text;
  }
}

}  // namespace
}  // namespace clew::dedalus
