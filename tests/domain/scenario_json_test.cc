#include <gtest/gtest.h>

#include "base/files.h"
#include "domain/scenario.h"

namespace clew {
namespace {

constexpr const char* kText = R"({
  "clew": "scenario",
  "version": 1,
  "program": {
    "inputs": [
      {
        "path": "simple_deliv.ded",
        "fingerprint": "00112233445566ff"
      }
    ],
    "includes": [
      {
        "path": "spec/deliv_assert.ded",
        "fingerprint": "cbf29ce484222325"
      }
    ]
  },
  "nodes": [
    "a",
    "b",
    "ç"
  ],
  "eot": 4,
  "crash_model": "stop",
  "faults": {
    "omissions": [
      {
        "from": "a",
        "to": "b",
        "tick": 2
      }
    ],
    "crashes": [
      {
        "node": "ç",
        "tick": 3
      }
    ]
  }
}
)";

Scenario example() {
  Scenario scenario;
  scenario.program.files = {{"simple_deliv.ded", "00112233445566ff"},
                            {"spec/deliv_assert.ded", "cbf29ce484222325"}};
  scenario.program.inputs = 1;
  scenario.nodes = {"a", "b", "ç"};
  scenario.program.eot = 4;
  scenario.program.crash_model = CrashModel::kStop;
  scenario.faults = {Omission{"a", "b", 2}, Crash{"ç", 3}};
  return scenario;
}

// kText with one piece of it replaced.
std::string changed(std::string_view from, std::string_view to) {
  std::string text = kText;
  const size_t at = text.find(from);
  CHECK(at != std::string::npos, "no {} in the example", from);
  return text.replace(at, from.size(), to);
}

TEST(ScenarioJson, IsWrittenAndReadBack) {
  EXPECT_EQ(to_json(example()), kText);
  const Result<Scenario> read = scenario_from_json(kText);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(*read, example());
}

TEST(ScenarioJson, IsAsThePageShowsIt) {
  const Result<std::string> page = read_file("docs/formats/scenario.md", 1 << 20);
  ASSERT_TRUE(page.ok()) << page.error().message;
  const size_t begin = page->find("```json\n") + 8;
  const std::string shown = page->substr(begin, page->find("```\n", begin) - begin);
  const Result<Scenario> read = scenario_from_json(shown);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(to_json(*read), shown);
}

TEST(ScenarioJson, LimitsAreThereIfThereAreAny) {
  Scenario limited = example();
  limited.limits.reliable_nodes = {"a"};
  limited.limits.reliable_links = {{"b", "ç"}};
  limited.limits.no_crash = {"a", "b"};
  const std::string text = to_json(limited);
  EXPECT_NE(text.find("\"limits\": {"), std::string::npos) << text;
  const Result<Scenario> read = scenario_from_json(text);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(*read, limited);
}

TEST(ScenarioJson, LayoutAndOrderAreFree) {
  const Result<Scenario> read = scenario_from_json(
      R"({"version":1,"faults":{"crashes":[{"tick":3,"node":"\u00e7"}],"omissions":[)"
      R"({"from":"a","to":"b","tick":2},{"from":"a","to":"b","tick":2}]},"eot":4,"nodes":)"
      R"(["b","a","ç"],"crash_model":"stop","clew":"scenario","program":{"includes":[{"path":)"
      R"("spec/deliv_assert.ded","fingerprint":"cbf29ce484222325"}],"inputs":[{"path":)"
      R"("simple_deliv.ded","fingerprint":"00112233445566ff"}]}})");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(*read, example());
}

struct WrongText {
  std::string text;
  std::string message;
};

void expect_errors(std::initializer_list<WrongText> table) {
  for (const WrongText& wrong : table) {
    const Result<Scenario> read = scenario_from_json(wrong.text);
    ASSERT_FALSE(read.ok()) << wrong.message;
    EXPECT_EQ(read.error().message, wrong.message);
    EXPECT_NE(read.error().remedy, "") << wrong.message;
  }
}

TEST(ScenarioJson, WhatIsNotJson) {
  expect_errors({
      {"",
       "this is not JSON: line 1, column 1: syntax error while parsing value - unexpected end of "
       "input; expected '[', '{', or a literal"},
      {"{} {}",
       "this is not JSON: line 1, column 4: syntax error while parsing value - unexpected '{'; "
       "expected end of input"},
      {"{\n  'clew'",
       "this is not JSON: line 2, column 3: syntax error while parsing object key - invalid "
       "literal; last read: '{<U+000A>  ''; expected string literal"},
      {changed("\"a\",", "\"a\xff\","),
       "this is not JSON: line 19, column 7: syntax error while parsing value - invalid string: "
       "ill-formed UTF-8 byte; last read: '\"a?'"},
      {changed("\"eot\": 4", "\"eot\": 1e999"),
       "this is not JSON: number overflow parsing '1e999'"},
  });
}

