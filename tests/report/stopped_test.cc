// Wherever it is stopped, what writes a run ends, and what writes a verdict goes on with less.
// Being watched changes nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/changes.h"
#include "report/dot.h"
#include "report/firings.h"
#include "report/itf.h"
#include "report/judgement.h"
#include "report/junit.h"
#include "report/molly.h"
#include "report/page.h"
#include "report/run_json.h"
#include "report/sarif.h"
#include "report/shiviz.h"
#include "report/space_time.h"
#include "report/story.h"
#include "report/svg.h"
#include "report/why.h"
#include "tests/base/interrupted.h"
#include "tests/report/lineage_example.h"

namespace clew::report {
namespace {

using nlohmann::json;

TEST(ReportStopped, WhatShowsARun) {
  const clew::Run good = example_run(false);
  const clew::Run bad = example_run(true);
  const lineage::Graph graph(bad);
  lineage::WhyTeller teller(graph);
  const Answer why{bad.scenario, "pre", {teller.tell(graph.find({"missing", {"data"}}, 3))}, 0, {}};
  const std::vector<std::pair<const char*, std::function<std::string()>>> table = {
      {"space-time", [&] { return space_time(bad); }},
      {"changes", [&] { return changes(bad, {}); }},
      {"judgement", [&] { return judgement(bad); }},
      {"firings", [&] { return firings(good); }},
      {"json", [&] { return run_to_json(good); }},
      {"itf", [&] { return itf(bad, ""); }},
      {"shiviz", [&] { return shiviz(bad); }},
      {"molly",
       [&] {
         return molly_run(bad, {{"a", "b"}, 3}, 0);
       }},
      {"dot", [&] { return space_time_dot(bad); }},
      {"svg", [&] { return space_time_svg(bad); }},
      {"lineage dot", [&] { return provenance_dot(lineage_of(good, &bad, 99)); }},
      {"lineage svg", [&] { return lineage_svg(lineage_of(good, &bad, 99), "why"); }},
      {"lineage json", [&] { return molly_provenance(lineage_of(good, nullptr, 99)); }},
      {"why", [&] { return to_text(why); }},
      {"why as JSON", [&] { return to_json(why); }},
      {"story", [&] { return tell_faults(bad).front(); }},
  };
  for (const auto& [name, work] : table) {
    SCOPED_TRACE(name);
    EXPECT_EQ(interrupt_everywhere(work, 1), work());
  }
}

// Ends at its first look, at its second, and so on; `check` judges what there is each time, and
// what there is at last.
template <class Work, class Check>
void go_on_everywhere(const Work& work, const Check& check) {
  const std::string whole = work();
  for (size_t looks = 0;; ++looks) {
    size_t asked = 0;
    const Watched watched([&] { return ++asked > looks; }, 1);
    const std::string text = work();
    check(text);
    if (asked > looks) continue;
    EXPECT_EQ(text, whole);
    EXPECT_GT(looks, 1U) << "it looks too rarely";
    return;
  }
}

// Each run is there, with all of its detail or with none.
TEST(ReportStopped, Page) {
  const Record record = example_record(Verdict::Kind::kBroken);
  const json whole = json::parse(page_data(record, {}));
  ASSERT_EQ(whole["runs"].size(), 2U);
  go_on_everywhere(
      [&] { return page_data(record, {}); },
      [&](const std::string& text) {
        const json data = json::parse(text);
        ASSERT_EQ(data["runs"].size(), 2U);
        for (size_t i = 0; i < 2; ++i) {
          const json& run = data["runs"][i];
          EXPECT_EQ(run["faults"], whole["runs"][i]["faults"]);
          EXPECT_EQ(run["outcome"], whole["runs"][i]["outcome"]);
          if (!run.contains("detail")) continue;
          // Numbers in the tables, which are as long as the numbers are high.
          for (const char* what : {"points", "messages", "firings"}) {
            for (const json& number : run["detail"][what]["more"]) {
              EXPECT_LT(number.get<size_t>(), data[what].size());
            }
          }
        }
        EXPECT_TRUE(data["runs"][0].contains("detail") || !data["runs"][1].contains("detail"));
      });
}

// The verdict, the faults and the file that replays them are always there.
TEST(ReportStopped, Verdicts) {
  const std::vector<Record> records = {example_record(Verdict::Kind::kBroken)};
  const CheckReport& check = records.front().check;
  go_on_everywhere([&] { return to_text(check); },
                   [](const std::string& text) {
                     EXPECT_TRUE(text.starts_with("broken within EOT 3, EFF 2, 0 crashes\n"));
                     const bool told = text.find("what a sends to b is lost") != text.npos ||
                                       text.find("drop a>b@1") != text.npos;
                     EXPECT_TRUE(told) << text;
                     EXPECT_NE(text.find("holds, but is not in post"), text.npos) << text;
                     EXPECT_NE(text.find("clew replay lost.json"), text.npos) << text;
                   });
  go_on_everywhere([&] { return to_json(check); },
                   [](const std::string& text) {
                     const json one = json::parse(text)["counterexamples"][0];
                     EXPECT_EQ(one["faults"].size(), 2U) << text;
                     EXPECT_EQ(one["scenario"], "lost.json");
                     EXPECT_EQ(one["story"].size(), 1U);
                   });
  go_on_everywhere([&] { return junit(records); },
                   [](const std::string& text) {
                     EXPECT_NE(text.find("<failure type=\"broken\""), text.npos);
                     EXPECT_TRUE(text.ends_with("</testsuites>\n"));
                   });
  go_on_everywhere([&] { return sarif(records, "/"); },
                   [](const std::string& text) {
                     const json results = json::parse(text)["runs"][0]["results"];
                     ASSERT_EQ(results.size(), 1U);
                     EXPECT_EQ(results[0]["level"], "error");
                   });
}

// As after a search that used up all there was: nothing can be replayed.
TEST(ReportStopped, SarifWithoutReplay) {
  Record record = example_record(Verdict::Kind::kBroken);
  record.replay = {};
  const std::vector<Record> records = {record};
  const json results = json::parse(sarif(records, "/"))["runs"][0]["results"];
  ASSERT_EQ(results.size(), 1U);
  EXPECT_EQ(results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "p.ded");
}

// The steps of a run are most of the text.
TEST(ReportStopped, SarifWithoutSteps) {
  const std::vector<Record> records = {example_record(Verdict::Kind::kBroken)};
  const auto result = [&] { return json::parse(sarif(records, "/"))["runs"][0]["results"][0]; };
  EXPECT_TRUE(result().contains("codeFlows"));
  const Watched watched([] { return true; });
  EXPECT_FALSE(result().contains("codeFlows"));
  EXPECT_EQ(result()["ruleId"], "clew/broken-promise");
}

TEST(ReportStopped, ListedFaultsAreTheSentencesOrTheFaults) {
  const clew::Run bad = example_run(true);
  EXPECT_EQ(list_faults(bad), tell_faults(bad));
  const Watched watched([] { return true; });
  EXPECT_EQ(list_faults(bad), std::vector<std::string>{"drop a>b@1"});
}

}  // namespace
}  // namespace clew::report
