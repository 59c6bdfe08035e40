#include <gtest/gtest.h>

#include "tests/dedalus/passes/diagnose.h"

namespace clew::dedalus {
namespace {

TEST(CheckSafety, Table) {
  const std::string facts = "p(\"a\", 1)@1; q(\"a\", 1)@1;\n";
  const Case cases[] = {
      {"r(X, Y) :- p(X, Y), notin q(X, Z), Y < 3;", ""},
      {"r(X) :- notin q(X, _);", ""},
      {"r(X) :- notin q(X, Y), X != \"b\";", ""},
      {"r(\"a\") :- 1 < 2;", ""},
      {"r(X, Y) :- p(X, Y + 1), q(X, Y);", ""},
      {"r(X, Z, Z) :- p(X, Y), Y < 2;",
       "2:6 error unsafe-variable: `Z` has no value: it does not occur in the body\n"
       "  help: match it in the body outside of `notin`, or write \"Z\" if a string is meant\n"},
      {"r(X, Payload) :- p(X, Pload);",
       "2:6 error unsafe-variable: `Payload` has no value: it does not occur in the body\n"
       "  help: did you mean `Pload`?\n"},
      {"r(X, Y) :- p(X, _), notin q(X, Y);",
       "2:6 error unsafe-variable: `Y` has no value: it occurs in the body only under `notin`\n"
       "  help: match it in the body outside of `notin`, or write \"Y\" if a string is meant\n"},
      {"r(X) :- p(X, _), notin q(X, Y), Y < 3;",
       "2:33 error unsafe-variable: `Y` has no value: it occurs in the body only under `notin`\n"
       "  help: match it in the body outside of `notin`, or write \"Y\" if a string is meant\n"},
      {"r(X) :- p(X, Y + 1);",
       "2:14 error unsafe-variable: `Y` has no value: it is only computed with or compared\n"
       "  help: match it in the body outside of `notin`, or write \"Y\" if a string is meant\n"},
      {"r(X) :- p(X, _), notin q(X, Y * 2);",
       "2:29 error unsafe-variable: `Y` has no value: it is only computed with or compared\n"
       "  help: match it in the body outside of `notin`, or write \"Y\" if a string is meant\n"},
      {"r(X, Y) :- p(X, _), Y == 3;",
       "2:6 error unsafe-variable: `Y` has no value: it is only computed with or compared\n"
       "  help: match it in the body outside of `notin`, or write \"Y\" if a string is meant\n"},
      {"r(X, sum<Y>) :- p(X, _);",
       "2:6 error unsafe-variable: `Y` has no value: it does not occur in the body\n"
       "  help: match it in the body outside of `notin`, or write \"Y\" if a string is meant\n"},
      {"r(X) :- p(X, _), _ < 3;",
       "2:18 error wildcard-in-expression: `_` has no value to compute with or to compare\n"
       "  help: name the variable, here and where the body binds it\n"},
      {"r(X, _ + 1) :- p(X, _);",
       "2:6 error wildcard-in-expression: `_` has no value to compute with or to compare\n"
       "  help: name the variable, here and where the body binds it\n"},
      {"r(Y) :- Y != \"b\", p(X + \"c\", _), q(X, _), p(Y, _);",
       "2:21 error computed-location: the location of a rule cannot be computed\n"
       "  help: let the body begin with a relation at a variable, a string or `_`\n"},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(diagnose(facts + each.source), each.diagnostics) << each.source;
  }
}

}  // namespace
}  // namespace clew::dedalus
