// find_views and warn_remote_access.
#include <gtest/gtest.h>

#include "tests/dedalus/passes/diagnose.h"

namespace clew::dedalus {
namespace {

std::string views_of(const std::string& source) {
  SourceSet sources;
  Diagnostics diagnostics;
  FileId file = sources.add("test.ded", source);
  auto program = check_program({parse(file, sources, diagnostics)}, diagnostics);
  if (!program) return diagnostics.render(sources);
  std::string text;
  for (const RelationInfo& relation : program->relations) {
    if (relation.view) text += relation.name + " ";
  }
  return text;
}

TEST(FindViews, Table) {
  const Case cases[] = {
      {"p(\"a\")@1;", "crash p "},
      {"p(\"a\")@1; p(X)@next :- p(X); q(X) :- p(X); r(X) :- q(X), notin crash(X, X, _);",
       "crash q r "},
      {"p(\"a\")@1; q(X) :- p(X); r(X)@next :- q(X);", "crash r "},
      {"p(\"a\")@1; q(X) :- p(X); r(X)@async :- notin q(X);", "crash r "},
      {"p(\"a\")@1; q(X) :- p(X); r(X) :- q(X)@1;", "crash r "},
      {"p(\"a\")@1; q(X) :- crash(X, _, _); r(X)@next :- q(X);", "p r "},
  };
  for (const Case& each : cases) EXPECT_EQ(views_of(each.source), each.diagnostics) << each.source;
}

// `s` keeps `r` from being a view.
const std::string kFrame =
    "p(\"a\", \"b\")@1; q(\"a\", \"b\")@1; z()@1;\n"
    "s(X)@next :- r(X);\n";

TEST(WarnRemoteAccess, LocalRules) {
  const char* const rules[] = {
      "r(X) :- p(X, Y), q(X, Y);",
      "r(\"a\") :- p(\"a\", Y), q(\"a\", Y);",
      "r(Y) :- p(X, _), q(Y, _), X == Y;",
      "r(X) :- p(X, Y), notin crash(_, Y, _);",
      "r(Y)@async :- p(X, Y);",
      "r(X) :- z(), p(X, _);",
      "r(\"a\") :- z();",
      "v(Y) :- p(X, Y), q(Y, _); r(X) :- p(X, _);",  // a view
  };
  for (const char* rule : rules) EXPECT_EQ(diagnose(kFrame + rule), "") << rule;
}

TEST(WarnRemoteAccess, RemoteRules) {
  const char* read_help =
      "  help: a node knows of the others only what it was told: send it with `@async`\n";
  const char* write_help = "  help: write `@async` to send it, or put the location first\n";
  struct RemoteCase {
    const char* rule;
    std::string diagnostics;
  };
  const RemoteCase cases[] = {
      {"r(X) :- p(X, Y), q(Y, _);",
       fmt::format("3:18 warning remote-read: this rule fires at `X` but reads `q` at `Y`\n{}",
                   read_help)},
      {"r(X) :- p(X, Y), notin q(Y, _), q(_, X);",
       fmt::format("3:24 warning remote-read: this rule fires at `X` but reads `q` at `Y`\n"
                   "  3:33 it also reads `q` at every node\n{}",
                   read_help)},
      {"r(X) :- p(_, X);",
       fmt::format("3:9 warning remote-read: this rule reads `p` at every node\n{}", read_help)},
      {"r(X) :- p(\"a\", X), q(\"b\", _);",
       fmt::format("3:20 warning remote-read: this rule fires at \"a\" but reads `q` at \"b\"\n{}",
                   read_help)},
      {"r(X)@async :- p(X, Y), q(Y, _);",
       fmt::format("3:24 warning remote-read: this rule fires at `X` but reads `q` at `Y`\n{}",
                   read_help)},
      {"r(Y)@next :- p(X, Y);",
       fmt::format("3:1 warning remote-write: this rule fires at `X` but derives `r` at `Y` "
                   "without a message\n{}",
                   write_help)},
      {"r(Y) :- p(X, Y);",
       fmt::format("3:1 warning remote-write: this rule fires at `X` but derives `r` at `Y` "
                   "without a message\n{}",
                   write_help)},
      {"r(\"b\") :- p(X, _);",
       fmt::format("3:1 warning remote-write: this rule fires at `X` but derives `r` at \"b\" "
                   "without a message\n{}",
                   write_help)},
  };
  for (const RemoteCase& each : cases) {
    EXPECT_EQ(diagnose(kFrame + each.rule), each.diagnostics) << each.rule;
  }
}

}  // namespace
}  // namespace clew::dedalus