TEST(ScenarioJson, WhatIsNotAScenario) {
  expect_errors({
      {"[]", "a scenario must be an object, not an array"},
      {"{}", "this is not a scenario: the key \"clew\" with the value \"scenario\" is missing"},
      {R"({"clew": "run"})",
       "this is not a scenario: the key \"clew\" with the value \"scenario\" is missing"},
      {R"({"clew": "scenario"})", "the key \"version\" is missing"},
      {R"({"clew": "scenario", "version": 2, "new": 1})",
       "version is 2, but this Clew reads version 1"},
      {R"({"clew": "scenario", "version": 1.0})",
       "version is a number with a fraction, but this Clew reads version 1"},
      {R"({"clew": "scenario", "version": "1"})",
       "version is a string, but this Clew reads version 1"},
  });
}

TEST(ScenarioJson, WrongKeysAndTypesAreLocated) {
  expect_errors({
      {changed("\"eot\": 4,", ""), "the key \"eot\" is missing in the scenario"},
      {changed("\"eot\": 4,", "\"eot\": 4, \"eot\": 5,"),
       "the key \"eot\" occurs twice in one object"},
      {changed("\"eot\": 4,", "\"eot\": 4, \"eof\": 5,"),
       "there is an unknown key \"eof\" in the scenario"},
      {changed("\"tick\": 2", "\"tick\": 2, \"why\": null"),
       "there is an unknown key \"why\" in faults.omissions[0]"},
      {changed("\"eot\": 4", "\"eot\": \"4\""), "eot must be an integer, not a string"},
      {changed("\"eot\": 4", "\"eot\": 4.0"),
       "eot must be an integer, not a number with a fraction"},
      {changed("\"eot\": 4", "\"eot\": 0"), "eot is 0, not a tick from 1 to 100,000"},
      {changed("\"eot\": 4", "\"eot\": -1"), "eot is -1, not a tick from 1 to 100,000"},
      {changed("\"eot\": 4", "\"eot\": 4294967300"),
       "eot is 4294967300, not a tick from 1 to 100,000"},
      {changed("\"eot\": 4", "\"eot\": 18446744073709551615"),
       "eot is 18446744073709551615, not a tick from 1 to 100,000"},
      {changed("\"b\",", "null,"), "nodes[1] must be a string, not null"},
      {changed("\"stop\"", "\"stopp\""), "crash_model: `stopp` is not a crash model"},
      {changed("\"stop\"", "7"), "crash_model must be a string, not a number"},
      {changed("\"tick\": 3", "\"tick\": true"),
       "faults.crashes[0].tick must be an integer, not a boolean"},
      {changed("\"from\": \"a\"", "\"from\": {}"),
       "faults.omissions[0].from must be a string, not an object"},
      {changed("\"spec/deliv_assert.ded\"", "\"\""), "program.includes[0].path is empty"},
      {changed("\"spec/deliv_assert.ded\"", "\"a\\u0000\""),
       "program.includes[0].path has a NUL character in it"},
      {changed("00112233445566ff", "00112233445566FF"),
       "program.inputs[0].fingerprint must be 16 hexadecimal digits (0-9, a-f)"},
      {changed("\"inputs\": [", "\"inputs\": [], \"includes\": []}, \"x\": {\"y\": ["),
       "there is an unknown key \"x\" in the scenario"},
  });
}

TEST(ScenarioJson, WhatDecodesIsValidated) {
  expect_errors({
      {changed("\"node\": \"ç\"", "\"node\": \"d\""),
       "`crash d@3` names node \"d\", which is not in this run; nodes: a, b, ç"},
      {changed("\"b\",", "\"a\","), "node \"a\" is named twice"},
      {changed("\"b\",", "\"b\\n\","),
       "the name of node \"b \" has characters that cannot be printed"},
  });
}

TEST(ScenarioJson, NoInputFile) {
  expect_errors({{R"({"clew": "scenario", "version": 1, "program": {"inputs": [], "includes": []},
                      "nodes": ["a"], "eot": 1, "crash_model": "silent",
                      "faults": {"omissions": [], "crashes": []}})",
                  "program.inputs names no file"}});
}

TEST(ScenarioJson, RemediesGuessTheKey) {
  const Result<Scenario> read = scenario_from_json(changed("\"eot\": 4", "\"eot\": 4, \"eto\": 4"));
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().remedy, "did you mean \"eot\"?");
}

