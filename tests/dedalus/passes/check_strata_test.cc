#include <gtest/gtest.h>

#include "tests/dedalus/passes/diagnose.h"

namespace clew::dedalus {
namespace {

TEST(CheckStrata, Table) {
  const std::string fact = "p(\"a\", 1)@1;\n";
  const Case cases[] = {
      {"q(X) :- p(X, _), notin r(X);\nr(X) :- p(X, 2);", ""},
      {"q(X, Y) :- p(X, Y);\nq(X, Y) :- q(X, Z), q(X, Y), Z < Y;", ""},
      // Through another tick everything may depend on itself.
      {"q(X)@next :- p(X, _), notin q(X);", ""},
      {"q(X)@async :- p(X, _), notin q(X);", ""},
      {"q(X, count<Y>)@next :- p(X, Y), notin q(X, Y);", ""},
      {"q(X) :- p(X, _), notin q(X);",
       "2:18 error not-stratified: `q` depends on its own absence within one tick\n"
       "  2:1 `q` needs the absence of `q`\n"
       "  help: let one of these rules derive into the next tick with `@next`, or break the "
       "cycle\n"},
      {"q(X) :- p(X, _), notin q(X)@1;",
       "2:18 error not-stratified: `q` depends on its own absence within one tick\n"
       "  2:1 `q` needs the absence of `q`\n"
       "  help: let one of these rules derive into the next tick with `@next`, or break the "
       "cycle\n"},
      {"q(X, 1) :- p(X, _);\nq(X, count<Y>) :- r(X, Y);\nr(X, Y) :- q(X, Y);",
       "3:19 error not-stratified: `q` depends on an aggregate of itself within one tick\n"
       "  3:1 `q` aggregates over `r`\n"
       "  4:1 `r` needs `q`\n"
       "  help: let one of these rules derive into the next tick with `@next`, or break the "
       "cycle\n"},
      // Two cycles, two errors.
      {"q(X) :- p(X, _), notin r(X);\nr(X) :- p(X, _), notin q(X);\ns(X) :- p(X, _), notin s(X);",
       "2:18 error not-stratified: `q` depends on its own absence within one tick\n"
       "  2:1 `q` needs the absence of `r`\n"
       "  3:1 `r` needs the absence of `q`\n"
       "  help: let one of these rules derive into the next tick with `@next`, or break the cycle\n"
       "4:18 error not-stratified: `s` depends on its own absence within one tick\n"
       "  4:1 `s` needs the absence of `s`\n"
       "  help: let one of these rules derive into the next tick with `@next`, or break the "
       "cycle\n"},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(diagnose(fact + each.source), each.diagnostics) << each.source;
  }
}

}  // namespace
}  // namespace clew::dedalus
