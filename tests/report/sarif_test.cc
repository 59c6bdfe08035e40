#include "report/sarif.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/report/lineage_example.h"

namespace clew::report {
namespace {

using nlohmann::json;

json run_of(const Record& record, const std::string& root = "/home/ann") {
  const json log = json::parse(sarif(record, root));
  EXPECT_EQ(log["version"], "2.1.0");
  EXPECT_EQ(log["runs"].size(), 1U);
  return log["runs"][0];
}

json place(const std::string& uri, int line) {
  return {{"artifactLocation", {{"uri", uri}}}, {"region", {{"startLine", line}}}};
}

TEST(SarifTest, Broken) {
  const json results = run_of(example_record(Verdict::Kind::kBroken))["results"];
  ASSERT_EQ(results.size(), 1U);
  EXPECT_EQ(results[0]["ruleId"], "clew/broken-promise");
  EXPECT_EQ(results[0]["level"], "error");
  EXPECT_EQ(results[0]["message"]["text"],
            "Broken within EOT 3, EFF 2, 0 crashes. Faults: tick 1: what a sends to b is lost. "
            "At tick 3, the last, pre(\"data\") holds, but is not in post. "
            "Replay it with: clew replay lost.json");
  EXPECT_EQ(results[0]["locations"][0]["physicalLocation"], place("p.ded", 6));
  EXPECT_EQ(results[0]["relatedLocations"][0]["physicalLocation"], place("p.ded", 5));
  const json& steps = results[0]["codeFlows"][0]["threadFlows"][0]["locations"];
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_EQ(steps[0]["location"]["message"]["text"],
            "tick 1: a sends log(\"b\", \"data\") to b, lost: omitted");
  EXPECT_EQ(steps[0]["location"]["physicalLocation"], place("p.ded", 2));
  EXPECT_EQ(steps[0]["importance"], "essential");
}

TEST(SarifTest, ACrashIsOneStep) {
  Record record = example_record(Verdict::Kind::kBroken);
  record.check.counterexamples[0].run.scenario.faults.insert(Crash{"b", 2});
  const json results = run_of(record)["results"];
  const json& steps = results[0]["codeFlows"][0]["threadFlows"][0]["locations"];
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[1]["location"]["message"]["text"], "tick 2: b crashes");
  EXPECT_EQ(steps[1]["location"]["physicalLocation"], place("p.ded", 6));
}

TEST(SarifTest, SeveralPromisesHaveAVerdictEach) {
  Record kept = example_record(Verdict::Kind::kRobust);
  Record broken = example_record(Verdict::Kind::kBroken);
  kept.check.promise = "kept";
  broken.check.promise = "lost";
  EXPECT_FALSE(run_of(broken)["properties"].contains("promises"));
  const json log = json::parse(sarif(std::vector<Record>{kept, broken}, "/home/ann"));
  const json& properties = log["runs"][0]["properties"];
  EXPECT_EQ(properties["verdict"], "broken");
  EXPECT_EQ(properties["promises"], json::parse(R"({"kept": "robust", "lost": "broken"})"));
}

TEST(SarifTest, IsIndentedByTwo) {
  const std::string text = sarif(example_record(Verdict::Kind::kRobust), "/home/ann");
  EXPECT_EQ(text.substr(0, 13), "{\n  \"$schema\"");
  EXPECT_TRUE(text.ends_with("\n}\n"));
}

TEST(SarifTest, RobustAndUnknownHaveNoResults) {
  const json robust = run_of(example_record(Verdict::Kind::kRobust));
  EXPECT_EQ(robust["results"], json::array());
  EXPECT_EQ(robust["invocations"], json::parse(R"([{"executionSuccessful": true}])"));
  const json unknown = run_of(example_record(Verdict::Kind::kUnknown));
  EXPECT_EQ(unknown["results"], json::array());
  EXPECT_EQ(unknown["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"],
            "unknown within EOT 3, EFF 2, 0 crashes: the budget was used up");
}

TEST(SarifTest, WithoutAVerdictItWasNoSuccess) {
  Record failed = example_record(Verdict::Kind::kFailed);
  failed.check.verdict.why_unknown = "division by zero";
  failed.replay = nullptr;
  EXPECT_EQ(run_of(failed)["results"], json::array());
  EXPECT_EQ(run_of(failed)["invocations"], json::parse(R"([{"executionSuccessful": false,
      "toolExecutionNotifications": [{"level": "error", "message": {"text": "division by zero"}}]}])"));
  Record interrupted = example_record(Verdict::Kind::kRobust);
  interrupted.check.interrupted = true;
  EXPECT_EQ(
      run_of(interrupted)["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"],
      "interrupted: larger bounds were not checked");
}

