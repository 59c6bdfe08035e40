// The examples at the top of the headers, as code (tools/check_examples.py compares them).
#include <gtest/gtest.h>

#include "lineage/difference.h"
#include "lineage/fault_list.h"
#include "lineage/graph.h"
#include "lineage/outcome_supports.h"
#include "lineage/supports.h"
#include "tests/lineage/runs.h"

namespace clew::lineage {
namespace {

class LineageExamples : public testing::Test {
 protected:
  Sample sample_ = Sample::protocol("broadcast/simple_deliv.ded");
  clew::Run good_ = *sample_.run("a b c, eot 4");
  clew::Run bad_ = *sample_.run("a b c, eot 4, drop a>b@1");
};

// example: src/lineage/difference.h
TEST_F(LineageExamples, ADifference) {
  const Graph good(good_), bad(bad_);
  const PointId point = good.find({"log", {"b", "data"}}, 2);
  std::vector<std::string> lost;
  Difference difference(good, bad);
  uint32_t node = difference.missing(point);
  for (const Difference::Reason& reason : difference.node(node).reasons) {
    for (const Difference::Loss& loss : reason.losses) lost.push_back(loss.message.to);
  }
  EXPECT_EQ(lost, std::vector<std::string>{"b"});
}

// example: src/lineage/fault_list.h
TEST_F(LineageExamples, AFaultList) {
  using Run = clew::Run;
  const Run& run = bad_;
  std::vector<uint32_t> found;
  FaultList faults(run.scenario);
  for (uint32_t fault : faults.on("a", "b", 1)) found.push_back(fault);
  EXPECT_EQ(faults.text(0), "drop a>b@1");
  EXPECT_EQ(found, std::vector<uint32_t>{0});
}

// example: src/lineage/graph.h
TEST_F(LineageExamples, AGraph) {
  using Run = clew::Run;
  const Run& run = good_;
  const dedalus::Program& program = *sample_.program;
  size_t persisting = 0;
  Graph graph(run, &program);
  PointId point = graph.find({"log", {"b", "data"}}, 4);
  for (uint32_t step : graph.steps_of(point)) persisting += graph.steps()[step].persists ? 1 : 0;
  EXPECT_EQ(persisting, 1U);
}

// example: src/lineage/outcome_supports.h
TEST_F(LineageExamples, WhatSufficed) {
  using Run = clew::Run;
  Run& run = good_;
  const dedalus::Program& program = *sample_.program;
  run.supports = outcome_supports(Graph(run, &program));
  ASSERT_EQ(run.supports.size(), 1U);
  EXPECT_EQ(run.supports[0].size(), 2U);  // b and c are told
}

// example: src/lineage/supports.h
TEST_F(LineageExamples, MinimalSets) {
  // Node 0 is met by element 0, by node 1, or by elements 1 and 2; node 1 by element 3.
  const Demand demand{{{{{}, {0}}, {{1}, {}}, {{}, {1, 2}}}, {{{}, {3}}}}};
  const uint32_t root = 0;
  Supports supports = minimal_sets(demand, root);
  EXPECT_EQ(supports.sets, (std::vector<std::vector<uint32_t>>{{0}, {3}, {1, 2}}));
}

}  // namespace
}  // namespace clew::lineage
