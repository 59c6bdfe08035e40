#include "report/run_json.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/text.h"
#include "tests/report/run_builder.h"

namespace clew::report {
namespace {

using nlohmann::json;

// The run on the page that describes the format.
RunBuilder example() {
  RunBuilder run("a b", 2);
  const int64_t seven = 7;
  const Fact start{"start", {"a", seven}};
  const Fact sent{"sent", {"a", seven}};
  const Fact pre{"pre", {seven}};
  run.drop("a", "b", 1)
      .fact(start, 1, 1)
      .fact(sent, 2, 2)
      .fact(pre, 2, 2)
      .send("a", "b", 1, "ping", {seven})
      .outcome(Outcome::Kind::kViolated, {{pre, false}});
  run.run().scenario.program.files = {{"ping.ded", "9a7850285e139b70"}};
  run.run().scenario.program.inputs = 1;
  fire(run.run(), "sent(\"a\", N)@next :- start(\"a\", N);", "ping.ded:3", sent, 2, {{start, 1}});
  fire(run.run(), "pre(N) :- sent(_, N);", "ping.ded:4", pre, 2, {{sent, 2}});
  return run;
}

std::string documented_example() {
  const Result<std::string> page = read_file("docs/formats/run.md", 1 << 20);
  CHECK(page.ok(), "{}", page.error().message);
  const size_t begin = page->find("```json\n") + 8;
  return page->substr(begin, page->find("```\n", begin) - begin);
}

TEST(RunJson, IsAsThePageShowsIt) { EXPECT_EQ(run_to_json(example()), documented_example()); }

TEST(RunJson, FiringsAreThereIfTheRunHasThem) {
  RunBuilder run = example();
  run.run().firings.clear();
  fire(run.run(), "p(X) :- notin r(X, _);", "p.ded:3", {"p", {"a"}}, 2, {},
       {{{"r", {"a", std::nullopt}}, 2}});
  EXPECT_EQ(json::parse(run_to_json(run))["firings"], json::parse(R"json([
    {"rule": "p(X) :- notin r(X, _);", "rule_where": "p.ded:3", "head": {"relation": "p",
     "values": ["a"]}, "head_tick": 2, "used": [],
     "absences": [{"pattern": "r(\"a\", _)", "tick": 2}]}
  ])json"));
  run.run().firings.clear();
  EXPECT_FALSE(json::parse(run_to_json(run)).contains("firings"));
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
  run.run().scenario.program.files[0].path = "caf\xe9.ded";
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
