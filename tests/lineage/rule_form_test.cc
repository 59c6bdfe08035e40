#include "lineage/rule_form.h"

#include <gtest/gtest.h>

namespace clew::lineage {
namespace {

TEST(RuleForms, ReadTheTime) {
  using Time = RuleForm::Time;
  const std::vector<std::pair<std::string, Time>> table = {
      {"p(X)@async :- q(X);", Time::kAsync},
      {"p(X)@next :- q(X);", Time::kNext},
      {"p(X) :- q(X);", Time::kNone},
      {"p(X) :- q(X)@3;", Time::kNone},
      {"p(\"@async\") :- q(X);", Time::kNone},
      {"p(\" :- @next\")@async :- q(X);", Time::kAsync},
      {"", Time::kNone},
      {"no rule", Time::kNone},
  };
  RuleForms forms;
  for (const auto& [rule, time] : table) EXPECT_EQ(forms.of(rule).time, time) << rule;
}

TEST(RuleForms, ReadThePlaceAndTheAggregates) {
  RuleForms forms;
  const RuleForm& sum = forms.of("p(B, count<A>)@async :- X > 1, notin q(A, _), r(B, X);");
  EXPECT_TRUE(sum.aggregates);
  EXPECT_EQ(sum.aggregate, (std::vector<bool>{false, true}));
  EXPECT_TRUE(sum.location_absent);
  EXPECT_EQ(sum.location_relation, "q");
  EXPECT_FALSE(forms.of("p(B) :- q(B);").aggregates);
  EXPECT_EQ(&forms.of("p(B) :- q(B);"), &forms.of("p(B) :- q(B);"));
}

}  // namespace
}  // namespace clew::lineage
