// resolve_relations and warn_relations.
#include <gtest/gtest.h>

#include "tests/dedalus/passes/diagnose.h"

namespace clew::dedalus {
namespace {

TEST(ResolveRelations, ArityClashes) {
  const Case cases[] = {
      {"p(\"a\")@1; p(\"b\")@1; q(X) :- p(X);", ""},
      // The arity that most uses have is right.
      {"p(\"a\", 1)@1;\np(\"a\")@1;\nq(X) :- p(X);",
       "1:1 error arity-clash: `p` has 2 arguments here but 1 elsewhere\n"
       "  2:1 here it has 1\n"
       "  help: give every use of `p` the same number of arguments\n"},
      // Or else the first.
      {"p(\"a\", 1)@1;\nq(X) :- p(X);",
       "2:9 error arity-clash: `p` has 1 argument here but 2 elsewhere\n"
       "  1:1 here it has 2\n"
       "  help: give every use of `p` the same number of arguments\n"},
      {"p(\"a\")@1;\nq(X) :- p(X), notin crash(X);",
       "2:21 error arity-clash: `crash` has 1 argument here but needs 3\n"
       "  help: write `crash(Observer, Node, Time)`\n"},
      {"p(\"a\")@1;\npre(X) :- p(X);\npost(X, X) :- p(X);",
       "3:1 error pre-post-arity: `post` has 2 arguments but `pre` has 1\n"
       "  2:1 here `pre` has 1\n"
       "  help: every tuple of `pre` is looked for in `post`: give both the same columns\n"},
  };
  for (const Case& each : cases) EXPECT_EQ(diagnose(each.source), each.diagnostics) << each.source;
}

TEST(WarnRelations, EmptyOnes) {
  const std::string fact = "log(\"a\")@1;\n";
  const Case cases[] = {
      {"p(X) :- log(X), notin crash(_, X, _);", ""},
      {"p(X) :- lgo(X);",
       "2:9 warning never-derived: `lgo` is always empty, as no fact or rule derives it: this rule "
       "never fires\n"
       "  help: did you mean `log`?\n"},
      {"p(X) :- log(X), notin elsewhere(X);",
       "2:23 warning never-derived: `elsewhere` is always empty, as no fact or rule derives it\n"
       "  help: add a fact or a rule for it\n"},
      // The cause is reported, not what follows from it; and once.
      {"p(X) :- q(X);\nq(X) :- gone(X);\nr(X) :- p(X), gone(X);",
       "3:9 warning never-derived: `gone` is always empty, as no fact or rule derives it: this "
       "rule never fires\n"
       "  help: add a fact or a rule for it\n"},
      {"n(X, Y + 1)@next :- n(X, Y);",
       "2:1 warning circular-relation: `n` is always empty, as it is derived only from itself\n"
       "  help: add a fact, or a rule that does not depend on it\n"},
      {"r(X) :- p(X);\np(X) :- q(X);\nq(X)@next :- p(X), log(X);\n",
       "3:1 warning circular-relation: `p` is always empty, as it is derived only from relations "
       "that depend on it\n"
       "  help: add a fact, or a rule that does not depend on it\n"},
      // A circle that a missing relation keeps empty is not a cause of its own.
      {"p(X) :- gone(X);\np(X)@next :- p(X);",
       "2:9 warning never-derived: `gone` is always empty, as no fact or rule derives it: this "
       "rule never fires\n"
       "  help: add a fact or a rule for it\n"},
      {"p(X) :- q(X), log(X);\nq(X)@next :- p(X);\nq(X) :- log(X);\n", ""},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(diagnose(fact + each.source), each.diagnostics) << each.source;
  }
}

TEST(WarnRelations, UnusedOnes) {
  const Case cases[] = {
      // Without a specification, every relation is what the user came to see.
      {"p(\"a\")@1; q(X) :- p(X);", ""},
      {"p(\"a\")@1;\nq(X) :- p(X);\npre(X) :- p(X);\npsot(X) :- p(X);\n",
       "2:1 warning unused-relation: nothing reads `q`\n"
       "  help: read it in a rule, or remove it\n"
       "4:1 warning unused-relation: nothing reads `psot`\n"
       "  help: did you mean `post`?\n"},
      {"log(\"a\")@1;\nlgo(X)@next :- log(X);\npre(X) :- lg0(X), log(X);\npost(X) :- pre(X);",
       "2:1 warning unused-relation: nothing reads `lgo`\n"
       "  help: did you mean `lg0`?\n"
       "3:11 warning never-derived: `lg0` is always empty, as no fact or rule derives it: this "
       "rule never fires\n"
       "  help: did you mean `lgo`?\n"},
  };
  for (const Case& each : cases) EXPECT_EQ(diagnose(each.source), each.diagnostics) << each.source;
}

// A clause that could not be parsed may have derived or read anything.
TEST(WarnRelations, SaysNothingAfterSyntaxErrors) {
  std::string said = diagnose("p(X) :- q(X);\nq(\"a\"@1;\npre(X) :- p(X); s(X) :- p(X);");
  EXPECT_TRUE(said.starts_with("2:6 error missing-parenthesis")) << said;
  EXPECT_EQ(said.find("warning"), said.npos) << said;
}

}  // namespace
}  // namespace clew::dedalus
