// The examples at the top of the headers, as code (tools/check_examples.py compares them).
#include <gtest/gtest.h>

#include "domain/delivery.h"
#include "domain/system.h"
#include "domain/work.h"

namespace clew {
namespace {

// One tick, at which a has its promise kept and b has not.
Run example_run() {
  Run run;
  run.scenario.nodes = {"a", "b"};
  run.facts = {{{"post", {"a"}}, {"pre", {"a"}}, {"pre", {"b"}}}};
  run.messages = {{"a", "b", 1, {"log", {"b", "data"}}, Message::Fate::kOmitted}};
  return run;
}

Promise example_promise() { return {"spec", {.pre = "pre", .post = "post", .defines_pre = true}}; }

// example: src/domain/delivery.h
TEST(DomainExamples, Perils) {
  // a crashes at tick 2, b at tick 3.
  struct {
    bool omitted(char, char, Tick) const { return false; }
    bool crashed(char node, Tick tick) const { return tick >= (node == 'a' ? 2 : 3); }
  } world;
  const CrashModel model = CrashModel::kStop;
  const char from = 'a', to = 'b';
  const Tick sent_at = 2;
  std::string perils;
  each_peril(model, world, from, to, sent_at, [&](Message::Fate fate, auto answer) {
    perils += fmt::format(" {}:{}", to_string(fate), answer);
  });
  EXPECT_EQ(perils, " omitted:false sender-crashed:true receiver-stopped:true");
}

// example: src/domain/fault.h
TEST(DomainExamples, Faults) {
  std::string all, crashes;
  FaultSet faults{*parse_omission("a>b@2")};
  faults.insert(*parse_crash("c@3"));
  for (const Fault& fault : faults) all += to_string(fault) + ";";
  for (const Crash& crash : faults.of<Crash>()) crashes += to_string(crash) + ";";
  EXPECT_EQ(all, "drop a>b@2;crash c@3;");
  EXPECT_EQ(crashes, "c@3;");
}

// example: src/domain/fault_model.h
TEST(DomainExamples, AFaultModel) {
  const FaultSet faults{Omission{"a", "b", 3}, Crash{"c", 5}};
  const FaultSet too_late{Omission{"a", "b", 4}};
  FaultModel model{.nodes = {"a", "b", "c"}, .eot = 6, .eff = 4, .crashes = 1};
  EXPECT_TRUE(model.admits(faults));
  EXPECT_EQ(combinations(model), "1.68e+08");
  EXPECT_FALSE(model.admits(too_late));
  model.limits.no_crash.insert("a");
  EXPECT_FALSE(model.admits({Crash{"a", 1}}));
  model.eventually = 3;
  EXPECT_EQ(model.last_fault(), 3);
  EXPECT_FALSE(model.admits(faults));
}

// example: src/domain/limits.h
TEST(DomainExamples, SomeLimits) {
  Limits limits;
  limits.add(*parse_reliable("a>b"));
  limits.add(*parse_reliable("c"));
  limits.no_crash.insert("a");
  EXPECT_FALSE(limits.may_lose("a", "b"));
  EXPECT_EQ(describe(limits), "c and a>b are reliable, and a does not crash");
}

// example: src/domain/work.h
TEST(DomainExamples, SomeWork) {
  Work work{.ticks = 40};
  work += {.ticks = 2, .clauses = 300};
  EXPECT_TRUE(work.exceeds({.ticks = 100, .clauses = 200}));
  EXPECT_FALSE(work.exceeds({.ticks = 42, .clauses = 300}));
}

// example: src/domain/pattern.h
TEST(DomainExamples, APattern) {
  using Run = clew::Run;
  const Fact fact{"vote", {"C", "a"}};
  Run run = example_run();
  run.facts[0].push_back(fact);
  const Tick t = 1;
  Pattern pattern{"vote", {"C", std::nullopt}};
  EXPECT_TRUE(matches(pattern, fact));
  EXPECT_EQ(find_facts(pattern, run.facts[t - 1]).size(), 1U);
  EXPECT_EQ(to_string(pattern), "vote(\"C\", _)");
}

// example: src/domain/rule.h
TEST(DomainExamples, ARule) {
  using Run = clew::Run;
  const std::string text = "log(P, D)@async :- bcast(N, D), node(N, P);";
  Run run = example_run();
  run.rules = std::make_shared<RuleTable>(
      RuleTable{{.text = text, .path = "protocols/simple.ded", .line = 11}});
  const Firing firing{0, {}, 1, {}, {}};
  const Rule& rule = run.rule(firing);
  EXPECT_EQ(rule.text, text);
  EXPECT_EQ(rule.where(), "protocols/simple.ded:11");
}

// example: src/domain/run.h
TEST(DomainExamples, ARun) {
  using Run = clew::Run;
  Run run = example_run();
  run.outcomes.emplace_back();
  const Tick t = 1;
  size_t facts = 0;
  std::string lost;
  for (const Fact& fact : run.facts[t - 1]) facts += fact.values.size();
  for (const Message& message : run.messages) lost += message.lost() ? to_string(message.fact) : "";
  EXPECT_TRUE(run.outcome().kind == Outcome::Kind::kVacuous);
  EXPECT_EQ(facts, 3U);
  EXPECT_EQ(lost, "log(\"b\", \"data\")");
}

// example: src/domain/spec.h
TEST(DomainExamples, APromise) {
  using Run = clew::Run;
  Run run = example_run();
  const Specs specs = {std::make_shared<Promise>(example_promise())};
  Promise promise("spec", {.pre = "pre", .post = "post", .defines_pre = true});
  Outcome outcome = promise.judge(run);
  EXPECT_EQ(outcome.kind, Outcome::Kind::kViolated);
  ASSERT_EQ(outcome.goals.size(), 2U);
  EXPECT_TRUE(outcome.goals[0].post);
  EXPECT_FALSE(outcome.goals[1].post);
  judge(specs, run);
  EXPECT_EQ(run.outcome().kind, Outcome::Kind::kViolated);
}

// example: src/domain/system.h
TEST(DomainExamples, ASystem) {
  using Run = clew::Run;
  struct Same : System {
    Result<Run> run(const Scenario&, Detail) override { return example_run(); }
    const Specs& specs() const override { return promised; }
    Specs promised = {std::make_shared<Promise>(example_promise())};
  } system;
  const Scenario scenario;
  Result<Run> run = system.run(scenario, Detail::kVerdict);
  judge(system.specs(), *run);
  EXPECT_EQ(run->outcome().kind, Outcome::Kind::kViolated);
  EXPECT_EQ(outcome_of(system, scenario), Outcome::Kind::kViolated);
}

}  // namespace
}  // namespace clew
