// What must be true of every text that is read as a program.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/diagnostic.h"
#include "base/text.h"
#include "dedalus/lex.h"
#include "dedalus/parse.h"
#include "dedalus/print.h"

namespace clew::dedalus {

// The texts of all comments, in order.
inline std::vector<std::string> comments_of(std::string_view text) {
  std::vector<std::string> result;
  Lexer lexer(0, text, kMostElements);
  while (true) {
    Token token = lexer.next();
    for (Comment& comment : token.comments) result.push_back(std::move(comment.text));
    if (token.kind == TokenKind::kEnd) return result;
  }
}

// A text without mistakes, read again after it was printed.
inline File read_again(const std::string& text) {
  SourceSet sources;
  Diagnostics diagnostics;
  File file = parse(sources.add("again.ded", text), sources, diagnostics);
  CHECK(diagnostics.all().empty(), "{}", diagnostics.render(sources));
  return file;
}

inline bool same_clauses(const File& a, const File& b) {
  return std::ranges::equal(a.clauses, b.clauses, same_clause);
}

// Every mistake has a code, a message, a remedy and a place in the text, and can be shown.
inline void check_diagnostics(const Diagnostics& diagnostics, const SourceSet& sources) {
  CHECK(diagnostics.all().size() <= kMostSyntaxErrors + 1);
  for (const Diagnostic& error : diagnostics.all()) {
    CHECK(!error.code.empty());
    CHECK(!error.message.empty());
    CHECK(!error.help.empty());
    CHECK(error.span.begin <= error.span.end);
    CHECK(error.span.end <= sources.text(error.span.file).size());
    CHECK(!find_invalid_utf8(render(error, sources)));
  }
}

// No text crashes the parser. One without mistakes, printed or formatted, gives the same clauses
// again; formatting keeps all comments in order, and formatting twice changes nothing more. True if
// the text had no mistakes.
inline bool check_parse_property(std::string_view text) {
  if (find_invalid_utf8(text)) return false;
  SourceSet sources;
  Diagnostics diagnostics;
  File file = parse(sources.add("a.ded", std::string(text)), sources, diagnostics);
  check_diagnostics(diagnostics, sources);
  if (diagnostics.has_errors()) return false;
  CHECK(!print_tree(file).empty() || file.clauses.empty());

  std::string printed;
  for (const Clause& clause : file.clauses) printed += print(clause) + "\n";
  CHECK(same_clauses(file, read_again(printed)), "{}", printed);

  std::string formatted = format_file(file);
  File again = read_again(formatted);
  CHECK(same_clauses(file, again), "{}", formatted);
  CHECK(comments_of(text) == comments_of(formatted), "{}", formatted);
  CHECK(format_file(again) == formatted, "{}\n---\n{}", formatted, format_file(again));
  return true;
}

}  // namespace clew::dedalus
