#include <gtest/gtest.h>

#include "tests/dedalus/passes/diagnose.h"

namespace clew::dedalus {
namespace {

TEST(WarnVariables, OnPurpose) {
  const std::string facts = "p(\"a\", \"b\", \"c\")@1; q(\"a\", \"b\")@1;\n";
  const char* const bodies[] = {
      "p(X, Node1, Node2)",                     // differ in digits only
      "p(X, Node, Node2), q(X, Node)",          // so do these
      "p(X, A, B)",                             // too short to tell
      "p(X, Sid, Rid), q(X, Sid)",              // the first letter tells them apart
      "p(X, From, Form)",                       // side by side: two columns
      "p(X, Payload, _Paylod), q(X, Payload)",  // says that it is not used
      "p(X, Payload, Sender), q(X, Other)",     // not alike
      "p(X, Payload, _), q(X, Payload)",
  };
  for (const char* body : bodies) {
    EXPECT_EQ(diagnose(facts + "r(X) :- " + body + ";"), "") << body;
  }
}

TEST(WarnVariables, Typos) {
  const std::string facts = "p(\"a\", \"b\", \"c\")@1; q(\"a\", \"b\")@1;\n";
  const Case cases[] = {
      {"r(X) :- p(X, Payload, _), q(X, Paylod), Payload != \"z\";",
       "2:32 warning lone-variable: `Paylod` occurs only here in this rule\n"
       "  help: did you mean `Payload`? if not, write `_`\n"},
      {"r(X, Node) :- p(X, Node, _), notin q(X, Ndoe);",
       "2:41 warning lone-variable: `Ndoe` occurs only here in this rule\n"
       "  help: did you mean `Node`? if not, write `_`\n"},
      {"r(X, N) :- p(X, N, _), q(X, n);",
       "2:29 warning lone-variable: `n` occurs only here in this rule\n"
       "  help: did you mean `N`? if not, write `_`\n"},
      // Neither is used again: perhaps they were meant to join.
      {"r(X) :- p(X, Payload, _), q(X, payload);",
       "2:32 warning lone-variable: `payload` occurs only here in this rule\n"
       "  help: did you mean `Payload`? if not, write `_`\n"},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(diagnose(facts + each.source), each.diagnostics) << each.source;
  }
}

}  // namespace
}  // namespace clew::dedalus
