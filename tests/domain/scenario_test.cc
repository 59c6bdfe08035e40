#include "domain/scenario.h"

#include <gtest/gtest.h>

#include <functional>

namespace clew {
namespace {

Scenario three_nodes() {
  Scenario scenario;
  scenario.nodes = {"a", "b", "c"};
  scenario.program.eot = 4;
  scenario.faults = {Omission{"a", "b", 1}, Omission{"b", "c", 3}, Crash{"c", 3}};
  return scenario;
}

TEST(Scenario, WhatHoldsIsValid) {
  EXPECT_TRUE(validate(three_nodes()).ok());
  Scenario smallest;
  smallest.nodes = {"a"};
  EXPECT_TRUE(validate(smallest).ok());
  Scenario largest;
  for (size_t i = 0; i < kMostNodes; ++i) largest.nodes.push_back(fmt::format("node {:04}", i));
  largest.program.eot = kMostTicks;
  largest.faults = {Crash{largest.nodes.back(), kMostTicks - 1}};
  EXPECT_TRUE(validate(largest).ok());
}

TEST(Scenario, WhoCrashesAndWhoStops) {
  Scenario scenario = three_nodes();
  EXPECT_EQ(crash_of(scenario, "c"), 3);
  EXPECT_EQ(crash_of(scenario, "a"), std::nullopt);
  EXPECT_FALSE(has_stopped(scenario, "c", 4));
  scenario.program.crash_model = CrashModel::kStop;
  EXPECT_FALSE(has_stopped(scenario, "c", 2));
  EXPECT_TRUE(has_stopped(scenario, "c", 3));
  EXPECT_FALSE(has_stopped(scenario, "a", 4));
}

struct Wrong {
  std::function<void(Scenario&)> change;
  std::string message;
  std::string remedy;
};

const std::vector<Wrong> kWrong = {
    {[](Scenario& s) { s.nodes.clear(); }, "this run has no nodes", "name some with nodes a,b,c"},
    {[](Scenario& s) {
       s.nodes = {"", "a"};
     },
     "a node of this run has an empty name", "name the nodes with nodes a,b,c"},
    {[](Scenario& s) { s.nodes = {"a\x1b[1m"}; },
     "the name of node \"a [1m\" has characters that cannot be printed",
     "use letters, digits and punctuation in the names of nodes"},
    {[](Scenario& s) { s.nodes = {"a\xff"}; },
     "the name of node \"a?\" has characters that cannot be printed",
     "use letters, digits and punctuation in the names of nodes"},
    {[](Scenario& s) {
       s.nodes = {"a", "b", "b"};
     },
     "node \"b\" is named twice", "name every node once"},
    {[](Scenario& s) {
       s.nodes = {"a", "c", "b"};
     },
     "node \"b\" is named after \"c\"", "sort the nodes"},
    {[](Scenario& s) { s.nodes.assign(kMostNodes + 1, "a"); },
     "this run has 1,001 nodes, more than 1,000", "name fewer nodes with nodes a,b,c"},
    {[](Scenario& s) { s.program.eot = 0; }, "`eot 0` is not a tick at which a run can end",
     "choose a last tick from 1 to 100,000"},
    {[](Scenario& s) { s.program.eot = kMostTicks + 1; },
     "`eot 100001` is not a tick at which a run can end", "choose a last tick from 1 to 100,000"},
    {[](Scenario& s) {
       s.faults = {Omission{"x", "b", 1}};
     },
     "`drop x>b@1` names node \"x\", which is not in this run; nodes: a, b, c",
     "name one of the nodes, or add \"x\" with nodes"},
    {[](Scenario& s) {
       s.faults = {Omission{"a", "server", 1}};
     },
     "`drop a>server@1` names node \"server\", which is not in this run; nodes: a, b, c",
     "name one of the nodes, or add \"server\" with nodes"},
    {[](Scenario& s) {
       s.faults = {Omission{"a", "a", 1}};
     },
     "`drop a>a@1`: nobody loses a message to itself", "name two different nodes"},
    {[](Scenario& s) {
       s.faults = {Omission{"a", "b", 0}};
     },
     "`drop a>b@0` comes too early: the first tick is 1", "choose a tick from 1 on"},
    {[](Scenario& s) {
       s.faults = {Omission{"a", "b", 4}};
     },
     "`drop a>b@4` comes too late: a fault must come before the last tick, 4",
     "choose a tick from 1 to 3, or end the run later, for example with eot 5"},
    {[](Scenario& s) {
       s.faults = {Crash{"d\n", 1}};
     },
     "`crash d @1` names node \"d \", which is not in this run; nodes: a, b, c",
     "name one of the nodes, or add \"d \" with nodes"},
    {[](Scenario& s) {
       s.program.eot = 1;
       s.faults = {Crash{"c", 9}};
     },
     "`crash c@9` comes too late: a fault must come before the last tick, 1",
     "end the run later, for example with eot 10"},
    {[](Scenario& s) {
       s.faults = {Crash{"c", 3}, Crash{"a", 1}, Crash{"c", 2}};
     },
     "node \"c\" crashes twice, at ticks 2 and 3",
     "keep one of the two crashes: a node does not come back"},
};

TEST(Scenario, TheFirstThatDoesNotHoldIsNamedWithARemedy) {
  for (const Wrong& wrong : kWrong) {
    Scenario scenario = three_nodes();
    wrong.change(scenario);
    const Status status = validate(scenario);
    ASSERT_FALSE(status.ok()) << wrong.message;
    EXPECT_EQ(status.error().message, wrong.message);
    EXPECT_EQ(status.error().remedy, wrong.remedy);
  }
}

TEST(Scenario, LongListsOfNodesAreCut) {
  Scenario scenario;
  for (char name = 'a'; name <= 'z'; ++name) scenario.nodes.emplace_back(1, name);
  scenario.program.eot = 4;
  scenario.faults = {Crash{"zookeeper", 1}};
  const Status status = validate(scenario);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message,
            "`crash zookeeper@1` names node \"zookeeper\", which is not in this run; nodes: a, "
            "b, c, d, e, f, g, h, i, j, k, l and 14 more");
}

}  // namespace
}  // namespace clew
