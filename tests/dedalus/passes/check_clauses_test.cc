#include <gtest/gtest.h>

#include "tests/dedalus/passes/diagnose.h"

namespace clew::dedalus {
namespace {

TEST(CheckClauses, Facts) {
  const Case cases[] = {
      {"p(\"a\", 1)@1; p(\"b\", -3)@1000000000; q()@1;", ""},
      {"p(\"a\", 2 * 3 + 4, \"x\" + \"y\" + \"z\", 7 / -2)@1;", ""},
      {"p(\"a\");",
       "1:1 error fact-without-tick: this fact does not say at which tick it holds\n"
       "  help: write `p(...)@1;` for tick 1\n"},
      {"p(\"a\")@next;",
       "1:7 error fact-without-tick: a fact holds at one tick, so it cannot have `@next`\n"
       "  help: write `p(...)@1;` for tick 1\n"},
      {"p(\"a\")@async;",
       "1:7 error fact-without-tick: a fact holds at one tick, so it cannot have `@async`\n"
       "  help: write `p(...)@1;` for tick 1\n"},
      {"p(\"a\")@0;",
       "1:7 warning tick-zero: this fact is never visible: ticks begin at 1\n"
       "  help: write `@1` for a fact that holds in the beginning\n"},
      {"p(a, \"b\" + C)@1;",
       "1:3 error variable-in-fact: `a` is a variable, but a fact holds only constants\n"
       "  help: write \"a\" if a string is meant\n"
       "1:12 error variable-in-fact: `C` is a variable, but a fact holds only constants\n"
       "  help: write \"C\" if a string is meant\n"},
      {"p(\"a\", _)@1;",
       "1:8 error variable-in-fact: `_` stands for any value, but a fact holds only constants\n"
       "  help: write a string in double quotes or an integer\n"},
      {"p(\"a\", count<X>)@1;",
       "1:8 error variable-in-fact: an aggregate needs a rule, but a fact holds only constants\n"
       "  help: write a string in double quotes or an integer\n"},
      {"p(\"a\", 1 + 2 / (3 - 3))@1;",
       "1:12 error division-by-zero: this divides by zero\n"
       "  help: give the fact another value\n"},
      {"p(\"a\", 9223372036854775807 + 1, (-9223372036854775807 - 1) / -1)@1;",
       "1:8 error integer-overflow: 9223372036854775807 + 1 does not fit into 64 bits\n"
       "  help: integers range from -2^63 to 2^63 - 1\n"
       "1:33 error integer-overflow: -9223372036854775808 / -1 does not fit into 64 bits\n"
       "  help: integers range from -2^63 to 2^63 - 1\n"},
      {"p(\"a\", 2 * \"x\", \"x\" + 2)@1;",
       "1:12 error wrong-type: `*` needs integers, but this is a string\n"
       "  help: only `+` works on strings: it joins them\n"
       "1:17 error wrong-type: `+` cannot join a string and an integer\n"
       "  help: `+` adds two integers or joins two strings\n"},
      {"crash(\"a\", \"b\")@1;",
       "1:1 error crash-derived: `crash` is built in: the faults of a run alone decide what it "
       "holds\n"
       "  help: give the relation another name\n"},
  };
  for (const Case& each : cases) EXPECT_EQ(diagnose(each.source), each.diagnostics) << each.source;
}

TEST(CheckClauses, Rules) {
  const std::string fact = "p(\"a\", 1)@1;\n";
  const Case cases[] = {
      {"q(X, Y)@next :- p(X, Y)@1, X != \"b\";", ""},
      {"q(X, count<Y>, Y + 1) :- p(X, Y);", ""},
      {"q(X, count<Y>)@async :- p(X, Y);", ""},
      {"q(X)@2 :- p(X, _);",
       "2:5 error rule-at-tick: the head of a rule cannot have `@2`: rules work at every tick\n"
       "  help: drop it, or read the tick in the body: `p(...)@N`\n"},
      {"q(X, _) :- p(X, _);",
       "2:6 error wildcard-in-head: `_` has no value that a head could take\n"
       "  help: name the variable, here and where the body binds it\n"},
      {"q()@async :- p(\"a\", _);",
       "2:1 error no-destination: `q` has no columns, so there is nowhere to send it\n"
       "  help: the first column of an `@async` head names the node that receives it\n"},
      {"q(min<X>)@async :- p(X, _);",
       "2:3 error no-destination: an aggregate cannot be the destination of a message\n"
       "  help: the first column of an `@async` head names the node that receives it\n"},
      {"q(X) :- p(X, _)@next, notin p(X, 2)@async;",
       "2:16 warning time-in-body: `@next` says nothing in a body and is ignored\n"
       "  help: only a head is derived at another tick; drop it here\n"
       "2:36 warning time-in-body: `@async` says nothing in a body and is ignored\n"
       "  help: only a head is derived at another tick; drop it here\n"},
      {"q(X) :- p(X, _)@0;",
       "2:16 warning tick-zero: this rule never fires: ticks begin at 1\n"
       "  help: read tick 1 or later\n"},
      {"crash(X) :- p(X, _);",
       "2:1 error crash-derived: `crash` is built in: the faults of a run alone decide what it "
       "holds\n"
       "  help: give the relation another name\n"},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(diagnose(fact + each.source), each.diagnostics) << each.source;
  }
}

}  // namespace
}  // namespace clew::dedalus
