#include "datalog/aggregate.h"

#include <gtest/gtest.h>

#include <set>

#include "base/random.h"
#include "datalog/engine.h"

namespace clew::datalog {
namespace {

// One rule that folds the only column of `source`, all of whose rows are one group.
class AggregateTest : public testing::Test {
 protected:
  AggregateTest() {
    source_ = rules_.declare("source", 1);
    sure_ = rules_.declare("sure", 1);
    head_ = rules_.declare("head", 1);
    rule_.head = head_;
    rule_.body = {positive(source_, {any()})};
    rule_.fold_places = {7};
    rule_.place = 8;
  }

  // The values of the head, or where the error is.
  std::string fold(Fold fold, const std::vector<Value>& rows, EngineOptions options = {}) {
    rule_.folds = {fold};
    rules_.rules = {rule_};
    Engine engine(rules_, values_, options);
    for (const Value& row : rows) engine.relation(source_).insert(&row);
    if (const auto error = engine.evaluate(true)) {
      return fmt::format("error {} at {}", static_cast<int>(error->kind), error->place);
    }
    std::string text;
    const Relation& head = engine.relation(head_);
    for (Row row = head.begin(); row < head.end(); ++row) text += values_.print(*head.tuple(row));
    return text;
  }

  RuleSet rules_;
  ValueTable values_;
  RelationId source_ = 0;
  RelationId sure_ = 0;
  RelationId head_ = 0;
  Rule rule_;
  Value two_ = values_.integer(2);
  Value five_ = values_.integer(5);
  Value text_ = values_.intern("x");
  Value most_ = values_.integer(INT64_MAX);
  Value least_ = values_.integer(INT64_MIN);
};

TEST_F(AggregateTest, Folds) {
  EXPECT_EQ(fold(Fold::kCount, {}), "");
  EXPECT_EQ(fold(Fold::kCount, {two_, text_}), "2");
  EXPECT_EQ(fold(Fold::kSum, {two_, five_}), "7");
  EXPECT_EQ(fold(Fold::kMin, {five_, two_, text_}), "2");
  EXPECT_EQ(fold(Fold::kMax, {five_, text_, two_}), "\"x\"");
  EXPECT_EQ(fold(Fold::kMax, {two_, five_}), "5");
  EXPECT_EQ(fold(Fold::kGroup, {five_, two_}), "52");
}

TEST_F(AggregateTest, OnlyTheTotalOfASumMustFit) {
  EXPECT_EQ(fold(Fold::kSum, {most_}), values_.print(most_));
  EXPECT_EQ(fold(Fold::kSum, {least_}), values_.print(least_));
  EXPECT_EQ(fold(Fold::kSum, {most_, five_, least_}), "4");
}

TEST_F(AggregateTest, Errors) {
  const int overflow = static_cast<int>(EvaluationError::Kind::kOverflow);
  const int wrong = static_cast<int>(EvaluationError::Kind::kWrongType);
  const int many = static_cast<int>(EvaluationError::Kind::kTooManyRows);
  EXPECT_EQ(fold(Fold::kSum, {most_, two_}), fmt::format("error {} at 7", overflow));
  EXPECT_EQ(fold(Fold::kSum, {least_, values_.integer(-1)}),
            fmt::format("error {} at 7", overflow));
  EXPECT_EQ(fold(Fold::kSum, {two_, text_}), fmt::format("error {} at 7", wrong));
  EXPECT_EQ(fold(Fold::kCount, {two_}, {.most_firings = 1}), fmt::format("error {} at 8", many));
  rule_.at_least = sure_;
  EXPECT_EQ(fold(Fold::kSum, {most_, two_}), fmt::format("error {} at 7", overflow));
  EXPECT_EQ(fold(Fold::kSum, {two_, text_}), fmt::format("error {} at 7", wrong));
  EXPECT_EQ(fold(Fold::kCount, {two_}, {.most_firings = 1}), fmt::format("error {} at 8", many));
}

TEST(Aggregates, EachFrameHasItsOwnGroups) {
  RuleSet rules;
  ValueTable values;
  const RelationId source = rules.declare("source", 2);
  const RelationId head = rules.declare("head", 2);
  Rule rule;
  rule.head = head;
  rule.body = {positive(source, {any(), any()})};
  rule.folds = {Fold::kGroup, Fold::kCount};
  rule.fold_places = {0, 0};
  rules.rules = {rule};
  Engine engine(rules, values, {});
  const auto counts = [&](const std::vector<std::pair<int64_t, int64_t>>& rows) {
    for (const auto& [group, member] : rows) {
      const Value tuple[] = {values.integer(group), values.integer(member)};
      engine.relation(source).insert(tuple);
    }
    EXPECT_FALSE(engine.evaluate(true));
    std::string text;
    const Relation& found = engine.relation(head);
    for (Row row = found.begin(); row < found.end(); ++row) {
      const Value* tuple = found.tuple(row);
      text += fmt::format("{} of {}; ", values.print(tuple[1]), values.print(tuple[0]));
    }
    engine.advance();
    return text;
  };
  EXPECT_EQ(counts({{1, 1}, {1, 2}, {2, 1}}), "2 of 1; 1 of 2; ");
  EXPECT_EQ(counts({{2, 1}, {3, 1}, {2, 2}, {1, 1}, {2, 3}}), "3 of 2; 1 of 3; 1 of 1; ");
}

// ---- What subsets could come out to, against trying them all ----

int64_t fold_numbers(Fold fold, const std::vector<int64_t>& rows) {
  int64_t sum = 0;
  for (const int64_t row : rows) sum += row;
  if (fold == Fold::kSum) return sum;
  if (fold == Fold::kCount) return static_cast<int64_t>(rows.size());
  return fold == Fold::kMin ? *std::ranges::min_element(rows) : *std::ranges::max_element(rows);
}

TEST(FoldOutcomes, AgreeWithTryingAllSubsets) {
  Random random(5);
  for (int i = 0; i < 2000; ++i) {
    ValueTable values;
    std::vector<int64_t> numbers(1 + random.uniform_below(5));
    std::vector<Value> rows;
    std::vector<bool> certain;
    for (int64_t& number : numbers) {
      number = random.uniform_in(-3, 3);
      rows.push_back(values.integer(number));
      certain.push_back(random.chance(0.3));
    }
    const bool some = std::ranges::find(certain, true) != certain.end();
    for (const Fold fold : {Fold::kCount, Fold::kSum, Fold::kMin, Fold::kMax}) {
      std::set<int64_t> expected;
      for (uint32_t bits = 1; bits < (1U << rows.size()); ++bits) {
        std::vector<int64_t> chosen;
        bool all_certain = true;
        for (size_t k = 0; k < rows.size(); ++k) {
          const bool in = (bits >> k & 1U) != 0;
          if (in) chosen.push_back(numbers[k]);
          all_certain &= in || !certain[k];
        }
        if (all_certain) expected.insert(fold_numbers(fold, chosen));
      }
      EvaluationError error;
      Watch watch;
      const auto outcomes = fold_outcomes(fold, rows, certain, values, error, watch);
      ASSERT_TRUE(outcomes);
      std::set<int64_t> found;
      for (const Value value : *outcomes) EXPECT_TRUE(found.insert(values.number(value)).second);
      // An empty sum is told as well, if nothing is certain.
      if (fold == Fold::kSum && !some) expected.insert(0);
      EXPECT_EQ(found, expected);
    }
  }
}

TEST(FoldOutcomes, TooManySums) {
  ValueTable values;
  std::vector<Value> rows;
  EvaluationError error;
  Watch watch;
  for (int i = 0; i < 12; ++i) rows.push_back(values.integer(int64_t{1} << i));
  EXPECT_EQ(fold_outcomes(Fold::kSum, rows, std::vector<bool>(12), values, error, watch)->size(),
            4096U);
  rows.push_back(values.integer(int64_t{1} << 12));
  EXPECT_FALSE(fold_outcomes(Fold::kSum, rows, std::vector<bool>(13), values, error, watch));
  EXPECT_EQ(error.kind, EvaluationError::Kind::kTooManyRows);
}

}  // namespace
}  // namespace clew::datalog
