#include "report/molly.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/report/lineage_example.h"

namespace clew::report {
namespace {

using lineage::Graph;

const FaultModel kModel{{"a", "b"}, 3, 2, 1, CrashModel::kSilent};

TEST(MollyTest, Run) {
  EXPECT_EQ(nlohmann::json::parse(molly_run(example_run(true), kModel, 7)),
            nlohmann::json::parse(R"({
    "iteration": 7,
    "status": "failure",
    "failureSpec": {
      "eot": 3, "eff": 2, "maxCrashes": 1, "nodes": ["a", "b"],
      "crashes": [],
      "omissions": [{"from": "a", "to": "b", "time": 1}]
    },
    "model": {"tables": {
      "bcast": [["a", "data", "1"]],
      "missing": [["data", "3"]],
      "node": [["a", "b", "1"]],
      "post": [],
      "pre": [["data", "3"]],
      "want": [["data", "3"]]
    }},
    "messages": [{"table": "log", "from": "a", "to": "b", "sendTime": 1, "receiveTime": 99999}]
  })"));
}

TEST(MollyTest, RunWithoutFaults) {
  const auto run = nlohmann::json::parse(molly_run(example_run(false), kModel, 0));
  EXPECT_EQ(run["status"], "success");
  EXPECT_EQ(run["messages"][0]["receiveTime"], 2);
  EXPECT_EQ(run["model"]["tables"]["post"], nlohmann::json::parse(R"([["data", "3"]])"));
}

TEST(MollyTest, CrashesAndNumbers) {
  const clew::Run run = RunBuilder("a b", 3)
                            .crash("b", 2)
                            .fact({"p", {"a", int64_t{-5}}}, 2, 2)
                            .send("a", "b", 3, "late");
  const auto value = nlohmann::json::parse(molly_run(run, kModel, 0));
  EXPECT_EQ(value["failureSpec"]["crashes"], nlohmann::json::parse(R"([{"node":"b","time":2}])"));
  EXPECT_EQ(value["model"]["tables"]["p"], nlohmann::json::parse(R"([["a", "-5", "2"]])"));
  EXPECT_EQ(value["messages"][0]["receiveTime"], 4);
}

TEST(MollyTest, Provenance) {
  const clew::Run run = example_run(false);
  const std::string log =
      molly_provenance(provenance_of(Graph(run), {{{"log", {"b", "data"}}, 3}}));
  EXPECT_EQ(nlohmann::json::parse(log), nlohmann::json::parse(R"JSON({
    "goals": [
      {"id": "goal0", "label": "log(b, data, 3)", "table": "log", "time": "3"},
      {"id": "goal1", "label": "log(b, data, 2)", "table": "log", "time": "2"},
      {"id": "goal2", "label": "bcast(a, data, 1)", "table": "bcast", "time": "1"},
      {"id": "goal3", "label": "node(a, b, 1)", "table": "node", "time": "1"},
      {"id": "goal4", "label": "clock(a, b, 1, 2)", "table": "clock", "time": "1"}
    ],
    "rules": [
      {"id": "rule0", "label": "log_prov3", "table": "log", "type": "next"},
      {"id": "rule1", "label": "log_prov2", "table": "log", "type": "async"}
    ],
    "edges": [
      {"from": "goal0", "to": "rule0"},
      {"from": "goal1", "to": "rule1"},
      {"from": "rule0", "to": "goal1"},
      {"from": "rule1", "to": "goal2"},
      {"from": "rule1", "to": "goal3"},
      {"from": "rule1", "to": "goal4"}
    ]
  })JSON"));
}

TEST(MollyTest, AnAbsence) {
  const clew::Run run = example_run(false);
  const auto post =
      nlohmann::json::parse(molly_provenance(provenance_of(Graph(run), at_the_end(run, "post"))));
  EXPECT_EQ(post["goals"][2]["label"], "NOT!missing(data, 3)");
  EXPECT_EQ(post["rules"][0]["type"], "single");
  Provenance any;
  any.goals.push_back({"p", {"_", "\"x\"", "7"}, 2, 2, true});
  EXPECT_EQ(nlohmann::json::parse(molly_provenance(any))["goals"][0]["label"],
            "NOT!p(__WILDCARD__, x, 7, 2)");
}

TEST(MollyTest, NothingToTell) {
  EXPECT_EQ(nlohmann::json::parse(molly_provenance({})),
            nlohmann::json::parse(R"({"goals": [], "rules": [], "edges": []})"));
}

}  // namespace
}  // namespace clew::report
