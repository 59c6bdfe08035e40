#include "report/page.h"

#include <gtest/gtest.h>

#include "tests/report/lineage_example.h"
#include "tests/report/run_builder.h"

namespace clew::report {
namespace {

// Three runs: without faults, a harmless loss, and one that is a counterexample.
Record three_runs() {
  Record record;
  FaultModel& model = record.check.verdict.model;
  model.nodes = {"a", "b"};
  model.eot = 3;
  model.eff = 3;
  record.program = {{"x.ded", "log(B)@async :- bcast(A), node(A, B);\n"}};
  record.inputs = 1;
  record.replay = [](const FaultSet& faults) {
    RunBuilder builder("a b", 3);
    for (const Omission& one : faults.of<Omission>()) builder.drop(one.from, one.to, one.tick);
    builder.send("a", "b", 1, "log");
    builder.fact({"bcast", {"a", "</script>"}}, 1, 1);
    if (faults.empty()) builder.fact({"log", {"b"}}, 2, 3);
    return builder.run();
  };
  FaultSet harmless{Omission{"b", "a", 1}};
  FaultSet harmful{Omission{"a", "b", 1}};
  record.check.verdict.kind = Verdict::Kind::kBroken;
  record.check.counterexamples.push_back({record.replay(harmful), "x.json", 0, {}});
  record.runs = {{{}, Outcome::Kind::kHolds, {}},
                 {harmless, Outcome::Kind::kHolds, {}},
                 {harmful, Outcome::Kind::kViolated, 0}};
  return record;
}

size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++found;
  return found;
}

TEST(Page, IsWholeAndTheSameEveryTime) {
  const Record record = three_runs();
  const std::string text = page({&record, 1}, {});
  EXPECT_EQ(text.find("CLEW_"), std::string::npos);
  EXPECT_NE(text.find(page_data(record, {})), std::string::npos);
  EXPECT_EQ(text, page({&record, 1}, {}));
}

TEST(Page, NothingInTheDataEndsItsElement) {
  const std::string data = page_data(three_runs(), {});
  EXPECT_EQ(data.find('<'), std::string::npos);
  EXPECT_NE(data.find(R"(\u003c/script>)"), std::string::npos);
}

TEST(Page, TheKindOfARuleIsThatOfItsHead) {
  Record record = three_runs();
  const std::vector<std::pair<std::string, std::string>> table = {
      {R"(log(B, ":-")@async :- bcast(A, B);)", "async"},
      {R"(log(B, ":-")@next :- log(B, _);)", "next"},
      {R"(log(B, "@next") :- log(B, "@async :-");)", "deductive"},
      {R"(log(B) :- bcast(A, B)@1;)", "deductive"},
  };
  for (const auto& [rule, kind] : table) {
    record.replay = [&rule = rule](const FaultSet&) {
      clew::Run run = RunBuilder("a b", 3).fact({"log", {"b"}}, 2, 3);
      fire(run, rule, "x.ded:1", {"log", {"b"}}, 2);
      return run;
    };
    const std::string data = page_data(record, {});
    EXPECT_NE(data.find(R"(;","kind":")" + kind + '"'), std::string::npos) << data;
  }
}

TEST(Page, RunsDifferFromTheFirst) {
  const std::string data = page_data(three_runs(), {});
  // bcast@1, log@2, log@3; the message delivered, and lost.
  EXPECT_NE(data.find(R"("points":[[0,1],[1,2],[1,3]])"), std::string::npos) << data;
  EXPECT_NE(data.find(R"("messages":[[0,1,1,1,0],[0,1,1,1,2]])"), std::string::npos) << data;
  EXPECT_NE(data.find(R"("detail":{"points":{"less":[],"more":[0,1,2]})"), std::string::npos);
  EXPECT_NE(data.find(R"("messages":{"less":[0],"more":[1]})"), std::string::npos);
}

// The message is lost, so that log is missing; of the two absences, one run breaks each.
TEST(Page, MarksWhatLineageFound) {
  const std::string data = page_data(example_record(Verdict::Kind::kBroken), {});
  EXPECT_NE(data.find(R"-("absences":[["missing(\"data\")",3],["log(\"b\", \"data\")",3]])-"),
            std::string::npos)
      << data;
  EXPECT_NE(data.find(R"("messages":[[0,1,1,4,0],[0,1,1,4,2]])"), std::string::npos) << data;
  // Rule 1 made log@2 of bcast@1 and node@1, by the first message.
  EXPECT_NE(data.find(R"([1,2,[0,1],[],[0]])"), std::string::npos) << data;
  // missing@3 breaks the first absence, log@3 the second.
  EXPECT_NE(
      data.find(R"("difference":{"cut":[[1,"omitted"]],"lacks":[],"broken":[[0,[7]],[1,[3]]]})"),
      std::string::npos)
      << data;
  EXPECT_EQ(count(data, R"("difference":)"), 1U);
}

TEST(Page, LeavesOutDetailButNotOfCounterexamples) {
  const Record record = three_runs();
  EXPECT_EQ(count(page_data(record, {}), R"("detail":)"), 3U);
  const std::string small = page_data(record, {.most_bytes = 0});
  EXPECT_EQ(count(small, R"("detail":)"), 2U);
  EXPECT_EQ(count(small, R"("faults":"drop b>a@1")"), 1U);
  EXPECT_EQ(page_data(record, {.hurry = [] { return true; }}), small);
}

TEST(Page, CounterexamplesAndTheirGroupsAreNumberedFromOne) {
  const std::string data = page_data(three_runs(), {});
  EXPECT_EQ(count(data, R"("counterexample":0,"group":0)"), 2U) << data;
  EXPECT_EQ(count(data, R"("counterexample":1,"group":1)"), 1U) << data;
}

TEST(Page, SaysHowToSeeARunAgain) {
  const std::string data = page_data(three_runs(), {});
  EXPECT_NE(data.find("clew run x.ded --nodes a,b --eot 3 --drop 'b>a@1'"), std::string::npos);
  EXPECT_NE(data.find("clew replay x.json"), std::string::npos);
}

}  // namespace
}  // namespace clew::report
