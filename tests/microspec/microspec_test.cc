#include "microspec/microspec.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "dedalus/parse.h"
#include "dedalus/passes/passes.h"
#include "explain/why_not.h"
#include "lineage/why.h"

namespace clew::microspec {
namespace {

using dedalus::GivenRelations;

struct LoadedSpec {
  SourceSet sources;
  Diagnostics diagnostics;
  std::optional<MicroSpec> spec;
};

LoadedSpec load_text(const std::string& text, const GivenRelations& given) {
  LoadedSpec loaded;
  const FileId id = loaded.sources.add("spec.ded", text);
  std::vector<dedalus::File> files;
  files.push_back(dedalus::parse(id, loaded.sources, loaded.diagnostics));
  auto program = dedalus::check_spec(std::move(files), given, loaded.diagnostics);
  if (program) loaded.spec = MicroSpec(*std::move(program), loaded.sources);
  return loaded;
}

Run run_of(std::vector<std::vector<Fact>> facts) {
  Run run;
  for (std::vector<Fact>& tick : facts) std::ranges::sort(tick);
  run.facts = std::move(facts);
  run.scenario.program.eot = static_cast<Tick>(run.facts.size());
  return run;
}

// "durable violated ack("x")@2- ack("y")@3+": of each promise its goals, kept or not.
std::string told(const Run& run) {
  std::string text;
  for (const Outcome& outcome : run.outcomes) {
    text += fmt::format("{}{} {}", text.empty() ? "" : "; ", outcome.spec, to_string(outcome.kind));
    for (const Outcome::Goal& goal : outcome.goals) {
      text += fmt::format(" {}@{}{}", to_string(goal.pre), goal.tick, goal.post ? '+' : '-');
    }
  }
  return text;
}

std::string judged(const std::string& spec, const GivenRelations& given,
                   std::vector<std::vector<Fact>> facts, Detail detail = Detail::kVerdict) {
  const LoadedSpec loaded = load_text(spec, given);
  if (!loaded.spec) return loaded.diagnostics.render(loaded.sources);
  Run run = run_of(std::move(facts));
  const Status status = Judge(*loaded.spec).judge(run, detail);
  return status.ok() ? told(run) : status.error().message;
}

const GivenRelations kLogs = {{"acked", 1}, {"log", 2}};

TEST(MicroSpecTest, JudgesAtTheLastTickOrAtEvery) {
  const std::vector<std::vector<Fact>> facts = {{{"acked", {"w"}}},
                                                {{"acked", {"w"}}, {"log", {"b", "w"}}}};
  EXPECT_EQ(judged("promise p: acked(W) implies log(_, W);", kLogs, facts),
            "p holds p.pre(\"w\")@2+");
  EXPECT_EQ(judged("always p: acked(W) implies log(_, W);", kLogs, facts),
            "p violated p.pre(\"w\")@1-");
  EXPECT_EQ(judged("never p: log(_, W), notin acked(W);", kLogs, facts), "p holds p.pre(\"w\")@2+");
  EXPECT_EQ(judged("pre(W) :- acked(W); post(W) :- log(_, W);", kLogs, facts),
            "spec holds pre(\"w\")@2+");
}

TEST(MicroSpecTest, EachPromiseHasItsOwnOutcome) {
  EXPECT_EQ(judged("promise one: acked(W) implies log(_, W);\n"
                   "never two: log(_, W), notin acked(W);\n"
                   "always three: acked(W), log(W, W) implies acked(W);",
                   kLogs, {{{"acked", {"w"}}, {"log", {"b", "v"}}}}),
            "one violated one.pre(\"w\")@1-; two violated two.pre(\"v\")@1-; three vacuous");
}

TEST(MicroSpecTest, CarriesFactsFromTickToTick) {
  const std::string spec =
      "seen(W)@next :- acked(W);\n"
      "seen(W)@next :- seen(W), notin log(_, W);\n"
      "count(count<W>) :- seen(W);\n"
      "never waits: seen(W), count(N), N > 1;";
  EXPECT_EQ(judged(spec, kLogs, {{{"acked", {"v"}}}, {{"acked", {"w"}}}, {}, {}}),
            "waits violated waits.pre(\"v\", 1)@2+ waits.pre(\"v\", 2)@3- waits.pre(\"w\", 2)@3-");
  EXPECT_EQ(judged(spec, kLogs, {{{"acked", {"v"}}}, {{"acked", {"w"}}, {"log", {"b", "v"}}}, {}}),
            "waits holds waits.pre(\"v\", 1)@2+ waits.pre(\"w\", 1)@3+");
}

// First columns are no nodes, so that integers may stand there, too.
TEST(MicroSpecTest, RulesArePlaceless) {
  EXPECT_EQ(judged("big(N) :- size(N, _), N > 10; promise small: size(N, _) implies big(N);",
                   {{"size", 2}}, {{{"size", {11, "x"}}, {"size", {3, "y"}}}}),
            "small violated small.pre(3)@1- small.pre(11)@1+");
}

TEST(MicroSpecTest, ReadsTicksAndFactsOfItsOwn) {
  EXPECT_EQ(judged("limit(2)@1; limit(N)@next :- limit(N);\n"
                   "promise p: size(N), notin size(N)@1, limit(L) implies big(N, L);\n"
                   "big(N, L) :- size(N), limit(L), N > L;",
                   {{"size", 1}}, {{{"size", {5}}}, {{"size", {5}}, {"size", {2}}, {"size", {3}}}}),
            "p violated p.pre(2, 2)@2- p.pre(3, 2)@2+");
}

TEST(MicroSpecTest, KnowsCrashesOfTheRun) {
  EXPECT_EQ(judged("promise p: up(N), notin crash(_, N, _) implies ok(N);\nok(N) :- up(N);",
                   {{"up", 1}}, {{{"up", {"a"}}, {"up", {"b"}}, {"crash", {"b", "a", 1}}}}),
            "p holds p.pre(\"b\")@1+");
  EXPECT_EQ(judged("never p: up(N), crash(_, N, _);", {{"up", 1}},
                   {{{"up", {"a"}}, {"crash", {"b", "a", 1}}}, {{"up", {"a"}}}}),
            "p violated p.pre(\"a\")@1-");
}

TEST(MicroSpecTest, DetailSaysHowMuchIsAdded) {
  const LoadedSpec loaded =
      load_text("got(W) :- log(_, W); promise p: acked(W) implies got(W);", kLogs);
  ASSERT_TRUE(loaded.spec);
  Judge judge(*loaded.spec);
  const std::vector<std::vector<Fact>> facts = {
      {{"acked", {"w"}}, {"log", {"b", "w"}}, {"other", {1}}}};
  const auto relations = [&](Detail detail) {
    clew::Run run = run_of(facts);
    EXPECT_TRUE(judge.judge(run, detail).ok());
    EXPECT_TRUE(std::ranges::is_sorted(run.facts[0]));
    EXPECT_EQ(run.firings.empty(), detail != Detail::kLineage);
    std::string text;
    for (const Fact& fact : run.facts[0]) text += fact.relation + " ";
    return text;
  };
  EXPECT_EQ(relations(Detail::kVerdict), "acked log other p.post p.pre ");
  EXPECT_EQ(relations(Detail::kTrace), "acked got log other p.post p.pre ");
  EXPECT_EQ(relations(Detail::kLineage), "acked got log other p.post p.pre ");
}

TEST(MicroSpecTest, OneRunLeavesNothingToTheNext) {
  const LoadedSpec loaded = load_text(
      "seen(W)@next :- acked(W); seen(W)@next :- seen(W); never p: seen(W), log(_, W);", kLogs);
  ASSERT_TRUE(loaded.spec);
  Judge judge(*loaded.spec);
  for (const Detail detail : {Detail::kVerdict, Detail::kLineage}) {
    for (int i = 0; i < 2; ++i) {
      clew::Run bad = run_of({{{"acked", {"w"}}}, {{"log", {"b", "w"}}}});
      ASSERT_TRUE(judge.judge(bad, detail).ok());
      EXPECT_EQ(told(bad), "p violated p.pre(\"w\")@2-");
      clew::Run empty = run_of({{}, {{"log", {"b", "w"}}}, {}});
      ASSERT_TRUE(judge.judge(empty, detail).ok());
      EXPECT_EQ(told(empty), "p vacuous");
    }
  }
}

TEST(MicroSpecTest, ARuleThatFailsIsAnErrorWithTickAndRule) {
  const LoadedSpec loaded =
      load_text("half(10 / N) :- size(N);\nnever p: half(N), N > 4;", {{"size", 1}});
  ASSERT_TRUE(loaded.spec);
  Judge judge(*loaded.spec);
  clew::Run run = run_of({{{"size", {2}}}, {{"size", {0}}}});
  const Status status = judge.judge(run, Detail::kVerdict);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message,
            "spec.ded:1: division by zero at tick 2, by half(10 / N) :- size(N);");
  ASSERT_TRUE(judge.error());
  EXPECT_EQ(judge.error()->tick, 2);
  EXPECT_EQ(loaded.sources.text(judge.error()->span), "10 / N");
  EXPECT_EQ(run.facts[0].size(), 1U);
  clew::Run good = run_of({{{"size", {2}}}});
  EXPECT_TRUE(judge.judge(good, Detail::kVerdict).ok());
  EXPECT_FALSE(judge.error());
}

TEST(MicroSpecTest, RefusesFactsThatTheRulesCannotTake) {
  EXPECT_EQ(judged("got(W) :- log(_, W); promise p: acked(W) implies got(W);", kLogs,
                   {{}, {{"log", {"b"}}}}),
            "log(\"b\")@2 is in the run, but the rules read log with 2 columns");
  EXPECT_EQ(
      judged("got(W) :- log(_, W); promise p: acked(W) implies got(W);", kLogs, {{{"got", {"w"}}}}),
      "got(\"w\")@1 is in the run, but the rules derive got");
  EXPECT_EQ(judged("promise p: acked(W) implies log(_, W);", kLogs, {{{"crash", {"w"}}}}),
            "crash(\"w\")@1 is in the run, but the rules read crash with 3 columns");
}

TEST(MicroSpecTest, FiringsTellWhy) {
  const LoadedSpec loaded = load_text(
      "seen(W)@next :- acked(W);\nseen(W)@next :- seen(W);\n"
      "always durable: seen(W) implies log(_, W);",
      kLogs);
  ASSERT_TRUE(loaded.spec);
  clew::Run run = run_of({{{"acked", {"w"}}}, {{"log", {"b", "w"}}}, {}});
  ASSERT_TRUE(Judge(*loaded.spec).judge(run, Detail::kLineage).ok());
  const Outcome::Goal goal = run.outcome().goals.at(0);
  ASSERT_EQ(goal.tick, 3);
  const lineage::Graph graph(run, &loaded.spec->program());
  const lineage::Why why = lineage::WhyTeller(graph).tell(graph.find(goal.pre, goal.tick));
  ASSERT_EQ(why.from.size(), 1U);
  EXPECT_EQ(to_string(why.from[0].fact), "seen(\"w\")");
  EXPECT_EQ(why.from[0].since, 2);
  EXPECT_EQ(why.from[0].rule->where(), "spec.ded:1");
  EXPECT_EQ(why.from[0].from.at(0).how, lineage::Why::How::kGiven);
  const explain::WhyNot why_not =
      explain::why_not(loaded.spec->program(), loaded.sources, graph,
                       Pattern{"durable.post", {Datum("w")}}, goal.tick);
  ASSERT_EQ(why_not.attempts.size(), 1U);
  const explain::WhyNot& missing = why_not.attempts[0].missing.at(0);
  EXPECT_EQ(to_string(missing.pattern), "log(_, \"w\")");
  EXPECT_EQ(missing.attempts.at(0).text, "the run has it at tick 2 only");
}

// A Run that knows why its own facts are there still does, and the spec's rules come first.
TEST(MicroSpecTest, KeepsTheFiringsOfTheRun) {
  const LoadedSpec loaded = load_text("promise p: acked(W) implies log(_, W);", kLogs);
  ASSERT_TRUE(loaded.spec);
  clew::Run run = run_of({{{"acked", {"w"}}, {"log", {"b", "w"}}}});
  auto rules = std::make_shared<RuleTable>();
  rules->push_back({.text = "acked(W) :- log(_, W);"});
  run.rules = rules;
  run.firings.push_back({0, {"acked", {"w"}}, 1, {{{"log", {"b", "w"}}, 1}}, {}});
  ASSERT_TRUE(Judge(*loaded.spec).judge(run, Detail::kLineage).ok());
  ASSERT_EQ(run.firings.size(), 3U);
  EXPECT_EQ(run.rule(run.firings[0]).text, "acked(W) :- log(_, W);");
  EXPECT_EQ(run.rule(run.firings[1]).text, "p.pre(W) :- acked(W);");
  EXPECT_EQ((*run.rules)[0].text, "p.pre(W) :- acked(W);");
}

TEST(MicroSpecTest, EndsWhenItIsToldTo) {
  const LoadedSpec loaded = load_text("promise p: acked(W) implies log(_, W);", kLogs);
  ASSERT_TRUE(loaded.spec);
  std::vector<std::vector<Fact>> facts(1);
  for (int64_t i = 0; i < 20'000; ++i) facts[0].push_back({"acked", {i}});
  clew::Run run = run_of(std::move(facts));
  Judge judge(*loaded.spec, [] { return true; });
  EXPECT_THROW((void)judge.judge(run, Detail::kVerdict), Stopped);
}

// What makes no sense of Runs that have happened.
TEST(MicroSpecTest, Diagnostics) {
  struct Case {
    std::string spec;
    std::string codes;
  };
  const std::vector<Case> table = {
      {"promise p: acked(W) implies log(_, W);", ""},
      {"got(W) :- log(W, _); promise p: acked(W) implies got(W);", ""},
      {"got(\"b\", W)@async :- acked(W); never p: got(_, W), notin acked(W);", "async-in-spec"},
      {"reliable \"a\"; never p: acked(W);", "limit-in-spec"},
      {"acked(W) :- log(_, W); never p: acked(W);", "derives-given"},
      {"acked(\"w\")@1; never p: acked(W);", "derives-given"},
      {"never p: log(W);", "arity-clash"},
      {"never p: lgo(_, W);", "never-derived"},
      {"got(W) :- log(_, W); never p: acked(W);", "unused-relation"},
      {"got(W)@next :- log(_, W); got(W)@next :- got(W); never p: got(W), acked(W);", ""},
      {"got(W)@next :- got(W); never p: got(W), acked(W);", "circular-relation"},
      {"crash(W) :- acked(W); never p: acked(W);", "crash-derived"},
      {"never p: acked(W), W > 1, W > \"x\";", ""},
  };
  for (const Case& one : table) {
    const LoadedSpec loaded = load_text(one.spec, kLogs);
    std::string codes;
    for (const Diagnostic& diagnostic : loaded.diagnostics.all()) {
      codes += (codes.empty() ? "" : " ") + diagnostic.code;
    }
    EXPECT_EQ(codes, one.codes) << one.spec;
  }
}

}  // namespace
}  // namespace clew::microspec
