#include "datalog/engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "datalog/absences.h"

namespace clew::datalog {
namespace {

// The example of engine.h: paths in a graph.
class PathTest : public ::testing::Test {
 protected:
  PathTest() {
    edge_ = rules_.declare("edge", 2);
    path_ = rules_.declare("path", 2);
    Rule base{.head = path_, .head_args = {slot(0), slot(1)}, .slots = 2};
    base.body = {positive(edge_, {slot(0), slot(1)})};
    Rule step{.head = path_, .head_args = {slot(0), slot(2)}, .slots = 3};
    step.body = {positive(path_, {slot(0), slot(1)}), positive(path_, {slot(1), slot(2)})};
    rules_.rules = {base, step};
  }

  void insert(Engine& engine, RelationId relation, const std::vector<int64_t>& numbers) {
    std::vector<Value> tuple;
    tuple.reserve(numbers.size());
    for (int64_t number : numbers) tuple.push_back(values_.integer(number));
    engine.relation(relation).insert(tuple.data());
  }

  std::set<std::vector<int64_t>> tuples(const Engine& engine, RelationId relation) const {
    std::set<std::vector<int64_t>> all;
    const Relation& rows = engine.relation(relation);
    for (Row row = rows.begin(); row < rows.end(); ++row) {
      std::vector<int64_t> tuple;
      for (uint32_t i = 0; i < rows.arity(); ++i) {
        tuple.push_back(values_.number(rows.tuple(row)[i]));
      }
      all.insert(std::move(tuple));
    }
    return all;
  }

