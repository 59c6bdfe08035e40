// Explanations of real counterexamples, by eye; and differences of random runs, which must be real
// and must end in faults.
#include "explain/explain.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <iostream>
#include <set>

#include "base/random.h"
#include "lineage/difference.h"
#include "lineage/good_supports.h"
#include "tests/lineage/runs.h"
#include "tests/twins/effort.h"
#include "tests/twins/random_program.h"

namespace clew::explain {
namespace {

using lineage::Difference;
using lineage::Graph;
using lineage::holds;
using lineage::kNone;
using lineage::PointId;
using lineage::Sample;

Explanation explain_world(const Sample& sample, const std::string& world) {
  const std::optional<Run> bad = sample.run(world);
  EXPECT_TRUE(bad);
  const std::optional<Run> good = sample.run_without_faults(bad->scenario);
  auto replay = [&](const FaultSet& faults) {
    Scenario scenario = bad->scenario;
    scenario.faults = faults;
    return sample.run(scenario);
  };
  return explain(*good, *bad, {&*sample.program, replay, &sample.sources});
}

std::string print(const Explanation& explanation) {
  std::string text = "\n" + to_string(explanation.goal) + "\n";
  for (const std::string& sentence : explanation.summary) text += sentence + "\n";
  for (const auto& one : explanation.consequences) {
    text += fmt::format("{}: {}\n", one.tick, one.text);
  }
  for (const auto& one : explanation.supports) {
    text += fmt::format("support: {} | {}\n", fmt::join(one.messages, ", "),
                        fmt::join(one.cut_by, ", "));
  }
  if (explanation.parting) {
    text += fmt::format("parting {}: {}\n", explanation.parting->tick, explanation.parting->text);
  }
  for (const auto& one : explanation.hints) {
    text += fmt::format("{}: {} ({})\n", to_string(one.kind), one.text, one.rule.where());
  }
  return text;
}

TEST(Explain, AMessageSentOnce) {
  const Sample sample = Sample::protocol("broadcast/simple_deliv.ded");
  EXPECT_EQ(print(explain_world(sample, "a b c, eot 4, drop a>c@1")), R"(
pre("a", "data")
post("a", "data") does not hold because of missing("c", "data").
missing("c", "data") holds for lack of log("c", "data").
log("c", "data") does not reach c: what a sends at tick 1 is lost (drop a>c@1).
1: log("c", "data") from a to c is lost (drop a>c@1)
2: c lacks log("c", "data")
4: missing("c", "data") holds, for lack of log("c", "data")
4: post("a", "data") does not hold, because of missing("c", "data")
support: a sends log("c", "data") to c at tick 1 | drop a>c@1
parting 2: without faults there is log("c", "data"), here there is not
time: log is sent only once, by a to c at tick 1: nothing repeats it if it is lost (protocols/broadcast/simple_deliv.ded:11)
)");
}

TEST(Explain, ASenderThatCrashes) {
  const Sample sample = Sample::protocol("broadcast/retry_deliv.ded");
  EXPECT_EQ(print(explain_world(sample, "a b c, eot 4, drop a>b@1, crash a@2")), R"(
pre("c", "data")
post("c", "data") does not hold because of missing("b", "data").
missing("b", "data") holds for lack of log("b", "data").
log("b", "data") does not reach b: what a sends at tick 1 is lost (drop a>b@1), and a has crashed (crash a@2).
1: log("b", "data") from a to b is lost, up to tick 3 (drop a>b@1, crash a@2)
2: b lacks log("b", "data")
4: missing("b", "data") holds, for lack of log("b", "data")
4: post("c", "data") does not hold, because of missing("b", "data")
support: a sends log("b", "data") to b at tick 1 | drop a>b@1
support: a sends log("b", "data") to b at tick 2 | crash a@2
support: a sends log("b", "data") to b at tick 3 | crash a@2
parting 2: without faults there is log("b", "data"), here there is not
space: every support needs a message from a: once a is silent, nobody else can help (protocols/broadcast/simple_deliv.ded:11)
)");
}

TEST(Explain, AConclusionFromSilence) {
  const Sample sample = Sample::protocol("commit/two_phase_timeout.ded");
  EXPECT_EQ(print(explain_world(sample, "C a b d, eot 6, drop C>d@4")), R"(
pre("agreement", "C", "commit")
post("agreement", "C", "commit") does not hold because of conflict("C", "commit").
conflict("C", "commit") holds because of decided("d", "abort").
decided("d", "abort") holds for lack of decided("d", _)@5.
decided("d", "commit") does not reach d: what C sends at tick 4 is lost (drop C>d@4).
4: decided("d", "commit") from C to d is lost (drop C>d@4)
5: d lacks decided("d", "commit")
6: d has decided("d", "abort"), for lack of decided("d", _)
6: conflict("C", "commit") holds
6: post("agreement", "C", "commit") does not hold, because of conflict("C", "commit")
support: C sends decided("d", "commit") to d at tick 4 | drop C>d@4
parting 5: without faults there is decided("d", "commit"), here there is not
time: decided is sent only once, by C to d at tick 4: nothing repeats it if it is lost (protocols/commit/two_phase.ded:35)
knowledge: decided("d", "abort") is concluded from the absence of decided("d", _); a message that is lost looks like one that was never sent (protocols/commit/two_phase_timeout.ded:17)
)");
}

// What q would have done is no part of the run without faults.
TEST(Explain, AFaultThatOnlyMattersBecauseOfAnother) {
  const Sample sample = Sample::protocol("streams/flux.ded");
  std::string nodes;
  for (const std::string& node : dedalus::mentioned_nodes(*sample.program)) nodes += node + " ";
  nodes.pop_back();
  const Explanation explanation = explain_world(sample, nodes + ", eot 8, crash p@1, crash q@1");
  EXPECT_EQ(explanation.summary.back(),
            "crash q@1 is needed as well: without it, data(\"x\", \"q\", 1) from q reaches x and "
            "the promise is kept.");
  EXPECT_TRUE(explanation.hints.empty());
}

TEST(Explain, ANewPromise) {
  const Sample sample(R"(
    go("a")@1; ping("b")@async :- go("a"); pinged(N)@next :- ping(N); pinged(N)@next :- pinged(N);
    tick("b", 1)@1; tick(N, T + 1)@next :- tick(N, T);
    alarm(N) :- tick(N, 3), notin pinged(N);
    pre(N) :- alarm(N); post(N) :- never(N); never(N) :- go(N), pinged(N);
  )");
  EXPECT_EQ(print(explain_world(sample, "a b, eot 3, drop a>b@1")), R"(
pre("b")
pre("b") holds only because of the faults; post("b") does not, with or without them.
pre("b") holds because of alarm("b").
alarm("b") holds for lack of pinged("b").
pinged("b") is missing because ping("b") is.
ping("b") does not reach b: what a sends at tick 1 is lost (drop a>b@1).
The rule at program.ded:5 fails: there is no never("b")@3.
The rule at program.ded:5 fails: there is no go("b")@3.
1: ping("b") from a to b is lost (drop a>b@1)
2: b lacks ping("b")
3: b lacks pinged("b")
3: alarm("b") holds, for lack of pinged("b")
3: pre("b") holds
support: a sends ping("b") to b at tick 1 | drop a>b@1
parting 2: without faults there is ping("b"), here there is not
time: ping is sent only once, by a to b at tick 1: nothing repeats it if it is lost (program.ded:2)
)");
}

TEST(Explain, NoFaultsAtAll) {
  const Sample sample(
      "p(\"a\")@1; pre(X) :- p(X); post(X) :- q(X); q(X) :- p(X), r(X); r(\"b\")@1;");
  EXPECT_EQ(print(explain_world(sample, "a b, eot 1")), R"(
pre("a")
pre("a") holds and post("a") does not, without any fault.
The rule at program.ded:1 fails: there is no q("a")@1.
The rule at program.ded:1 fails: there is no r("a")@1.
)");
}

// ---- Random runs ----

class DifferenceChecker {
 public:
  DifferenceChecker(const Graph& good, const Graph& bad) : difference(good, bad) {}

