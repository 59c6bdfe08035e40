#include "drive/page.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace clew::drive {
namespace {

using explore::Tale;
using explore::Told;
using nlohmann::json;
using Strings = std::vector<std::string>;

// a asks b for something; the answer is lost, and b crashes.
Tale told() {
  Tale tale;
  tale.nodes = {"a", "b"};
  tale.start = {"waits false", "busy none"};
  tale.moves = {{.move = "ask client 1>a Get",
                 .kind = "ask",
                 .node = "a",
                 .from = "client 1",
                 .what = "Get",
                 .sent = {{"b", "Want{n: 1}"}},
                 .state = "waits true"},
                {.move = "deliver a>b Want{n: 1}",
                 .kind = "deliver",
                 .node = "b",
                 .from = "a",
                 .what = "Want{n: 1}",
                 .sent_by = 1,
                 .sent = {{"a", "Have"}},
                 .answered = {{"client 1", "Got"}},
                 .state = "busy a"},
                {.move = "lose b>a Have",
                 .kind = "lose",
                 .node = "a",
                 .from = "b",
                 .what = "Have",
                 .sent_by = 2,
                 .fault = true},
                {.move = "crash b",
                 .kind = "crash",
                 .node = "b",
                 .from = {},
                 .what = {},
                 .fault = true,
                 .state = "down"}};
  tale.broken = "all is answered";
  tale.ended = true;
  return tale;
}

Report broken() {
  Report report;
  report.sources = {"none.cc"};
  report.engine = "stateful";
  report.program.nodes = {"a", "b"};
  report.program.properties = {{"all is answered", "finally"}, {"never twice", "always"}};
  report.explored = {
      {.within = {.requests = 1}, .states = 1234, .moves = 4321, .ends = 7, .complete = true},
      {.within = {.requests = 1, .crashes = 1, .losses = 1, .faults = 2}, .states = 20}};
  Counterexample found;
  found.scenario.source.property = "all is answered";
  found.scenario.source.within = report.explored.back().within;
  found.saved = "x.json";
  found.found_with = 6;
  found.tale = told();
  found.cures = {{2, 2}, {0, 3}};
  found.passing = told();
  found.passing->broken.reset();
  found.passing->moves.resize(2);
  report.counterexample = found;
  return report;
}

json data_of(const Report& report) { return json::parse(page_data(report)); }

TEST(ExploredPage, HasTheRunWithNumbersForNodesAndFields) {
  const json data = data_of(broken());
  EXPECT_EQ(data.at("nodes"), json({"a", "b"}));
  const json& run = data.at("runs").at(0);
  const auto field = [&](size_t step, size_t number) {
    const json& fact =
        data.at("facts").at(run.at("steps").at(step).at("state").at(number).get<size_t>());
    return fact.at("text").get<std::string>();
  };
  EXPECT_EQ(run.at("start"), json({{0}, {1}}));
  EXPECT_EQ(field(0, 0), "waits true");
  EXPECT_EQ(field(3, 0), "down");
  const json& got = run.at("steps").at(1);
  EXPECT_EQ(got.at("from"), 0);
  EXPECT_EQ(got.at("node"), 1);
  EXPECT_EQ(got.at("sent_by"), 1);
  EXPECT_EQ(got.at("sent"), json::parse(R"([[0, "Have"]])"));
  EXPECT_EQ(got.at("answered"), json::parse(R"([["client 1", "Got"]])"));
  EXPECT_EQ(run.at("steps").at(0).at("client"), "client 1");
  EXPECT_FALSE(run.at("steps").at(2).contains("state"));
  EXPECT_EQ(run.at("outcome"), "violated");
  EXPECT_EQ(run.at("faults"), "lose b>a Have, crash b");
  EXPECT_EQ(run.at("story"), json({"step 3: lose b>a Have", "step 4: crash b"}));
}

TEST(ExploredPage, HasWhatMatteredAndTheRunThatEndsWell) {
  const json data = data_of(broken());
  const json& explanation = data.at("runs").at(0).at("explanation");
  EXPECT_EQ(explanation.at("cures"), json::parse(R"([{"step": 3}, {"step": 1, "after": 4}])"));
  EXPECT_EQ(explanation.at("property"), "all is answered");
  ASSERT_EQ(data.at("runs").size(), 2U);
  EXPECT_EQ(data.at("runs").at(1).at("outcome"), "holds");
  EXPECT_EQ(data.at("runs").at(1).at("steps").size(), 2U);
  EXPECT_EQ(data.at("runs").at(0).at("replay"), "clew replay x.json");
}

TEST(ExploredPage, SaysWhatTheVerdictCovers) {
  const json data = data_of(broken());
  EXPECT_EQ(data.at("verdict").at("kind"), "broken");
  EXPECT_EQ(data.at("verdict").at("headline"), "\"all is answered\" at step 4");
  EXPECT_EQ(data.at("verdict").at("covers"),
            json::parse(R"([["found within", "1 request at a time and 2 faults"],
                            ["faults", "at most 1 crashes, at most 1 losses; without restarts"],
                            ["length", "6 steps, shortened to 4"], ["engine", "stateful"],
                            ["looked at", "1,254 states"]])"));
  EXPECT_EQ(data.at("properties").at(0).at("told"), "broken at step 4");
  EXPECT_EQ(data.at("properties").at(1).at("told"),
            "held in 1,234 states within 1 request at a time and no fault");
  EXPECT_TRUE(data.at("explored").at(1).at("broken"));
}

TEST(ExploredPage, OfOtherVerdicts) {
  Report report = broken();
  report.counterexample.reset();
  report.why_ended = "the effort was used up";
  report.by_effort = true;
  json data = data_of(report);
  EXPECT_EQ(data.at("verdict").at("kind"), "robust");
  EXPECT_EQ(data.at("verdict").at("headline"),
            "within 1 request at a time and no fault: nothing is violated");
  EXPECT_EQ(data.at("verdict").at("notes"), json({"the effort was used up; --deep goes on"}));
  EXPECT_EQ(data.at("properties").at(1).at("told"), "held in 1,234 states");
  EXPECT_EQ(data.at("runs"), json::array());
  report.explored.front().moves = 0;
  EXPECT_EQ(data_of(report).at("verdict").at("kind"), "vacuous");
  report.explored.front().complete = false;
  data = data_of(report);
  EXPECT_EQ(data.at("verdict").at("kind"), "unknown");
  EXPECT_EQ(data.at("properties").at(0).at("told"), "not known");
  Report again = broken();
  again.counterexample->tale.loop = 3;
  EXPECT_EQ(data_of(again).at("verdict").at("headline"),
            "\"all is answered\" by steps 3 to 4 again and again");
  EXPECT_EQ(data_of(again).at("runs").at(0).at("loop"), 3);
  again.counterexample->tale.loop.reset();
  again.explored.clear();
  again.counterexample->tale.broken.reset();
  again.counterexample->tale.left_out = {"fire a t"};
  data = data_of(again);
  EXPECT_EQ(data.at("verdict").at("kind"), "holds");
  EXPECT_EQ(data.at("runs").at(0).at("explanation").at("left_out"), json({"fire a t"}));
  EXPECT_EQ(data.at("runs").at(0).at("counterexample"), 0);
}

TEST(ExploredPage, NothingInTheDataEndsItsElement) {
  Report report = broken();
  const std::string hostile = "</script><script>\x01\xff \"";
  report.program.nodes = {hostile, "b"};
  report.counterexample->passing.reset();
  Tale& tale = report.counterexample->tale;
  tale.nodes = report.program.nodes;
  for (Told& move : tale.moves) {
    move.move = move.what = move.state = hostile;
    if (move.node == "a") move.node = hostile;
    if (move.from == "a") move.from = hostile;
    for (Told::Sent& sent : move.sent) sent = {sent.to == "a" ? hostile : sent.to, hostile};
  }
  tale.broken = report.counterexample->scenario.source.property = hostile;
  const std::string text = page_data(report);
  EXPECT_EQ(text.find('<'), std::string::npos);
  EXPECT_EQ(text.find('\x01'), std::string::npos);
  EXPECT_EQ(data_of(report).at("nodes").size(), 2U);
  EXPECT_EQ(page(report).find("CLEW_"), std::string::npos);
  EXPECT_NE(page(report).find(text), std::string::npos);
}

TEST(ExploredPage, LongTextsAreCutAndAFullPageStaysSmall) {
  Report report = broken();
  Tale& tale = report.counterexample->tale;
  const Told again = tale.moves[1];
  while (tale.moves.size() < 500) {
    tale.moves.push_back(again);
    tale.moves.back().state =
        "busy " + std::string(20'000, 'x') + std::to_string(tale.moves.size());
  }
  EXPECT_LT(page_data(report).size(), 3'000'000U);
  EXPECT_LT(page_data(report, 100'000).size(), 600'000U);
  tale.moves.resize(5);
  std::string many;
  for (int i = 0; i < 1000; ++i) many += (i > 0 ? ", f" : "f") + std::to_string(i) + " 0";
  tale.moves[4].state = many;
  const json data = data_of(report);
  const json& fields = data.at("runs").at(0).at("steps").at(4).at("state");
  EXPECT_EQ(fields.size(), 201U);
  EXPECT_EQ(data.at("facts").at(fields.back().get<size_t>()).at("text"), "and 800 fields more");
}

TEST(ExploredPage, FieldsOfAState) {
  const std::vector<std::pair<std::string, Strings>> table = {
      {"", {}},
      {"down", {"down"}},
      {"holder none, waiting []", {"holder none", "waiting []"}},
      {"log [1, 2], vote Vote{a: 1, b: (2, 3)}, x 1",
       {"log [1, 2]", "vote Vote{a: 1, b: (2, 3)}", "x 1"}},
      {R"(text "a, ""b, ]", x 1)", {R"(text "a, ""b, ]")", "x 1"}},
      {"odd ], x 1", {"odd ], x 1"}},
      {"odd [, x 1", {"odd [, x 1"}},
      {"odd \", x 1", {"odd \", x 1"}},
  };
  for (const auto& [state, fields] : table) EXPECT_EQ(fields_of(state), fields) << state;
}

}  // namespace
}  // namespace clew::drive
