#include "report/changes.h"

#include <gtest/gtest.h>

#include "tests/report/run_builder.h"

namespace clew::report {
namespace {

TEST(Changes, TheExampleOfTheHeader) {
  EXPECT_EQ('\n' + changes(RunBuilder("a b", 9)
                               .fact({"bcast", {"a", "data"}}, 1, 1)
                               .fact({"log", {"a", "data"}}, 1, 9)
                               .fact({"node", {"b", "a"}}, 1, 9)
                               .fact({"log", {"b", "data"}}, 2, 9)
                               .fact({"post", {"data"}}, 2, 9)),
            R"(
tick 1
  a  + bcast("a", "data")  log("a", "data")
  b  + node("b", "a")
tick 2
  a  - bcast("a", "data")
  b  + log("b", "data")
  elsewhere
     + post("data")
ticks 3-9: nothing changed
)");
}

TEST(Changes, ComesAndGoesInOneTick) {
  EXPECT_EQ('\n' + changes(RunBuilder("a b", 5)
                               .fact({"n", {"a", int64_t{1}}}, 2, 2)
                               .fact({"n", {"a", int64_t{2}}}, 3, 3)
                               .fact({"n", {"b", int64_t{-1}}}, 5, 5)),
            R"(
tick 1: nothing changed
tick 2
  a  + n("a", 1)
tick 3
  a  + n("a", 2)
     - n("a", 1)
tick 4
  a  - n("a", 2)
tick 5
  b  + n("b", -1)
)");
}

TEST(Changes, OnlySomeRelations) {
  const clew::Run run = RunBuilder("a", 4)
                            .fact({"log", {"a"}}, 2, 4)
                            .fact({"noise", {"a"}}, 3, 3)
                            .fact({"pre", {}}, 4, 4);
  EXPECT_EQ('\n' + changes(run, {"pre", "log"}), R"(
tick 1: nothing changed
tick 2
  a  + log("a")
tick 3: nothing changed
tick 4
  elsewhere
     + pre()
)");
  EXPECT_EQ(changes(run, {"absent"}), "ticks 1-4: nothing changed\n");
}

TEST(Changes, WhatIsElsewhere) {
  EXPECT_EQ('\n' + changes(RunBuilder("a b", 1)
                               .fact({"done", {}}, 1, 1)
                               .fact({"seven", {int64_t{7}}}, 1, 1)
                               .fact({"at", {"c"}}, 1, 1)
                               .fact({"at", {"a"}}, 1, 1)),
            R"(
tick 1
  a  + at("a")
  elsewhere
     + at("c")  done()  seven(7)
)");
}

TEST(Changes, LinesAreWrappedAndNamesAligned) {
  RunBuilder run("a Zoë coordinator", 2);
  for (const char* peer : {"agent_1", "agent_2", "agent_3", "agent_4"}) {
    run.fact({"node", {"a", peer}}, 1, 1).fact({"known", {"coordinator", peer}}, 1, 2);
  }
  run.fact({"log", {"Zoë", std::string(80, 'x')}}, 1, 2).fact({"log", {"Zoë", "tab\there"}}, 1, 2);
  const std::string long_value(80, 'x');
  EXPECT_EQ('\n' + changes(run), R"(
tick 1
  Zoë  + log("Zoë", "tab here")
       + log("Zoë", ")" + long_value +
                                     R"(")
  a    + node("a", "agent_1")  node("a", "agent_2")  node("a", "agent_3")
       + node("a", "agent_4")
  coordinator
       + known("coordinator", "agent_1")  known("coordinator", "agent_2")
       + known("coordinator", "agent_3")  known("coordinator", "agent_4")
tick 2
  a    - node("a", "agent_1")  node("a", "agent_2")  node("a", "agent_3")
       - node("a", "agent_4")
)");
}

TEST(Changes, LargeRunsStayLinear) {
  std::string nodes;
  for (int i = 0; i < 100; ++i) nodes += fmt::format("n{:02} ", i);
  RunBuilder run(nodes, 1000);
  for (const NodeName& node : run.run().scenario.nodes) {
    for (auto& facts : run.run().facts) facts.push_back({"log", {node, "data"}});
  }
  const std::string text = changes(run);
  EXPECT_EQ(std::ranges::count(text, '\n'), 102);
}

}  // namespace
}  // namespace clew::report
