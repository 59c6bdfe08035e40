#include "report/marks.h"

#include <gtest/gtest.h>

#include "tests/report/lineage_example.h"

namespace clew::report {
namespace {

using lineage::Difference;
using lineage::Graph;

const Graph::Step& step_of(const Graph& graph, const std::string& rule) {
  for (const Graph::Step& step : graph.steps()) {
    if (step.rule->text == rule) return step;
  }
  CHECK(false, "no firing of {}", rule);
  return graph.steps().front();
}

// example: src/report/marks.h
TEST(Marks, SayWhatIsCutAndWhatBreaksAnAbsence) {
  const clew::Run good = example_run(false);
  const clew::Run bad = example_run(true);
  const Graph better(good);
  const Graph worse(bad);
  Difference difference(better, worse);
  const Graph::Step& step = step_of(better, kRule2);
  const Mark mark = mark_failed(difference, step);
  EXPECT_EQ(mark.cut, "omitted");
  EXPECT_TRUE(mark.lacks.empty());
  const Firing::Absence& absence = step_of(better, kRule6).firing->absences[0];
  EXPECT_EQ(find_breakers(difference, absence, true),
            std::vector<lineage::PointId>{worse.find({"missing", {"data"}}, 3)});
  // What it lacks is not there, but nothing was taken from this very step.
  EXPECT_EQ(mark_failed(difference, step_of(better, kRule3)).cut, "");
  EXPECT_EQ(mark_fired(difference, step_of(worse, kRule4)).cut, "");
}

TEST(Marks, ACrashBreaksAnAbsenceOnceThoughEveryNodeObservesIt) {
  RunBuilder crashes("a b c", 2);
  for (const char* observer : {"a", "b", "c"}) {
    crashes.fact({"crash", {observer, "b", 1}}, 2, 2).fact({"crash", {observer, "c", 1}}, 2, 2);
  }
  const clew::Run good = RunBuilder("a b c", 2);
  const clew::Run bad = crashes;
  const Graph better(good);
  const Graph worse(bad);
  const Difference difference(better, worse);
  const Firing::Absence any{{"crash", {std::nullopt, std::nullopt, std::nullopt}}, 2};
  EXPECT_EQ(find_breakers(difference, any, true).size(), 2U);
  EXPECT_EQ(find_breakers(difference, any, true, 1).size(), 1U);
  EXPECT_TRUE(find_breakers(difference, any, false).empty());
}

}  // namespace
}  // namespace clew::report
