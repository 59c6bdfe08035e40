// Every numbered invariant of the engine's headers, broken: the CHECK says so.
#include <gtest/gtest.h>

#include <functional>

#include "datalog/engine.h"

namespace clew::datalog {
namespace {

void expect_check(const std::function<void()>& wrong, const std::string& message) {
  EXPECT_EXIT(wrong(), testing::ExitedWithCode(1), message);
}

// ---- relation.h ----

class RelationInvariants : public testing::Test {
 protected:
  RelationInvariants() {
    for (uint32_t bits : {1U, 2U, 3U}) insert(bits);
  }
  Relation::Inserted insert(uint32_t bits) {
    const Value value{bits};
    return relation_.insert(&value);
  }
  // What nobody may do.
  void overwrite(Row row, uint32_t bits) { const_cast<Value*>(relation_.tuple(row))->bits = bits; }

  Relation relation_{1, false};
};

TEST_F(RelationInvariants, OneARowNeverChanges) {
  expect_check([&] { overwrite(2, 9), relation_.advance(); }, "row 2 has changed");
}

TEST_F(RelationInvariants, TwoNoTupleOccursTwice) {
  expect_check([&] { overwrite(2, 1), relation_.advance(); },
               "or occurs twice: its values are those of row 0");
}

TEST_F(RelationInvariants, ThreeRowsDieByRewindAlone) {
  expect_check([&] { relation_.rewind(0, 4); }, "rewind\\(\\) to 4 rows, but there are 3");
  expect_check([&] { relation_.rewind(2, 1); }, "a frame from row 2 on in 1 rows");
}

TEST_F(RelationInvariants, FourAFrozenFrameStaysAsItIs) {
  const Value value{7};
  relation_.insert_next(&value);
  expect_check([&] { insert(8); }, "a frame that insert_next\\(\\) has frozen");
  relation_.advance();
  EXPECT_TRUE(insert(8).is_new);
}

TEST_F(RelationInvariants, FiveAPermanentRelationHasASingleFrame) {
  Relation always(1, true);
  const Value value{7};
  expect_check([&] { always.insert_next(&value); }, "a relation that has a single frame");
}

// ---- rule.h ----

class RuleInvariants : public testing::Test {
 protected:
  RuleInvariants() {
    rules_.declare("edge", 2);
    rules_.declare("path", 2);
    joining_ = {.head = 1, .head_args = {slot(0), slot(1)}, .slots = 2};
    joining_.body = {positive(0, {slot(0), slot(1)}),
                     condition(Comparison::kLess, slot(0), slot(1))};
    aggregating_ = {.head = 1};
    aggregating_.body = {positive(0, {any(), any()})};
    aggregating_.folds = {Fold::kGroup, Fold::kCount};
    aggregating_.fold_places = {0, 0};
  }
  void expect_wrong(const Rule& rule, const std::string& message) {
    rules_.rules = {joining_, rule};
    expect_check([&] { const Engine engine(rules_, values_, {}); }, message);
  }