TEST(SarifTest, OneResultForAGroup) {
  Record record = example_record(Verdict::Kind::kBroken);
  auto& found = record.check.counterexamples;
  found.push_back(found[0]);
  found.push_back(found[0]);
  found[1].group = 1;
  const json results = run_of(record)["results"];
  ASSERT_EQ(results.size(), 2U);
  EXPECT_NE(results[0]["message"]["text"].get<std::string>().find("1 more counterexample"),
            std::string::npos);
  EXPECT_EQ(results[1]["message"]["text"].get<std::string>().find("more counterexample"),
            std::string::npos);
}

TEST(SarifTest, EachHintOnce) {
  Record record = example_record(Verdict::Kind::kBroken);
  using Hint = explain::Explanation::Hint;
  const Hint hint{Hint::Kind::kSpace, "all starts at a", rule_of(kRule2, "p.ded:2")};
  record.check.counterexamples[0].explanation.hints = {hint, hint};
  const json run = run_of(record);
  ASSERT_EQ(run["results"].size(), 2U);
  const json& result = run["results"][1];
  EXPECT_EQ(result["ruleId"], "clew/hint-space");
  EXPECT_EQ(run["tool"]["driver"]["rules"][result["ruleIndex"].get<size_t>()]["id"],
            result["ruleId"]);
  EXPECT_EQ(result["level"], "note");
  EXPECT_EQ(result["locations"][0]["physicalLocation"], place("p.ded", 2));
}

TEST(SarifTest, Paths) {
  struct Case {
    std::string path;
    std::string uri;
  };
  const std::vector<Case> table = {
      {"p.ded", "p.ded"},
      {"./x/../p.ded", "p.ded"},
      {"../p.ded", "../p.ded"},
      {"/home/ann/x/p.ded", "x/p.ded"},
      {"/home/anna/p.ded", "file:///home/anna/p.ded"},
      {"a b:c%\xc3\xa4.ded", "a%20b%3Ac%25%C3%A4.ded"},
  };
  for (const Case& one : table) {
    Record record = example_record(Verdict::Kind::kBroken);
    record.replay = [&](const FaultSet& faults) { return example_run(!faults.empty(), one.path); };
    EXPECT_EQ(run_of(record)["results"][0]["locations"][0]["physicalLocation"], place(one.uri, 6));
  }
}

TEST(SarifTest, FingerprintsTellFaultsApartAndLinesNot) {
  Record record = example_record(Verdict::Kind::kBroken);
  const auto print = [&] { return run_of(record)["results"][0]["partialFingerprints"]; };
  const json before = print();
  record.replay = [](const FaultSet& faults) {
    clew::Run run = example_run(!faults.empty());
    auto moved = std::make_shared<RuleTable>(*run.rules);
    for (Rule& rule : *moved) rule.line = 77;
    run.rules = moved;
    return run;
  };
  EXPECT_EQ(print(), before);
  record.check.counterexamples[0].run.scenario.faults = {Omission{"a", "b", 2}};
  EXPECT_NE(print(), before);
}

}  // namespace
}  // namespace clew::report
