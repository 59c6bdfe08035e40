#include "inject/facts.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <fstream>

#include "inject/read_facts.h"
#include "tests/inject/scratch.h"

namespace clew::inject {
namespace {

const char* const kTargetText = R"toml(
spec = "spec.ded"

[[node]]
name = "master"
command = ["sh"]

[workload]
command = ["sh"]

[check]
command = ["sh"]

[[fact]]
from = "workload"
line = "added (\\w+)"
is = 'userFiles("$1")'

[[fact]]
from = "check"
line = "(\\w+) in (\\w+), (\\d+) bytes"
is = 'filesIn("$1", "$2", $3)'

[[fact]]
command = ["sh", "-c", "ls"]
line = "(.*)"
is = 'here("$1")'

[tells]
acked = 2
)toml";

// What a run of the master might look like.
Observed observe() {
  Observed seen;
  seen.nodes = {"master", "workload"};
  seen.points = {
      Point{.node = "master", .call = "write", .object = {Object::Kind::kFile, "log"}},
      Point{.node = "master", .call = "rename", .object = {Object::Kind::kFile, "log2"}}};
  const auto call = [](long number, uint32_t point, const char* name, int64_t result) {
    return Call{.row = find_call(number),
                .point = point,
                .object = {Object::Kind::kFile, name},
                .result = result,
                .finished = true};
  };
  Call last = call(SYS_rename, 1, "log2", 0);
  last.finished = false;
  Call failed = call(SYS_write, 0, "log", -ENOSPC);
  failed.injected = true;
  using Kind = Change::Kind;
  seen.happenings = {Change{Kind::kStarted, "master"},      // 1
                     Line{"master", "ready\xff"},           // 2
                     Change{Kind::kReady, "master"},        // 3
                     Struck{0},                             // 4
                     failed,                                // 5
                     Told{"master", "acked(\"w1\", 7)"},    // 6
                     Line{"workload", "added f1\r"},        // 7
                     Line{"workload", "nothing added"},     // 8
                     last,                                  // 9
                     Struck{1},                             // 10
                     Change{Kind::kPowerCut, "master"},     // 11
                     Change{Kind::kRestarted, "master"},    // 12
                     Change{Kind::kExited, "workload", 3},  // 13
                     Change{Kind::kKilled, "master", 11},   // 14
                     Change{Kind::kHung, "check"},          // 15
                     Line{"check", "f1 in img, 20 bytes"},  // 16
                     Change{Kind::kStopped, "master"}};     // 17
  seen.extracted = {{2, "img\nlog\n"}};
  return seen;
}

Plan plan_of_observed(const Observed& seen) {
  Failure write{.point = seen.points[0].id(), .error = ENOSPC};
  Failure power{.point = seen.points[1].id(), .effect = Effect::kPowerBefore, .keeps = "none"};
  return {write, power};
}

class FactsTest : public testing::Test {
 protected:
  static Target target() {
    const Result<Target> target = parse_target(kTargetText, "target.toml");
    CHECK(target.ok(), "{}", target.error().message);
    return *target;
  }

  static microspec::MicroSpec spec(const std::string& text) {
    std::ofstream("spec.ded") << text;
    SourceSet sources;
    Diagnostics diagnostics;
    auto spec =
        microspec::load_microspec({"spec.ded"}, *relations_of(target()), sources, diagnostics);
    CHECK(spec.has_value(), "{}", diagnostics.render(sources));
    return *spec;
  }

  // The facts, ticks apart by " | "; or what is wrong.
  static std::string facts(const std::string& text, const Observed& seen, const Plan& plan = {}) {
    const Result<clew::Run> run = to_run(target(), spec(text), seen, plan);
    if (!run.ok()) return run.error().message;
    EXPECT_EQ(run->scenario.program.eot, static_cast<Tick>(run->facts.size()));
    std::string told;
    for (const std::vector<Fact>& tick : run->facts) {
      if (&tick != run->facts.data()) told += "| ";
      for (const Fact& fact : tick) told += to_string(fact) + " ";
    }
    return told;
  }

  FactsTest() { std::ofstream("spec.ded") << "promise p: said(_, _, _) implies 1 == 1;\n"; }