  void check(uint32_t root) {
    for (uint32_t i = 0; i < difference.size(); ++i) check_node(i);
    EXPECT_FALSE(difference.faults_behind(root).empty());
    ++roots;
  }

  Difference difference;
  uint64_t roots = 0;
  uint64_t nodes = 0;

 private:
  void check_node(uint32_t i) {
    const Difference::Node& node = difference.node(i);
    EXPECT_EQ(difference.good().holds(difference.fact(i), difference.tick(i)), node.missing);
    EXPECT_EQ(difference.bad().holds(difference.fact(i), difference.tick(i)), !node.missing);
    for (const Difference::Reason& reason : node.reasons) {
      ++nodes;
      const bool explained = !reason.used.empty() || !reason.absences.empty() ||
                             !reason.losses.empty() || !reason.faults.empty();
      EXPECT_TRUE(explained) << to_string(difference.fact(i)) << '@' << difference.tick(i)
                             << (node.missing ? " missing" : " extra");
    }
  }
};

void check_claims(const Explanation& explanation, const Run& good, const Run& bad) {
  std::set<std::string> faults;
  for (const Omission& omission : bad.scenario.faults.of<Omission>()) {
    faults.insert("drop " + to_string(omission));
  }
  for (const Crash& crash : bad.scenario.faults.of<Crash>()) {
    faults.insert("crash " + to_string(crash));
  }
  for (const Explanation::Support& support : explanation.supports) {
    for (const std::string& fault : support.cut_by) EXPECT_TRUE(faults.contains(fault)) << fault;
  }
  if (!explanation.parting) return;
  const Explanation::Parting& parting = *explanation.parting;
  EXPECT_EQ(holds(good, parting.fact, parting.tick), parting.in_good_run);
  EXPECT_EQ(holds(bad, parting.fact, parting.tick), !parting.in_good_run);
}

TEST(Difference, RandomRuns) {
  uint64_t roots = 0;
  uint64_t reasons = 0;
  for (uint64_t seed = 1; seed <= twins::effort(1500); ++seed) {
    Random random(seed);
    const twins::RandomProgram program = twins::random_program(random);
    const Sample sample(program.text());
    if (!sample.program) continue;
    const Scenario scenario = twins::random_scenario(program.nodes, random);
    const std::optional<clew::Run> bad = sample.run(scenario);
    const std::optional<clew::Run> good = sample.run_without_faults(scenario);
    if (!bad || !good || scenario.faults.empty()) continue;
    const Graph better(*good, &*sample.program);
    const Graph worse(*bad, &*sample.program);
    DifferenceChecker checker(better, worse);
    for (PointId point = 0; point < better.point_count(); ++point) {
      if (worse.holds(better.fact(point), better.tick(point))) continue;
      checker.check(checker.difference.missing(point));
    }
    for (PointId point = 0; point < worse.point_count(); ++point) {
      if (better.holds(worse.fact(point), worse.tick(point))) continue;
      checker.check(checker.difference.extra(point));
      if (checker.roots > 50) break;
    }
    if (bad->outcome().kind == Outcome::Kind::kViolated) {
      const Explanation explanation = explain(*good, *bad, {&*sample.program});
      EXPECT_FALSE(explanation.summary.empty());
      check_claims(explanation, *good, *bad);
    }
    roots += checker.roots;
    reasons += checker.nodes;
    ASSERT_FALSE(HasFailure()) << "seed " << seed << ", " << to_string(scenario.faults) << "\n"
                               << program.text();
  }
  std::cout << roots << " differences, " << reasons << " reasons\n";
  EXPECT_GT(roots, 1000U);
}

}  // namespace
}  // namespace clew::explain
