// Every numbered invariant of graph.h, broken: the CHECK says so.
#include <gtest/gtest.h>

#include "lineage/graph.h"
#include "tests/lineage/runs.h"

namespace clew::lineage {
namespace {

class GraphInvariants : public testing::Test {
 protected:
  void expect_wrong(const std::string& message) {
    EXPECT_EXIT(Graph{run_}, testing::ExitedWithCode(1), message);
  }

  Sample sample_{"p(\"a\")@1; p(\"b\")@1; p(X)@next :- p(X);"};
  clew::Run run_ = *sample_.run("a b, eot 3");
};

TEST_F(GraphInvariants, OneFactsAreSortedAndDistinct) {
  std::swap(run_.facts[1][0], run_.facts[1][1]);
  expect_wrong("p\\(\"b\"\\) is not in order");
  run_.facts[1] = {run_.facts[0][0], run_.facts[0][0]};
  expect_wrong("p\\(\"a\"\\) is not in order, or is there twice");
}

TEST_F(GraphInvariants, OnePointsAreNumberedByTickThenByFact) {
  const Graph graph(run_);
  EXPECT_EQ(graph.find({"p", {"b"}}, 1), 1U);
  EXPECT_EQ(graph.find({"p", {"a"}}, 2), 2U);
}

TEST_F(GraphInvariants, TwoWhatAFiringDerivesHolds) {
  run_.firings[0].head = {"p", {"c"}};
  expect_wrong("a firing for p\\(\"c\"\\)@2, which does not hold");
}

TEST_F(GraphInvariants, ThreeWhatAFiringUsedHolds) {
  run_.firings[0].used[0].fact = {"p", {"c"}};
  expect_wrong("a firing used p\\(\"c\"\\)@1, which does not hold");
  run_.firings[0].used[0] = {run_.firings[0].head, 9};
  expect_wrong("@9, which does not hold");
}

}  // namespace
}  // namespace clew::lineage