  RuleSet rules_;
  ValueTable values_;
  Rule joining_;
  Rule aggregating_;
};

TEST_F(RuleInvariants, HoldOfGoodRules) {
  rules_.rules = {joining_, aggregating_};
  const Engine engine(rules_, values_, {});
  EXPECT_EQ(engine.rules().rules.size(), 2U);
}

TEST_F(RuleInvariants, OneRelationsAreDeclared) {
  Rule rule = joining_;
  rule.head = 2;
  expect_wrong(rule, "relation 2 is not declared");
  rule = joining_;
  rule.body.push_back(absent(3, {}));
  expect_wrong(rule, "relation 3 is not declared");
  rule = aggregating_;
  rule.body[0].relation = 4;
  expect_wrong(rule, "relation 4 is not declared");
}

TEST_F(RuleInvariants, TwoAtomsHaveAsManyArgumentsAsColumns) {
  Rule rule = joining_;
  rule.head_args.pop_back();
  expect_wrong(rule, "path has 2 columns, but 1 arguments");
  rule = joining_;
  rule.body[0].args.push_back(any());
  expect_wrong(rule, "edge has 2 columns, but 3 arguments");
  rule = joining_;
  rule.body.push_back(absent(0, {slot(0)}));
  expect_wrong(rule, "edge has 2 columns, but 1 arguments");
}

TEST_F(RuleInvariants, ThreeSlotsAreNumberedAndBound) {
  Rule rule = joining_;
  rule.slots = 1;
  expect_wrong(rule, "slot 1 of 1");
  rule = joining_;
  rule.body[1].args[1] = slot(2);
  expect_wrong(rule, "slot 2 of 2");
  rule = joining_;
  rule.slots = 3;
  rule.head_args[1] = {.kind = Expression::Kind::kOperator, .operands = {slot(0), slot(2)}};
  expect_wrong(rule, "a head has slot 2, which nothing binds");
  rule = joining_;
  rule.body[0].kind = BodyItem::Kind::kAbsent;
  expect_wrong(rule, "a head has slot 0, which nothing binds");
}

TEST_F(RuleInvariants, FourAggregatesReadOneAtomAsItIs) {
  Rule rule = aggregating_;
  rule.body.push_back(positive(0, {any(), any()}));
  expect_wrong(rule, "an aggregating rule reads one positive atom");
  rule = aggregating_;
  rule.body[0].kind = BodyItem::Kind::kAbsent;
  expect_wrong(rule, "an aggregating rule reads one positive atom");
  rule = aggregating_;
  rule.body[0].args[0] = slot(0);
  expect_wrong(rule, "an aggregating rule takes its rows as they are");
  rules_.declare("wide", 3);
  rule = aggregating_;
  rule.body[0] = positive(2, {any(), any(), any()});
  expect_wrong(rule, "2 folds for 3 columns");
  rule = aggregating_;
  rule.fold_places.pop_back();
  expect_wrong(rule, "1 places for 2 folds");
}

// ---- engine.h ----

class EngineInvariants : public testing::Test {
 protected:
  EngineInvariants() {
    rules_.declare("p", 1);
    rules_.declare("q", 1);
    Rule rule{.head = 1, .head_args = {slot(0)}, .slots = 1, .body = {positive(0, {slot(0)})}};
    rules_.rules = {rule, rule};
    rules_.rules[1].to_next_frame = true;
  }

  RuleSet rules_;
  ValueTable values_;
};

TEST_F(EngineInvariants, OneRulesAreStratified) {
  rules_.rules[0].body.push_back(absent(1, {slot(0)}));
  expect_check([&] { const Engine engine(rules_, values_, {}); }, "the rules are not stratified");
}

TEST_F(EngineInvariants, TwoAFrameIsEvaluatedOnce) {
  Engine engine(rules_, values_, {});
  expect_check([&] { engine.advance(); }, "advance\\(\\) from a frame that is FILLING");
  EXPECT_FALSE(engine.evaluate(true));
  expect_check([&] { engine.evaluate(true); }, "evaluate\\(\\) of a frame that is COMPLETE");
  engine.advance();
  EXPECT_FALSE(engine.evaluate(false));
  engine.clear();
  EXPECT_FALSE(engine.evaluate(false));
}

TEST_F(EngineInvariants, ThreeTheUserAppliesWhatIsLeftToHim) {
  rules_.rules.push_back(rules_.rules[0]);
  rules_.rules[2].applied_by_user = true;
  Engine engine(rules_, values_, {});
  const Value value = values_.integer(1);
  const Row used = engine.relation(0).insert(&value).row;
  expect_check([&] { engine.derive_next(1, &value, used); }, "rule 1 is applied by the engine");
  expect_check([&] { engine.derive_next(2, &value, used); },
               "rule 2 derives into the current frame");
}

TEST_F(EngineInvariants, FourRewindGoesBack) {
  Engine engine(rules_, values_, {});
  Engine::Mark early;
  engine.mark(early);
  const Value value = values_.integer(1);
  engine.relation(0).insert(&value);
  EXPECT_FALSE(engine.evaluate(true));
  expect_check(
      [&] {
        Engine::Mark mark;
        engine.mark(mark);
      },
      "mark\\(\\) of a frame that is COMPLETE");
  engine.advance();
  Engine::Mark late;
  engine.mark(late);
  engine.rewind(early);
  expect_check([&] { engine.rewind(late); }, "rewind\\(\\) to 1 rows, but there are 0");
  expect_check(
      [&] {
        Engine::Mark ahead = early;
        ahead.firings_end = late.firings_end;
        engine.rewind(ahead);
      },
      "rewind\\(\\) to [0-9]+ of 0 words");
  expect_check(
      [&] {
        Engine::Mark ahead = early;
        ahead.firing_count = 1;
        engine.rewind(ahead);
      },
      "rewind\\(\\) to 1 of 0 firings");
  RuleSet other;
  Engine small(other, values_, {});
  expect_check([&] { small.rewind(early); }, "a mark of another engine");
}

}  // namespace
}  // namespace clew::datalog
