#include "report/provenance.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "tests/report/lineage_example.h"

namespace clew::report {
namespace {

using lineage::Graph;

using Side = Provenance::Side;
using Kind = Provenance::Kind;

const char* side_text(Side side) {
  return side == Side::kGood ? " [good]" : side == Side::kBad ? " [bad]" : "";
}

// One line a goal, with the rules that derive it below.
std::string print(const Provenance& all) {
  std::string text;
  for (size_t i = 0; i < all.goals.size(); ++i) {
    const Provenance::Goal& goal = all.goals[i];
    text += fmt::format("{} {}{}{}\n", i, text_of(goal), when(goal), side_text(goal.side));
    for (const size_t id : goal.rules) {
      const Provenance::Rule& rule = all.rules[id];
      EXPECT_EQ(rule.head, i);
      text += fmt::format("  {} <- {}", rule.kind == Kind::kContrary ? "but" : rule.where,
                          fmt::join(rule.goals, " "));
      if (!rule.from.empty()) text += fmt::format(", {} to {}", fmt::join(rule.from, " "), rule.to);
      text += rule.cut.empty() ? "\n" : fmt::format(", cut: {}\n", rule.cut);
    }
  }
  if (all.left_out > 0) text += fmt::format("left out {}\n", all.left_out);
  return text;
}

TEST(ProvenanceTest, FollowsEverythingThatAFactRestsOn) {
  const clew::Run run = example_run(false);
  EXPECT_EQ(print(provenance_of(Graph(run), {{{"log", {"b", "data"}}, 3}})),
            "0 log(\"b\", \"data\")@3\n"
            "  p.ded:3 <- 1\n"
            "1 log(\"b\", \"data\")@2\n"
            "  p.ded:2 <- 2 3, a to b\n"
            "2 bcast(\"a\", \"data\")@1\n"
            "3 node(\"a\", \"b\")@1\n");
  EXPECT_EQ(print(provenance_of(Graph(run), at_the_end(run, "post"))),
            "0 post(\"data\")@3\n"
            "  p.ded:6 <- 1 2\n"
            "1 want(\"data\")@3\n"
            "2 no missing(\"data\")@3\n");
}

TEST(ProvenanceTest, FoldsWhatIsOnlyKept) {
  const clew::Run run = example_run(false);
  EXPECT_EQ(print(folded(provenance_of(Graph(run), {{{"log", {"b", "data"}}, 3}}))),
            "0 log(\"b\", \"data\")@2..3\n"
            "  p.ded:2 <- 1 2, a to b\n"
            "1 bcast(\"a\", \"data\")@1\n"
            "2 node(\"a\", \"b\")@1\n");
}

TEST(ProvenanceTest, SaysHowMuchItDidNotFollow) {
  const clew::Run run = example_run(false);
  EXPECT_EQ(print(provenance_of(Graph(run), {{{"log", {"b", "data"}}, 3}}, 0)),
            "0 log(\"b\", \"data\")@3\n"
            "left out 1\n");
}

// The limit is one of a drawing's size, and there, what is only kept is one goal.
TEST(ProvenanceTest, WhatIsOnlyKeptCountsOnce) {
  const Tick eot = 400;
  const Fact log{"log", {"b"}};
  const Fact seen{"seen", {"b"}};
  clew::Run run = RunBuilder("a b", eot)
                      .send("a", "b", 1, "log")
                      .fact({"go", {"a", "b"}}, 1, 1)
                      .fact(log, 2, eot)
                      .fact(seen, eot, eot);
  for (Tick tick = 3; tick <= eot; ++tick) {
    fire(run, "log(N)@next :- log(N);", "p:2", log, tick, {{log, tick - 1}});
  }
  fire(run, "log(B)@async :- go(A, B);", "p:1", log, 2, {{{"go", {"a", "b"}}, 1}});
  fire(run, "seen(N) :- log(N);", "p:3", seen, eot, {{log, eot}});
  EXPECT_EQ(print(folded(provenance_of(Graph(run), {{seen, eot}}, 2))),
            "0 seen(\"b\")@400\n"
            "  p:3 <- 1\n"
            "1 log(\"b\")@2..400\n"
            "  p:1 <- 2, a to b\n"
            "2 go(\"a\", \"b\")@1\n");
  EXPECT_EQ(print(folded(provenance_of(Graph(run), {{seen, eot}}, 1))),
            "0 seen(\"b\")@400\n"
            "  p:3 <- 1\n"
            "1 log(\"b\")@400\n"
            "left out 1\n");
}

// Through both absences down to the message that was lost; what both runs have needs no reason.
TEST(ProvenanceTest, TheDifferenceEndsAtTheFault) {
  const clew::Run bad = example_run(true);
  EXPECT_EQ(print(lineage_of(example_run(false), &bad, 100)),
            "0 post(\"data\")@3 [good]\n"
            "  p.ded:6 <- 2 3\n"
            "1 pre(\"data\")@3\n"
            "2 want(\"data\")@3\n"
            "3 no missing(\"data\")@3 [good]\n"
            "  but <- 4\n"
            "4 missing(\"data\")@3 [bad]\n"
            "  p.ded:4 <- 2 5\n"
            "5 no log(\"b\", \"data\")@3 [bad]\n"
            "  but <- 6\n"
            "6 log(\"b\", \"data\")@2..3 [good]\n"
            "  p.ded:2 <- 7 8, a to b, cut: omitted\n"
            "7 bcast(\"a\", \"data\")@1\n"
            "8 node(\"a\", \"b\")@1\n");
}

TEST(ProvenanceTest, ARunThatIsBrokenWithoutFaultsIsExplainedByItself) {
  const clew::Run bad = example_run(true);
  EXPECT_EQ(print(lineage_of(bad, &bad, 100)),
            "0 pre(\"data\")@3\n"
            "  p.ded:5 <- 1\n"
            "1 want(\"data\")@3\n");
}

TEST(ProvenanceTest, AStoppedNodeTakesItsFactsAlong) {
  clew::Run good = RunBuilder("a b", 3).fact({"s", {"a"}}, 1, 3).fact({"post", {"a"}}, 3, 3);
  fire(good, "s(N)@next :- s(N);", "p:1", {"s", {"a"}}, 2, {{{"s", {"a"}}, 1}});
  fire(good, "s(N)@next :- s(N);", "p:1", {"s", {"a"}}, 3, {{{"s", {"a"}}, 2}});
  const clew::Run bad = RunBuilder("a b", 3).stop().crash("a", 2).fact({"s", {"a"}}, 1, 1);
  EXPECT_EQ(print(folded(difference_of(Graph(good), Graph(bad), {{{"s", {"a"}}, 3}}))),
            "0 s(\"a\")@2..3 [good]\n"
            "  p:1 <- 1, cut: stopped\n"
            "1 s(\"a\")@1\n");
}

// An aggregate of what several nodes sent.
TEST(ProvenanceTest, NamesAllSenders) {
  clew::Run run = RunBuilder("a b c", 2).send("a", "c", 1, "n", {2}).send("b", "c", 1, "n", {2});
  const Fact n{"n", {"c", int64_t{2}}};
  run.facts = {{{"x", {"a", "c"}}, {"x", {"b", "c"}}}, {n}};
  const std::vector<Firing::Use> used = {{{"x", {"a", "c"}}, 1}, {{"x", {"b", "c"}}, 1}};
  fire(run, "n(C, count<X>)@async :- x(X, C);", "p:1", n, 2, used);
  EXPECT_EQ(print(provenance_of(Graph(run), {{n, 2}})),
            "0 n(\"c\", 2)@2\n"
            "  p:1 <- 1 2, a b to c\n"
            "1 x(\"a\", \"c\")@1\n"
            "2 x(\"b\", \"c\")@1\n");
  // Without an aggregate, each firing is one node's.
  run.firings.clear();
  fire(run, "n(C, 2)@async :- x(X, C), x(Y, C), X < Y;", "p:1", n, 2, used);
  EXPECT_EQ(provenance_of(Graph(run), {{n, 2}}).rules[0].from, std::vector<NodeName>{"a"});
}

// Nothing that the rule used tells where it was applied: `tick(B)@async :- notin off("a"), ...`.
TEST(ProvenanceTest, FindsTheSenderByTheMessage) {
  clew::Run run = RunBuilder("a b", 2).send("a", "b", 1, "tick");
  const Fact tick{"tick", {"b"}};
  run.facts[1] = {tick};
  fire(run, "tick(B)@async :- notin off(A);", "p:1", tick, 2, {}, {{{"off", {"a"}}, 1}});
  EXPECT_EQ(print(provenance_of(Graph(run), {{tick, 2}})),
            "0 tick(\"b\")@2\n"
            "  p:1 <- 1, a to b\n"
            "1 no off(\"a\")@1\n");
}

TEST(ProvenanceTest, PatternsAreMatchedColumnByColumn) {
  struct Case {
    Fact fact;
    Pattern pattern;
    bool there;
  };
  const std::optional<Datum> any;
  const std::vector<Case> table = {
      {{"p", {"a", int64_t{1}}}, {"p", {"a", int64_t{1}}}, true},
      {{"p", {"a", int64_t{1}}}, {"p", {any, int64_t{1}}}, true},
      {{"p", {"a", int64_t{1}}}, {"p", {any, any}}, true},
      {{"p", {"a", int64_t{1}}}, {"p", {"a", "1"}}, false},
      {{"p", {"a", int64_t{1}}}, {"p", {"b", any}}, false},
      {{"p", {"a", int64_t{1}}}, {"q", {any, any}}, false},
      {{"p", {"a", int64_t{1}}}, {"p", {any}}, false},
      {{"p", {"_"}}, {"p", {"_"}}, true},
      {{"p", {"x"}}, {"p", {"_"}}, false},
  };
  for (const Case& one : table) {
    const Fact head{"h", {"a"}};
    clew::Run good = RunBuilder("a", 1).fact(head, 1, 1);
    fire(good, "h", "p:1", head, 1, {}, {{one.pattern, 1}});
    const clew::Run bad = RunBuilder("a", 1).fact(one.fact, 1, 1);
    const Provenance difference = difference_of(Graph(good), Graph(bad), {{head, 1}});
    EXPECT_EQ(difference.rules.size(), one.there ? 2U : 1U) << to_string(one.pattern);
  }
}

}  // namespace
}  // namespace clew::report
