#include "microspec/rule_table.h"

#include <gtest/gtest.h>

#include "base/check.h"
#include "base/diagnostic.h"
#include "dedalus/parse.h"

namespace clew::microspec {
namespace {

Rule read(const std::string& text) {
  SourceSet sources;
  Diagnostics diagnostics;
  const dedalus::File file = dedalus::parse(sources.add("x.ded", text), sources, diagnostics);
  CHECK(file.clauses.size() == 1, "{}", text);
  return make_rule(file.clauses[0], sources);
}

TEST(RuleTableTest, Kinds) {
  const std::vector<std::pair<std::string, Rule::Kind>> table = {
      {"p(X)@async :- q(X);", Rule::Kind::kAsync},
      {"p(X)@next :- q(X);", Rule::Kind::kNext},
      {"p(X) :- q(X);", Rule::Kind::kDeductive},
      {"p(X) :- q(X)@3;", Rule::Kind::kDeductive},
      {"p(\"@async\") :- q(X);", Rule::Kind::kDeductive},
      {"p(\" :- @next\")@async :- q(X);", Rule::Kind::kAsync},
  };
  for (const auto& [rule, kind] : table) EXPECT_EQ(read(rule).kind, kind) << rule;
}

TEST(RuleTableTest, Locations) {
  using Kind = Rule::Location::Kind;
  struct Case {
    std::string rule;
    Kind kind;
    std::string name;
  };
  const std::vector<Case> table = {
      {"p(B)@async :- q(A, B), r(B);", Kind::kFact, "q"},
      {"p(B)@async :- X > 1, notin q(A, _), r(B, X);", Kind::kAbsence, "q"},
      {"p(B)@async :- q(\"a\", B);", Kind::kNode, "a"},
      {"p(B)@async :- q(_, B);", Kind::kAny, ""},
      {"p(B)@async :- q(7, B);", Kind::kAny, ""},
  };
  for (const Case& one : table) {
    EXPECT_EQ(read(one.rule).location.kind, one.kind) << one.rule;
    EXPECT_EQ(read(one.rule).location.name, one.name) << one.rule;
  }
}

TEST(RuleTableTest, Aggregates) {
  const Rule sum = read("p(B, count<A>)@async :- q(A, B);");
  EXPECT_TRUE(sum.aggregates());
  EXPECT_EQ(sum.aggregate, (std::vector<bool>{false, true}));
  EXPECT_FALSE(read("p(B) :- q(B);").aggregates());
}

// The last line is that of the semicolon, whatever stands in strings and comments.
TEST(RuleTableTest, Places) {
  const Rule rule = read("\n\np(X, \";\") :- // ;\n  q(X)\n  /* ; */\n;\n");
  EXPECT_EQ(rule.where(), "x.ded:3");
  EXPECT_EQ(rule.last_line, 6U);
  EXPECT_EQ(rule.text, "p(X, \";\") :- q(X);");
  EXPECT_EQ(Rule{}.where(), "");
}

}  // namespace
}  // namespace clew::microspec