TEST(ScenarioJson, HostileTextsAreRefused) {
  expect_errors({
      {std::string(1'000'000, '['), "this is nested more than 16 deep"},
      {changed("\"eot\": 4", "\"eot\": " + std::string(1'000, '[') + std::string(1'000, ']')),
       "this is nested more than 16 deep"},
      {std::string(kMostScenarioBytes + 1, ' '),
       "a scenario of 16,777,217 bytes is too large: at most 16,777,216 are read"},
  });
  const Result<Scenario> junk = scenario_from_json(std::string(kMostScenarioBytes, 'x'));
  ASSERT_FALSE(junk.ok());
  EXPECT_LT(junk.error().message.size(), 300U);
  const std::string long_key = changed("\"eot\"", '"' + std::string(1'000'000, 'k') + '"');
  const Result<Scenario> long_read = scenario_from_json(long_key);
  ASSERT_FALSE(long_read.ok());
  EXPECT_EQ(long_read.error().message, "the key \"eot\" is missing in the scenario");
}

TEST(ScenarioJson, WrongLimits) {
  const auto with = [](const std::string& limits) {
    return changed("  \"faults\": {", "  \"limits\": " + limits + ",\n  \"faults\": {");
  };
  const std::string rest = "\"reliable_links\": [], \"no_crash\": []}";
  expect_errors({
      {with("[]"), "limits must be an object, not an array"},
      {with("{" + rest), "the key \"reliable_nodes\" is missing in limits"},
      {with("{\"reliable_nodes\": [7], " + rest),
       "limits.reliable_nodes[0] must be a string, not a number"},
      {with("{\"reliable_nodes\": [\"x\"], " + rest),
       "`reliable x` names node \"x\", which is not in this run; nodes: a, b, ç"},
      {with("{\"reliable_nodes\": [], \"reliable_links\": [{\"from\": \"a\"}], \"no_crash\": []}"),
       "the key \"to\" is missing in limits.reliable_links[0]"},
      {with("{\"reliable_nodes\": [], \"weather\": [], " + rest),
       "there is an unknown key \"weather\" in limits"},
  });
}

Scenario looping() {
  Scenario scenario;
  scenario.source.files = {{"election.cc", "00112233445566ff"}};
  scenario.source.property = "somebody leads";
  scenario.source.within = {.early_timers = 1, .faults = 1};
  scenario.source.loop = 2;
  scenario.nodes = {"a", "b"};
  scenario.schedule.choices = {"fire a election", "deliver a>b Ask", "deliver b>a No"};
  return scenario;
}

TEST(ScenarioJson, ALoopIsWrittenAndReadBack) {
  Scenario scenario = looping();
  const Result<Scenario> again = scenario_from_json(to_json(scenario));
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(*again, scenario);
  scenario.source.loop = 0;
  EXPECT_EQ(to_json(scenario).find("loop"), std::string::npos);
  EXPECT_EQ(*scenario_from_json(to_json(scenario)), scenario);
}

Scenario failing() {
  Scenario scenario;
  scenario.target.files = {{"merge/target.toml", "00112233445566ff"},
                           {"merge/lost.ded", "ff00112233445566"}};
  scenario.target.promise = "kept";
  scenario.target.failures = {"EIO!@4c1be0d2#3", "power-after(all-but-2)@99ab01ff"};
  scenario.nodes = {"master"};
  return scenario;
}

TEST(ScenarioJson, FailuresOfATargetAreWrittenAndReadBack) {
  Scenario scenario = failing();
  const std::string text = to_json(scenario);
  const Result<Scenario> again = scenario_from_json(text);
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(*again, scenario);
  EXPECT_EQ(to_json(*again), text);
  scenario.target.failures.clear();
  EXPECT_EQ(*scenario_from_json(to_json(scenario)), scenario);
}

TEST(ScenarioJson, OfATargetThereIsAFileAndNothingElse) {
  const std::string text = to_json(failing());
  const auto message = [&](const std::string& part, const std::string& instead) {
    std::string other = text;
    other.replace(other.find(part), part.size(), instead);
    const Result<Scenario> read = scenario_from_json(other);
    return read.ok() ? "" : read.error().message;
  };
  EXPECT_EQ(message("\"promise\"", "\"property\""),
            "the key \"promise\" is missing in the scenario");
  EXPECT_EQ(message("\"kept\"", "7"), "promise must be a string, not a number");
  EXPECT_EQ(message("\"EIO!@4c1be0d2#3\"", "[]"), "failures[0] must be a string, not an array");
  EXPECT_EQ(message("ff00112233445566", "ff"),
            "target[1].fingerprint must be 16 hexadecimal digits (0-9, a-f)");
  EXPECT_EQ(message("\"promise\"", "\"eot\": 4, \"promise\""),
            "there is an unknown key \"eot\" in the scenario");
}

TEST(ScenarioJson, ALoopBeginsWithAStep) {
  const std::string text = to_json(looping());
  const size_t at = text.find("\"loop\": 2");
  ASSERT_NE(at, std::string::npos);
  const auto message = [&](const std::string& value) {
    std::string other = text;
    other.replace(at, 9, "\"loop\": " + value);
    const Result<Scenario> read = scenario_from_json(other);
    return read.ok() ? "" : read.error().message;
  };
  EXPECT_EQ(message("3"), "");
  EXPECT_EQ(message("0"), "loop is 0, not a step of the schedule, which has 3");
  EXPECT_EQ(message("4"), "loop is 4, not a step of the schedule, which has 3");
  EXPECT_EQ(message("-1"), "loop must be a whole number from 0 to 4294967295");
}

}  // namespace
}  // namespace clew
