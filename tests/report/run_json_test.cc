#include "report/run_json.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "tests/report/run_builder.h"

namespace clew::report {
namespace {

using nlohmann::json;

RunBuilder example() {
  RunBuilder run("a b", 2);
  run.drop("a", "b", 1)
      .fact({"log", {"a", "data"}}, 1, 2)
      .fact({"n", {"b", int64_t{7}}}, 2, 2)
      .send("a", "b", 1, "log", {"data"})
      .stray("c")
      .outcome(Outcome::Kind::kViolated, {{{"pre", {"b", "data"}}, false}});
  run.run().scenario.program = {{"simple.ded", "00112233445566ff"}};
  run.run().scenario.inputs = 1;
  return run;
}

constexpr const char* kText = R"({
  "clew": "run",
  "version": 1,
  "scenario": {
    "clew": "scenario",
    "version": 1,
    "program": {
      "inputs": [
        {
          "path": "simple.ded",
          "fingerprint": "00112233445566ff"
        }
      ],
      "includes": []
    },
    "nodes": [
      "a",
      "b"
    ],
    "eot": 2,
    "crash_model": "silent",
    "faults": {
      "omissions": [
        {
          "from": "a",
          "to": "b",
          "tick": 1
        }
      ],
      "crashes": []
    }
  },
  "ticks": [
    {
      "tick": 1,
      "facts": [
        {"relation":"log","values":["a","data"]}
      ]
    },
    {
      "tick": 2,
      "facts": [
        {"relation":"log","values":["a","data"]},
        {"relation":"n","values":["b",7]}
      ]
    }
  ],
  "messages": [
    {"from":"a","to":"b","sent_at":1,"fact":{"relation":"log","values":["b","data"]},"fate":"omitted"}
  ],
  "stray": [
    "c"
  ],
  "outcome": {
    "kind": "violated",
    "defines_pre": true,
    "goals": [
      {"pre":{"relation":"pre","values":["b","data"]},"post":false}
    ]
  }
}
)";

TEST(RunJson, Text) { EXPECT_EQ(run_to_json(example()), kText); }

TEST(RunJson, FiringsAreThereIfTheRunHasThem) {
  RunBuilder run = example();
  EXPECT_FALSE(json::parse(run_to_json(run)).contains("firings"));
  run.run().firings = {{"p(X) :- q(X), notin r(X, _);",
                        "simple.ded:3",
                        {"p", {"a"}},
                        2,
                        {{{"q", {"a"}}, 2}},
                        {{"r(\"a\", _)", 2}}},
                       {"start", "", {"q", {}}, 1, {}, {}}};
  EXPECT_EQ(json::parse(run_to_json(run))["firings"], json::parse(R"json([
    {"rule": "p(X) :- q(X), notin r(X, _);", "rule_where": "simple.ded:3",
     "head": {"relation": "p", "values": ["a"]}, "head_tick": 2,
     "used": [{"fact": {"relation": "q", "values": ["a"]}, "tick": 2}],
     "absences": [{"pattern": "r(\"a\", _)", "tick": 2
}]
},
    {"rule": "start", "rule_where": "", "head": {"relation": "q", "values": []}, "head_tick": 1,
     "used": [], "absences": []}
  ])json"));
}

TEST(RunJson, ARunWithoutAnythingHasEveryKey) {
  const json read = json::parse(run_to_json(RunBuilder("a", 1)));
  EXPECT_EQ(read["ticks"], json::parse(R"([{"tick": 1, "facts": []}])"));
  EXPECT_EQ(read["messages"], json::array());
  EXPECT_EQ(read["stray"], json::array());
  EXPECT_EQ(read["outcome"],
            json::parse(R"({"kind": "vacuous", "defines_pre": false, "goals": []})"));
}

TEST(RunJson, OddValuesSurvive) {
  const std::string odd = "tab\t back\\slash quote' é \xf0\x9f\x98\x80";
  const int64_t least = std::numeric_limits<int64_t>::min();
  const json read =
      json::parse(run_to_json(RunBuilder("a", 1).fact({"odd?", {"a", odd, least}}, 1, 1)));
  EXPECT_EQ(read["ticks"][0]["facts"][0]["values"], json({"a", odd, least}));
}

TEST(RunJson, IsUtf8EvenIfAPathIsNot) {
  RunBuilder run = example();
  run.run().scenario.program[0].path = "caf\xe9.ded";
  run.run().stray = {"\xff"};
  const std::string text = run_to_json(run);
  EXPECT_FALSE(find_invalid_utf8(text).has_value());
  EXPECT_EQ(json::parse(text)["scenario"]["program"]["inputs"][0]["path"], "caf\xef\xbf\xbd.ded");
}

TEST(RunJson, TheScenarioInItReplays) {
  const json read = json::parse(run_to_json(example()));
  const Result<Scenario> scenario = scenario_from_json(read["scenario"].dump());
  ASSERT_TRUE(scenario.ok()) << scenario.error().message;
  EXPECT_EQ(*scenario, example().run().scenario);
}

}  // namespace
}  // namespace clew::report