  const ScratchFolder scratch_;
};

TEST_F(FactsTest, OfAllThatHappens) {
  struct Case {
    std::string spec, facts;
  };
  const std::vector<Case> table = {
      {"promise p: started(_, _), ready(_, _), restarted(_, _) implies crashed(_, _);",
       "crashed(\"master\", 11) ready(\"master\", 3) restarted(\"master\", 12) "
       "started(\"master\", 1) "},
      {"promise p: exited(_, _, _), killed(_, _, _) implies hung(_, _);",
       "exited(\"workload\", 3, 13) hung(\"check\", 15) killed(\"master\", 11, 14) "},
      {"promise p: said(_, _, _) implies 1 == 1;",
       "said(\"check\", \"f1 in img, 20 bytes\", 16) said(\"master\", \"ready?\", 2) "
       "said(\"workload\", \"added f1\r\", 7) said(\"workload\", \"nothing added\", 8) "},
      {"promise p: call(_, _, _, _, _) implies 1 == 1;",
       "call(\"master\", \"rename\", \"log2\", \"died\", 9) "
       "call(\"master\", \"write\", \"log\", \"ENOSPC\", 5) "},
      {"promise p: failed(_, _, _, _, _) implies 1 == 1;",
       "failed(\"master\", \"rename\", \"log2\", \"power-before(none)\", 10) "
       "failed(\"master\", \"write\", \"log\", \"ENOSPC\", 4) "},
      {"promise p: acked(W, _), userFiles(F), here(_) implies filesIn(F, _, _);",
       "acked(\"w1\", 7) filesIn(\"f1\", \"img\", 20) here(\"img\") here(\"log\") "
       "userFiles(\"f1\") "},
  };
  const Observed seen = observe();
  for (const Case& one : table) {
    EXPECT_EQ(facts(one.spec, seen, plan_of_observed(seen)), one.facts) << one.spec;
  }
}

// Where the end alone counts there is one tick, else one for each news.
TEST_F(FactsTest, TakeTicksWhereTimeMatters) {
  const Observed seen = observe();
  EXPECT_EQ(facts("always p: userFiles(F) implies here(F);", seen),
            "userFiles(\"f1\") | here(\"img\") here(\"log\") userFiles(\"f1\") ");
  EXPECT_EQ(facts("x(F)@next :- userFiles(F); promise p: x(F) implies ready(F, _);", seen),
            "ready(\"master\", 3) | ready(\"master\", 3) userFiles(\"f1\") ");
  EXPECT_EQ(facts("x(F) :- userFiles(F)@1; promise p: x(F) implies ready(F, _);", seen),
            "ready(\"master\", 3) | ready(\"master\", 3) userFiles(\"f1\") ");
  EXPECT_EQ(facts("never p: hung(\"nobody\", _);", seen), "");
}

// What no rule can match is left out, by its constants.
TEST_F(FactsTest, AreThoseThatTheSpecReads) {
  const Observed seen = observe();
  EXPECT_EQ(facts("never p: call(_, \"write\", _, R, _), R == \"ok\";", seen),
            "call(\"master\", \"write\", \"log\", \"ENOSPC\", 5) ");
  EXPECT_EQ(facts("never p: said(_, _, 7), notin call(_, _, \"log2\", _, 9);", seen),
            "said(\"workload\", \"added f1\r\", 7) | call(\"master\", \"rename\", \"log2\", "
            "\"died\", 9) said(\"workload\", \"added f1\r\", 7) ");
  EXPECT_EQ(facts("never p: said(_, \"nothing added\", At), started(_, At);", seen),
            "started(\"master\", 1) | said(\"workload\", \"nothing added\", 8) "
            "started(\"master\", 1) ");
}

// Without a plan an error still has its name.
TEST_F(FactsTest, TellWhatFailed) {
  Observed seen = observe();
  const std::string spec = "promise p: failed(_, C, _, W, _) implies C == W;";
  EXPECT_EQ(facts(spec, seen), "failed(\"master\", \"write\", \"log\", \"ENOSPC\", 4) ");
  seen.happenings = {Struck{0}};
  EXPECT_EQ(facts(spec, seen), "");
}

TEST_F(FactsTest, Mistakes) {
  struct Case {
    Happening happening;
    std::string error;
  };
  const std::vector<Case> table = {
      {Told{"master", "acked(w1)"},
       "master tells what is no fact: `acked(w1)`: `w1` is no integer of 64 bits"},
      {Told{"master", "lost(1)"}, "master tells `lost(1)`, which the target does not know"},
      {Told{"master", "acked(1)"}, "master tells `acked(1)`, but `acked` has 2 columns"},
      {Line{"check", "f1 in img, 99999999999999999999 bytes"},
       "the fact rule `filesIn(\"$1\", \"$2\", $3)` cannot be filled from the line `f1 in img, "
       "99999999999999999999 bytes`: `99999999999999999999` is no integer of 64 bits"},
      {Line{"check", std::string(70'000, 'x')},
       "a line of 70,000 bytes came from check: fact rules look at lines of at most 65,536"},
  };
  for (const Case& one : table) {
    Observed seen;
    seen.happenings = {one.happening};
    EXPECT_EQ(facts("promise p: acked(_, _) implies filesIn(_, _, _);", seen), one.error);
  }
  Target clash = target();
  clash.tells["userFiles"] = 2;
  const Result<dedalus::GivenRelations> relations = relations_of(clash);
  ASSERT_FALSE(relations.ok());
  EXPECT_EQ(relations.error().message,
            "target.toml: `userFiles` has 2 columns in one place and 1 in another");
}

// A promise about everything, at every moment, of a long run.
TEST_F(FactsTest, AreBounded) {
  Observed seen;
  for (int i = 0; i < 2000; ++i) seen.happenings.emplace_back(Line{"master", std::to_string(i)});
  EXPECT_EQ(facts("never p: said(_, \"x\", _), said(_, _, 0);", seen), "");
  const std::string text = facts("never p: said(_, X, _), hung(X, _);", seen);
  EXPECT_EQ(text, "what the spec reads of this run are more than 1,000,000 facts over 1,413 ticks");
}

TEST_F(FactsTest, AreJudged) {
  const microspec::MicroSpec lost =
      spec("promise kept: userFiles(F) implies filesIn(F, _, _);\nnever gone: hung(_, _);\n");
  Result<clew::Run> run = to_run(target(), lost, observe());
  ASSERT_TRUE(run.ok());
  microspec::Judge judge(lost);
  const Status judged = judge.judge(*run, Detail::kVerdict);
  ASSERT_TRUE(judged.ok()) << judged.error().message;
  EXPECT_EQ(run->outcomes.at(0).kind, Outcome::Kind::kHolds);
  EXPECT_EQ(run->outcomes.at(1).kind, Outcome::Kind::kViolated);
}

}  // namespace
}  // namespace clew::inject
