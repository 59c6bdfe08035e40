// The examples at the top of the headers, as code (tools/check_examples.py compares them).
#include <gtest/gtest.h>

#include <set>

#include "datalog/engine.h"
#include "datalog/stratify.h"

namespace clew::datalog {
namespace {

// example: src/datalog/value.h
TEST(DatalogExamples, Values) {
  ValueTable values;
  const Value a = values.intern("data"), n = values.integer(7);
  EXPECT_TRUE(values.is_integer(n));
  EXPECT_EQ(values.text(a), "data");
  EXPECT_EQ(values.print(n), "7");
}

// example: src/datalog/relation.h
TEST(DatalogExamples, Relations) {
  const Value tuple[] = {{1}, {2}};
  Relation edge(2, false);
  EXPECT_EQ(edge.find(tuple), kNoRow);
  EXPECT_TRUE(edge.insert(tuple).is_new);
  EXPECT_FALSE(edge.insert(tuple).is_new);
  const Row row = edge.find(tuple);
  EXPECT_EQ(row, 0U);
  edge.insert_next(tuple);
  EXPECT_EQ(edge.end(), 1U);
  edge.advance();
  EXPECT_EQ(edge.find(tuple), 1U);
}

// example: src/datalog/rule.h
TEST(DatalogExamples, Rules) {
  RuleSet rules;
  const ValueTable values;
  const RelationId edge = rules.declare("edge", 2), path = rules.declare("path", 2);
  Rule rule{.head = path, .head_args = {slot(0), slot(2)}, .slots = 3};
  rule.body.push_back(positive(edge, {slot(0), slot(1)}));
  rule.body.push_back(positive(path, {slot(1), slot(2)}));
  EXPECT_EQ(print(rule, rules, values), "path(X0, X2) :- edge(X0, X1), path(X1, X2);");
}

// example: src/datalog/stratify.h
TEST(DatalogExamples, Strata) {
  constexpr uint32_t kLink = 0, kReach = 1, kFar = 2;
  std::vector<Dependency> dependencies;
  dependencies.push_back({kLink, kReach});
  dependencies.push_back({kReach, kReach});
  dependencies.push_back({kReach, kFar, true});
  auto result = stratify(3, dependencies);
  const Strata& strata = std::get<Strata>(result);
  ASSERT_EQ(strata.size(), 3U);
  EXPECT_EQ(strata[0].members, std::vector<uint32_t>{kLink});
  EXPECT_EQ(strata[1].members, std::vector<uint32_t>{kReach});
  EXPECT_TRUE(strata[1].recursive);
  EXPECT_EQ(strata[2].members, std::vector<uint32_t>{kFar});
}

// edge(1, 2) gives path(1, 2), by one firing.
void expect_one_firing(const FiringLog& log);

// example: src/datalog/engine.h
TEST(DatalogExamples, AnEngine) {
  RuleSet rules;
  RelationId edge = rules.declare("edge", 2), path = rules.declare("path", 2);
  Rule rule{.head = path, .head_args = {slot(0), slot(1)}, .slots = 2};
  rule.body.push_back(positive(edge, {slot(0), slot(1)}));
  rules.rules = {rule};
  ValueTable values;
  Engine engine(rules, values, {.lineage = true});
  const Value tuple[] = {values.integer(1), values.integer(2)};
  engine.relation(edge).insert(tuple);
  if (std::optional<EvaluationError> error = engine.evaluate(true)) FAIL();
  Row first = engine.relation(path).begin();
  EXPECT_EQ(engine.relation(path).end(), first + 1);
  EXPECT_EQ(engine.relation(path).find(tuple), first);
  expect_one_firing(engine.firings());
  engine.advance();
  EXPECT_TRUE(engine.relation(path).empty());
}

// example: src/datalog/firings.h
void expect_one_firing(const FiringLog& log) {
  size_t firings = 0;
  std::vector<Row> used;
  for (FiringLog::Cursor at = log.first(); at != log.end(); at = log.next(at)) {
    Firing firing = log.at(at);
    EXPECT_EQ(firing.rule, 0U);
    EXPECT_EQ(firing.head, 0U);
    for (Row row : firing.used) used.push_back(row);
    ++firings;
  }
  EXPECT_EQ(firings, 1U);
  EXPECT_EQ(used, std::vector<Row>{0});
}

}  // namespace
}  // namespace clew::datalog
