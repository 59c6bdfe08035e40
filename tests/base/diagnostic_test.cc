#include "base/diagnostic.h"

#include <gtest/gtest.h>

namespace clew {
namespace {

// Renders an error whose span lies between the two `|` of the source.
std::string rendered(std::string source) {
  auto begin = static_cast<uint32_t>(source.find('|'));
  source.erase(begin, 1);
  auto end = static_cast<uint32_t>(source.find('|'));
  source.erase(end, 1);
  SourceSet sources;
  FileId file = sources.add("a.ded", source);
  return render({Severity::kError, "code", {file, begin, end}, "message", {}, ""}, sources);
}

std::string heading(const char* place) {
  return std::string("a.ded:") + place + ": error: message [code]\n";
}

TEST(Diagnostic, MarksTheSpan) {
  struct Row {
    const char* source;
    const char* place;
    const char* excerpt;
  };
  const Row rows[] = {
      {"|log|(A, B);\n", "1:1", "  1 | log(A, B);\n    | ^^^\n"},
      {"log(|A|, B);\n", "1:5", "  1 | log(A, B);\n    |     ^\n"},
      {"log(A, B)||\n", "1:10", "  1 | log(A, B)\n    |          ^\n"},
      {"log||(A)\n", "1:4", "  1 | log(A)\n    |    ^\n"},
      {"log(|A)\nnext|;\n", "1:5", "  1 | log(A)\n    |     ^^\n"},
      {"\tlog(|A|);\n", "1:6", "  1 |     log(A);\n    |         ^\n"},
      {"p(|\t|);", "1:3", "  1 | p(    );\n    |   ^^^^\n"},
      {"p(\"h\xC3\xA9\xE2\x82\xAC\", |X|);", "1:10",
       "  1 | p(\"h\xC3\xA9\xE2\x82\xAC\", X);\n    |          ^\n"},
      {"p(|\"\xF0\x9F\x98\x80\"|);", "1:3", "  1 | p(\"\xF0\x9F\x98\x80\");\n    |   ^^^\n"},
      {"p(\x01\x7F\xC2\x85, |X|);", "1:8", "  1 | p(   , X);\n    |        ^\n"},
      {"p(\xE2\x80\xAE, |X|);", "1:6", "  1 | p( , X);\n    |      ^\n"},
      {"p(|X|);\r\n", "1:3", "  1 | p(X);\n    |   ^\n"},
      {"q();\rp(|X|);\rr();", "2:3", "  2 | p(X);\n    |   ^\n"},
      {"||", "1:1", ""},
      {"p;\n   ||\n", "2:4", ""},
      {"p;\n\n\n\n\n\n\n\n\n|q|;", "10:1", "  10 | q;\n     | ^\n"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(rendered(row.source), heading(row.place) + row.excerpt) << row.source;
  }
}

// The source line and the carets, without their gutters.
std::pair<std::string, std::string> lines_of(const std::string& text) {
  size_t first = text.find(" | ") + 3;
  size_t first_end = text.find('\n', first);
  size_t second = text.find(" | ", first_end) + 3;
  return {text.substr(first, first_end - first),
          text.substr(second, text.find('\n', second) - second)};
}

TEST(Diagnostic, LongLinesAreCutAroundTheSpan) {
  const std::string a(300, 'a');
  const std::string b(300, 'b');
  struct Row {
    std::string source;
    std::string line;
    std::string carets;
  };
  const Row rows[] = {
      {"|XY|" + a, "XY" + a.substr(0, 98) + "...", "^^"},
      {a + "|XY|" + b, "..." + a.substr(0, 40) + "XY" + b.substr(0, 58) + "...",
       std::string(43, ' ') + "^^"},
      {a + "|XY|", "..." + a.substr(0, 98) + "XY", std::string(101, ' ') + "^^"},
      {a + "||", "..." + a.substr(0, 100), std::string(103, ' ') + "^"},
      {a + "|" + b + "|", "..." + a.substr(0, 40) + b.substr(0, 60) + "...",
       std::string(43, ' ') + std::string(60, '^')},
  };
  for (const Row& row : rows) {
    auto [line, carets] = lines_of(rendered(row.source));
    EXPECT_EQ(line, row.line);
    EXPECT_EQ(carets, row.carets);
  }
}

TEST(Diagnostic, ShowsNotesAndHelp) {
  SourceSet sources;
  FileId file = sources.add("broadcast.ded",
                            "node(A, B)@1;\n"
                            "log(A, B)@next :- log(A, B);\n"
                            "log(A, B, C) :- bcast(A, B);\n");
  Diagnostics diagnostics;
  Diagnostic& error =
      diagnostics.error("arity-clash", {file, 43, 46}, "`log` has 3 arguments here but 2 elsewhere",
                        "give every use of `log` the same number of arguments");
  error.notes.push_back({{file, 14, 17}, "here it has 2"});
  diagnostics.warning("unused", {file, 0, 4}, "`node` is never read");
  diagnostics.sort();
  EXPECT_EQ(diagnostics.render(sources),
            R"(broadcast.ded:1:1: warning: `node` is never read [unused]
  1 | node(A, B)@1;
    | ^^^^
broadcast.ded:3:1: error: `log` has 3 arguments here but 2 elsewhere [arity-clash]
  3 | log(A, B, C) :- bcast(A, B);
    | ^^^
broadcast.ded:2:1: note: here it has 2
  2 | log(A, B)@next :- log(A, B);
    | ^^^
  help: give every use of `log` the same number of arguments
1 error, 1 warning
)");
}

TEST(Diagnostic, SortsByPlaceAndMergesEqualOnes) {
  SourceSet sources;
  FileId a = sources.add("a.ded", "abcdef");
  FileId b = sources.add("b.ded", "abcdef");
  Diagnostics diagnostics;
  diagnostics.error("x", {b, 0, 1}, "in b");
  diagnostics.error("x", {a, 2, 3}, "second");
  diagnostics.error("x", {a, 1, 2}, "first");
  diagnostics.error("x", {a, 2, 3}, "second");
  diagnostics.error("x", {a, 2, 3}, "second").notes.push_back({{a, 0, 1}, "with a note"});
  diagnostics.sort();
  std::string order;
  for (const Diagnostic& diagnostic : diagnostics.all()) order += diagnostic.message + "; ";
  EXPECT_EQ(order, "first; second; second; in b; ");
}

TEST(Diagnostic, CountsWhatItLeavesOut) {
  SourceSet sources;
  FileId file = sources.add("a.ded", "");
  Diagnostics diagnostics;
  EXPECT_EQ(diagnostics.render(sources), "");
  EXPECT_FALSE(diagnostics.has_errors());
  for (int i = 0; i < 3; ++i) diagnostics.warning("w", {file, 0, 0}, "careful");
  EXPECT_FALSE(diagnostics.has_errors());
  EXPECT_EQ(diagnostics.render(sources, 1),
            "a.ded:1:1: warning: careful [w]\n... and 2 more, not shown\n3 warnings\n");
  for (int i = 0; i < 1500; ++i) diagnostics.error("e", {file, 0, 0}, "wrong");
  EXPECT_TRUE(diagnostics.has_errors());
  EXPECT_EQ(diagnostics.render(sources, 0),
            "... and 1,503 more, not shown\n1,500 errors, 3 warnings\n");
}

TEST(Diagnostic, ControlCharactersOfMessagesAndPathsAreNotPassedOn) {
  SourceSet sources;
  FileId file = sources.add("a\n\x1B[31m.ded", "p;");
  EXPECT_EQ(
      render({Severity::kError, "code", {file, 0, 1}, "bad \x1B[0m", {}, "do\nthis"}, sources),
      "a  [31m.ded:1:1: error: bad  [0m [code]\n  1 | p;\n    | ^\n  help: do this\n");
}

}  // namespace
}  // namespace clew
