// What is told in words and what is drawn come from one Difference: they cannot disagree.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

#include "base/random.h"
#include "explain/explain.h"
#include "lineage/difference.h"
#include "report/dot.h"
#include "report/page_difference.h"
#include "report/provenance.h"
#include "tests/lineage/runs.h"
#include "tests/twins/effort.h"
#include "tests/twins/random_program.h"

namespace clew::report {
namespace {

using lineage::Sample;

struct Compared {
  clew::Run good;
  clew::Run bad;
};

Compared compare(const Sample& sample, const std::string& world) {
  const std::optional<clew::Run> bad = sample.run(world);
  CHECK(bad.has_value());
  return {*sample.run_without_faults(bad->scenario), *bad};
}

std::vector<std::string> cuts(const Provenance& drawn) {
  std::vector<std::string> all;
  for (const Provenance::Rule& rule : drawn.rules) {
    if (!rule.cut.empty()) all.push_back(rule.where + " " + rule.cut);
  }
  return all;
}

// "log("b", "data")@2 omitted", of everything that the page marks as cut, and what it has in place
// of absences: "vote("c", "b")@2".
struct PageMarks {
  std::set<std::string> cut;
  std::set<std::string> lacks;
};

PageMarks page_marks(const clew::Run& good, const clew::Run& bad) {
  const std::vector<Record::ProgramText> program;
  PageTables tables(good.scenario.nodes, program);
  const PageRun first(good, tables);
  const PageRun second(bad, tables);
  const auto marks = nlohmann::json::parse(difference_json(first, second, tables));
  const auto rows = nlohmann::json::parse('{' + tables.to_json() + '}');
  auto point = [&](size_t number) {
    const auto& [fact, tick] = rows["points"][number].get<std::pair<size_t, Tick>>();
    return fmt::format("{}@{}", rows["facts"][fact]["text"].get<std::string>(), tick);
  };
  PageMarks all;
  for (const auto& [firing, by] : marks["cut"].get<std::vector<std::pair<size_t, std::string>>>()) {
    all.cut.insert(point(rows["firings"][firing][1]) + ' ' + by);
  }
  for (const auto& [firing, absences] :
       marks["lacks"].get<std::vector<std::pair<size_t, std::vector<size_t>>>>()) {
    for (const size_t absence : absences) {
      const auto& [text, tick] = rows["absences"][absence].get<std::pair<std::string, Tick>>();
      all.lacks.insert(fmt::format("{}@{}", text, tick));
    }
  }
  return all;
}

std::set<std::string> drawn_cuts(const Provenance& drawn) {
  std::set<std::string> all;
  for (const Provenance::Rule& rule : drawn.rules) {
    if (rule.cut.empty()) continue;
    const Provenance::Goal& head = drawn.goals[rule.head];
    all.insert(fmt::format("{}{} {}", text_of(head), when(head), rule.cut));
  }
  return all;
}

// A vote is lost, so the count comes out lower. Nothing that the lower count rests on is special.
TEST(LineageAgreementTest, WhatAnAggregateDidNotCountIsDrawn) {
  const Sample sample(R"(v("a", "c")@1; v("b", "c")@1;
vote(C, N)@async :- v(N, C);
tally(C, count<N>) :- vote(C, N);
pre(C) :- tally(C, 1);
post(C) :- tally(C, 3);
)");
  const auto [good, bad] = compare(sample, "a b c, eot 2, drop b>c@1");
  const auto summary = explain::explain(good, bad, {&*sample.program}).summary;
  ASSERT_EQ(summary.size(), 4U);
  EXPECT_EQ(summary[2], R"(tally("c", 1) holds for lack of vote("c", "b").)");
  const Provenance drawn = lineage_of(good, &bad, 100);
  EXPECT_EQ(cuts(drawn), std::vector<std::string>{"program.ded:2 omitted"});
  EXPECT_NE(provenance_dot(drawn).find(R"(label="no vote(\"c\", \"b\")@2")"), std::string::npos)
      << provenance_dot(drawn);
  const PageMarks marks = page_marks(good, bad);
  EXPECT_EQ(marks.cut, drawn_cuts(drawn));
  EXPECT_EQ(marks.lacks, std::set<std::string>{R"(vote("c", "b")@2)"});
}

// The same where the count itself is sent: its parts come from several nodes, and one is lost.
TEST(LineageAgreementTest, TheLostPartOfAnAggregateIsDrawn) {
  const Sample sample(R"(v("a", "c")@1; v("b", "c")@1;
tally(C, count<N>)@async :- v(N, C);
pre(C) :- tally(C, 1);
post(C) :- tally(C, 2);
)");
  const auto [good, bad] = compare(sample, "a b c, eot 2, drop b>c@1");
  const auto summary = explain::explain(good, bad, {&*sample.program}).summary;
  EXPECT_TRUE(std::ranges::any_of(summary, [](const std::string& sentence) {
    return sentence.find("(drop b>c@1)") != std::string::npos;
  })) << fmt::format("{}", fmt::join(summary, "\n"));
  const Provenance drawn = lineage_of(good, &bad, 100);
  EXPECT_EQ(cuts(drawn), std::vector<std::string>{"program.ded:2 omitted"});
  const PageMarks marks = page_marks(good, bad);
  EXPECT_EQ(marks.cut, drawn_cuts(drawn));
  EXPECT_EQ(marks.lacks, std::set<std::string>{R"(tally("c", 2)@2)"});
}

// Whenever lineage follows a difference back to faults, so does the drawing: to a message that is
// cut, to a crash, or to what a node that has stopped was given. The page has the same cuts.
TEST(LineageAgreementTest, DrawingsOfRandomRunsEndInFaultsIfLineageDoes) {
  size_t compared = 0;
  const uint64_t seeds = twins::effort(400);
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    Random random(seed);
    const twins::RandomProgram program = twins::random_program(random);
    const Sample sample(program.text());
    if (!sample.program) continue;
    const Scenario scenario = twins::random_scenario(program.nodes, random);
    const std::optional<clew::Run> bad = sample.run(scenario);
    const std::optional<clew::Run> good = sample.run_without_faults(scenario);
    if (!bad || !good || scenario.faults.empty()) continue;
    const lineage::Graph better(*good);
    const lineage::Graph worse(*bad);
    lineage::Difference difference(better, worse);
    const PageMarks marks = page_marks(*good, *bad);
    for (lineage::PointId point = 0; point < worse.point_count() && compared < 20 * seed; ++point) {
      const FactAt root{worse.fact(point), worse.tick(point)};
      if (better.holds(root.fact, root.tick)) continue;
      if (difference.faults_behind(difference.extra(point)).empty()) continue;
      ++compared;
      const Provenance drawn = difference_of(better, worse, {root});
      const bool ends = std::ranges::any_of(drawn.goals, [](const Provenance::Goal& goal) {
        const bool given = !goal.absent && goal.rules.empty();
        return goal.relation == "crash" || (given && goal.side == Provenance::Side::kGood);
      });
      ASSERT_TRUE(ends || !cuts(drawn).empty())
          << "seed " << seed << ", " << to_string(scenario.faults) << ", " << to_string(root.fact)
          << "@" << root.tick << "\n"
          << program.text() << "\n"
          << provenance_dot(drawn);
      ASSERT_TRUE(std::ranges::includes(marks.cut, drawn_cuts(drawn)))
          << "seed " << seed << ", " << to_string(scenario.faults) << "\n"
          << program.text();
    }
  }
  std::cout << compared << " differences\n";
  EXPECT_GT(compared, 100U);
}

}  // namespace
}  // namespace clew::report