  RuleSet rules_;
  ValueTable values_;
  RelationId edge_ = 0;
  RelationId path_ = 0;
};

TEST_F(PathTest, FindsTheClosure) {
  Engine engine(rules_, values_, {});
  for (int64_t i = 0; i < 9; ++i) insert(engine, edge_, {i, i + 1});
  ASSERT_FALSE(engine.evaluate(true));
  EXPECT_EQ(tuples(engine, path_).size(), 45U);
}

// What the last frame derives for a next one that never comes is there to be looked at, or, if one
// of its rules fails, not at all.
TEST_F(PathTest, ShowsWhatTheLastFrameWouldHandOn) {
  const RelationId plain = rules_.declare("plain", 1);
  const RelationId divided = rules_.declare("divided", 1);
  const auto shown = [&](RelationId head, Expression arg) {
    Rule rule{.head = head, .head_args = {std::move(arg)}, .slots = 2};
    rule.body = {positive(edge_, {slot(0), slot(1)})};
    rule.only_for_next_frame = true;
    rule.shown_in_last_frame = true;
    rules_.rules.push_back(std::move(rule));
  };
  shown(plain, slot(0));
  shown(divided, {.kind = Expression::Kind::kOperator,
                  .op = Operator::kDivide,
                  .operands = {slot(0), slot(1)}});
  for (int64_t divisor : {2, 0}) {
    Engine engine(rules_, values_, {.lineage = true});
    insert(engine, edge_, {6, divisor});
    ASSERT_FALSE(engine.evaluate(false));
    EXPECT_TRUE(tuples(engine, plain).empty());
    const size_t firings = engine.firings().count();
    EXPECT_EQ(engine.show_last(), divisor != 0);
    EXPECT_EQ(tuples(engine, plain).size(), divisor != 0 ? 1U : 0U);
    EXPECT_EQ(tuples(engine, divided).size(), divisor != 0 ? 1U : 0U);
    EXPECT_EQ(engine.firings().count(), firings + (divisor != 0 ? 2 : 0));
  }
}

// A frame is judged as the last one, and then goes on all the same.
TEST_F(PathTest, EvaluatesAFrameInParts) {
  const RelationId seen = rules_.declare("seen", 2);
  const RelationId kept = rules_.declare("kept", 2);
  Rule last{.head = seen, .head_args = {slot(0), slot(1)}, .slots = 2};
  last.body = {positive(path_, {slot(0), slot(1)})};
  last.only_in_last_frame = true;
  Rule helper{.head = kept, .head_args = {slot(1), slot(0)}, .slots = 2};
  helper.body = {positive(path_, {slot(0), slot(1)})};
  helper.only_for_next_frame = true;
  Rule next{.head = edge_, .to_next_frame = true, .head_args = {slot(0), slot(1)}, .slots = 2};
  next.body = {positive(kept, {slot(0), slot(1)})};
  rules_.rules.insert(rules_.rules.end(), {last, helper, next});
  Engine engine(rules_, values_, {});
  insert(engine, edge_, {1, 2});
  insert(engine, edge_, {2, 3});
  ASSERT_FALSE(engine.evaluate(Engine::Part::kNow));
  EXPECT_EQ(tuples(engine, path_).size(), 3U);
  EXPECT_TRUE(tuples(engine, seen).empty());
  ASSERT_FALSE(engine.evaluate(Engine::Part::kLast));
  EXPECT_EQ(tuples(engine, seen), tuples(engine, path_));
  EXPECT_TRUE(tuples(engine, kept).empty());
  ASSERT_FALSE(engine.evaluate(Engine::Part::kNext));
  EXPECT_EQ(tuples(engine, kept).size(), 3U);
  engine.advance();
  EXPECT_EQ(tuples(engine, edge_), (std::set<std::vector<int64_t>>{{2, 1}, {3, 2}, {3, 1}}));
}

// Every pair of rows that a rule can use is one firing, and none is met twice.
TEST_F(PathTest, RecordsEveryFiringOnce) {
  Engine engine(rules_, values_, {});
  for (int64_t i = 0; i < 6; ++i) insert(engine, edge_, {i, (i + 1) % 6});
  ASSERT_FALSE(engine.evaluate(true));
  std::set<std::vector<uint32_t>> seen;
  const FiringLog& log = engine.firings();
  for (FiringLog::Cursor at = log.first(); at != log.end(); at = log.next(at)) {
    Firing firing = log.at(at);
    std::vector<uint32_t> key{firing.rule, firing.head};
    key.insert(key.end(), firing.used.begin(), firing.used.end());
    EXPECT_TRUE(seen.insert(key).second);
  }
  // 6 edges; and for each of 36 paths (x, y) the 6 paths (y, z).
  EXPECT_EQ(log.count(), 6U + 216U);
}

TEST_F(PathTest, LineageCanBeSwitchedOff) {
  Engine engine(rules_, values_, {.lineage = false});
  insert(engine, edge_, {1, 2});
  ASSERT_FALSE(engine.evaluate(true));
  EXPECT_EQ(engine.firings().count(), 0U);
  EXPECT_EQ(tuples(engine, path_).size(), 1U);
}

TEST_F(PathTest, RewindRepeatsExactly) {
  Engine engine(rules_, values_, {});
  Engine::Mark mark;
  engine.mark(mark);
  for (int64_t i = 0; i < 12; ++i) insert(engine, edge_, {i, i + 1});
  ASSERT_FALSE(engine.evaluate(true));
  size_t firings = engine.firings().count();
  engine.rewind(mark);
  EXPECT_TRUE(engine.relation(path_).empty());
  for (int64_t i = 0; i < 12; ++i) insert(engine, edge_, {i, i + 1});
  ASSERT_FALSE(engine.evaluate(true));
  EXPECT_EQ(engine.firings().count(), firings);
}

TEST_F(PathTest, EndsWhenItIsToldTo) {
  bool enough = false;
  size_t asked = 0;
  Engine engine(rules_, values_, {.stop = [&] { return ++asked > 1 && enough; }});
  Engine::Mark mark;
  engine.mark(mark);
  for (const bool stops : {true, false}) {
    enough = stops;
    engine.rewind(mark);
    for (int64_t i = 0; i < 60; ++i) insert(engine, edge_, {i, i + 1});
    if (stops) {
      EXPECT_THROW(std::ignore = engine.evaluate(true), Stopped);
      EXPECT_LT(tuples(engine, path_).size(), 1830U);
    } else {
      EXPECT_FALSE(engine.evaluate(true));
      EXPECT_EQ(tuples(engine, path_).size(), 1830U);
    }
  }
}

TEST_F(PathTest, ARunawayRuleIsStopped) {
  RelationId count = rules_.declare("count", 1);
  Expression sum{.kind = Expression::Kind::kOperator};
  sum.operands = {slot(0), constant(values_.integer(1))};
  Rule more{.head = count, .head_args = {sum}, .slots = 1};
  more.body = {positive(count, {slot(0)})};
  more.place = 42;
  rules_.rules.push_back(more);
  Engine engine(rules_, values_, {.lineage = true, .most_rows = 1000});
  insert(engine, count, {0});
  std::optional<EvaluationError> error = engine.evaluate(true);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind, EvaluationError::Kind::kTooManyRows);
  EXPECT_EQ(error->place, 42U);
}

// unreachable(X) :- node(X), notin path(0, X); and what each firing relied on.
TEST_F(PathTest, NegationSeesCompleteRelationsAndIsExplained) {
  RelationId node = rules_.declare("node", 1);
  RelationId unreachable = rules_.declare("unreachable", 1);
  Rule rule{.head = unreachable, .head_args = {slot(0)}, .slots = 2};
  rule.body = {positive(node, {slot(0)}), absent(path_, {constant(values_.integer(0)), slot(0)}),
               absent(edge_, {slot(0), slot(1)})};
  rules_.rules.push_back(rule);
  Engine engine(rules_, values_, {});
  for (int64_t i = 0; i < 5; ++i) insert(engine, node, {i});
  insert(engine, edge_, {0, 1});
  insert(engine, edge_, {1, 2});
  insert(engine, edge_, {3, 2});
  ASSERT_FALSE(engine.evaluate(true));
  EXPECT_EQ(tuples(engine, unreachable), (std::set<std::vector<int64_t>>{{4}}));
  const FiringLog& log = engine.firings();
  FiringLog::Cursor last = log.first();
  for (FiringLog::Cursor at = last; at != log.end(); at = log.next(at)) last = at;
  std::vector<Absence> why = absences(log.at(last), engine);
  ASSERT_EQ(why.size(), 2U);
  EXPECT_EQ(why[0].relation, path_);
  EXPECT_EQ(why[0].columns[1], values_.integer(4));
  EXPECT_EQ(why[1].columns[0], values_.integer(4));
  EXPECT_EQ(why[1].columns[1], std::nullopt);
}

TEST_F(PathTest, AggregatesFoldGroups) {
  RelationId folded = rules_.declare("folded", 3);
  RelationId source = rules_.declare("source", 3);
  Rule rule{.head = folded};
  rule.folds = {Fold::kGroup, Fold::kCount, Fold::kMax};
  rule.fold_places = {0, 0, 0};
  rule.body = {positive(source, {any(), any(), any()})};
  rules_.rules.push_back(rule);
  Engine engine(rules_, values_, {});
  insert(engine, source, {1, 10, 5});
  insert(engine, source, {2, 10, 7});
  insert(engine, source, {1, 11, 9});
  insert(engine, source, {1, 12, 2});
  ASSERT_FALSE(engine.evaluate(true));
  EXPECT_EQ(tuples(engine, folded), (std::set<std::vector<int64_t>>{{1, 3, 9}, {2, 1, 7}}));
  EXPECT_EQ(engine.firings().at(engine.firings().first()).used.size(), 3U);
}

// p(X, X) must only match equal columns, in positive and in absent atoms.
TEST_F(PathTest, RepeatedSlotsMustAgree) {
  RelationId loop = rules_.declare("loop", 1);
  RelationId no_loop = rules_.declare("no_loop", 0);
  Rule finds{.head = loop, .head_args = {slot(0)}, .slots = 1};
  finds.body = {positive(edge_, {slot(0), slot(0)})};
  Rule misses{.head = no_loop, .head_args = {}, .slots = 1};
  misses.body = {absent(edge_, {slot(0), slot(0)})};
  rules_.rules.push_back(finds);
  rules_.rules.push_back(misses);
  Engine engine(rules_, values_, {});
  insert(engine, edge_, {1, 2});
  ASSERT_FALSE(engine.evaluate(true));
  EXPECT_FALSE(engine.relation(no_loop).empty());
  engine.clear();
  insert(engine, edge_, {1, 2});
  insert(engine, edge_, {3, 3});
  ASSERT_FALSE(engine.evaluate(true));
  EXPECT_TRUE(engine.relation(no_loop).empty());
  EXPECT_EQ(tuples(engine, loop), (std::set<std::vector<int64_t>>{{3}}));
}

TEST_F(PathTest, RulesArePrintedAsTheyAreWritten) {
  Rule rule{.head = path_, .head_args = {slot(0), constant(values_.integer(7))}, .slots = 2};
  rule.body = {positive(edge_, {slot(0), slot(1)}), absent(path_, {slot(1), any()}),
               condition(Comparison::kLess, slot(0), slot(1))};
  rule.to_next_frame = true;
  EXPECT_EQ(print(rule, rules_, values_),
            "path(X0, 7)@next :- edge(X0, X1), notin path(X1, _), X0 < X1;");
  Rule fold{.head = path_};
  fold.body = {positive(edge_, {slot(0), slot(1)})};
  fold.folds = {Fold::kGroup, Fold::kMax};
  EXPECT_EQ(print(fold, rules_, values_), "path(C0, max<C1>) :- edge(X0, X1);");
}

TEST_F(PathTest, PlansUseWhatIsBound) {
  Engine engine(rules_, values_, {});
  EXPECT_EQ(engine.print_plans(), R"(-- stratum 1
path(X0, X1) :- edge(X0, X1);
  scan edge(X0, X1)
path(X0, X2) :- path(X0, X1), path(X1, X2);
  scan path(X0, X1) among the newest rows
  look up path(=X1, X2)
path(X0, X2) :- path(X0, X1), path(X1, X2);
  scan path(X1, X2) among the newest rows
  look up path(X0, =X1) among the old rows
-- into the next frame
)");
}

// Asking for one row costs less than looking up many, even if the many have more columns bound.
TEST_F(PathTest, PlansAskFirstForWhatIsBoundWhole) {
  const RelationId wide = rules_.declare("wide", 3);
  const RelationId seen = rules_.declare("seen", 1);
  Rule rule{.head = path_, .head_args = {slot(0), slot(2)}, .slots = 3};
  rule.body = {positive(edge_, {slot(0), slot(1)}), positive(wide, {slot(0), slot(1), slot(2)}),
               positive(seen, {slot(0)})};
  rules_.rules = {rule};
  const std::string plans = Engine(rules_, values_, {}).print_plans();
  const std::string steps = plans.substr(plans.find(";\n"));
  EXPECT_LT(steps.find("edge("), steps.find("seen(")) << plans;
  EXPECT_LT(steps.find("seen("), steps.find("wide(")) << plans;
}

TEST_F(PathTest, PlansAreShownStratumByStratum) {
  const RelationId apart = rules_.declare("apart", 2);
  Rule rule{.head = apart, .head_args = {slot(0), slot(1)}, .slots = 2};
  rule.body = {positive(edge_, {slot(0), slot(1)}), absent(path_, {slot(1), slot(0)})};
  rules_.rules.push_back(rule);
  const std::string plans = Engine(rules_, values_, {}).print_plans();
  const size_t second = plans.find("-- stratum 2\napart(X0, X1) :- ");
  ASSERT_NE(second, std::string::npos) << plans;
  EXPECT_LT(plans.find("-- stratum 1\n"), second);
  EXPECT_GT(plans.find("-- into the next frame\n"), second);
}

}  // namespace
}  // namespace clew::datalog
