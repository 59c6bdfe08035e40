// What a Graph tells of the order in which facts come about, and what is told from it.
#include "lineage/graph.h"

#include <gtest/gtest.h>

#include <set>

#include "lineage/outcome_supports.h"
#include "lineage/why.h"
#include "tests/lineage/runs.h"

namespace clew::lineage {
namespace {

TEST(Graph, EveryPointIsGivenOrHasAFirstStepFromEarlierOnes) {
  const Sample sample(R"(
    e("a", 1, 2)@1; e("a", 2, 3)@1; e(N, X, Y)@next :- e(N, X, Y);
    path(N, X, Y) :- e(N, X, Y); path(N, X, Z) :- path(N, X, Y), path(N, Y, Z);
  )");
  const clew::Run run = *sample.run("a, eot 2");
  const Graph graph(run, &*sample.program);
  size_t given = 0;
  for (PointId point = 0; point < graph.point_count(); ++point) {
    const uint32_t first = graph.first_step(point);
    given += graph.is_given(point) ? 1 : 0;
    EXPECT_EQ(first == kNone, graph.is_given(point)) << to_string(graph.fact(point));
    if (first == kNone) continue;
    EXPECT_EQ(graph.steps()[first].head, point);
    for (const PointId used : graph.steps()[first].used) {
      EXPECT_LT(graph.rank(used), graph.rank(point)) << to_string(graph.fact(point));
    }
  }
  EXPECT_EQ(given, 2U);
}

// Though b comes before p, and whatever the order of the rules.
TEST(Graph, ThatAFactPersistedIsToldFirst) {
  const std::string given = "p(\"a\")@1; b(\"a\")@1; b(X)@next :- b(X);";
  const std::string persists = "p(X)@next :- p(X);";
  const std::string derives = "p(X)@next :- b(X);";
  for (const std::string& rules : {persists + derives, derives + persists}) {
    const Sample sample(given + rules);
    const clew::Run run = *sample.run("a, eot 3");
    const Graph graph(run, &*sample.program);
    for (const Tick tick : {2, 3}) {
      const PointId point = graph.find({"p", {"a"}}, tick);
      EXPECT_EQ(graph.steps_of(point).size(), 2U);
      EXPECT_TRUE(graph.steps()[graph.first_step(point)].persists) << rules;
    }
  }
}

TEST(Why, AFactIsExplainedAsOfWhenItBegan) {
  const Sample sample = Sample::protocol("broadcast/simple_deliv.ded");
  const clew::Run run = *sample.run("a b c, eot 4");
  const Graph graph(run, &*sample.program);
  const Why why = WhyTeller(graph).tell(graph.find({"log", {"b", "data"}}, 4));
  EXPECT_EQ(why.how, Why::How::kDerived);
  EXPECT_EQ(why.tick, 4);
  EXPECT_EQ(why.since, 2);
  ASSERT_EQ(why.senders.size(), 1U);
  EXPECT_EQ(why.senders[0].from, "a");
  EXPECT_EQ(why.senders[0].sent_at, 1);
}

TEST(OutcomeSupports, AreDeliveries) {
  const Sample sample = Sample::protocol("broadcast/simple_deliv.ded");
  const clew::Run run = *sample.run("a b c, eot 4");
  const std::vector<Support> supports = outcome_supports(Graph(run, &*sample.program));
  ASSERT_EQ(supports.size(), 1U);
  std::set<std::string> told;
  for (const EventId id : supports[0]) {
    ASSERT_EQ(run.trace[id].kind, Event::Kind::kDeliver);
    const Message& message = run.messages[run.trace[id].message];
    EXPECT_EQ(to_string(message.fact), "log(\"" + message.to + "\", \"data\")");
    EXPECT_EQ(message.sent_at, 1);
    told.insert(message.to);
  }
  EXPECT_EQ(told, (std::set<std::string>{"b", "c"}));
}

}  // namespace
}  // namespace clew::lineage
