#include "domain/limits.h"

#include <gtest/gtest.h>

#include "domain/fault_model.h"

namespace clew {
namespace {

Limits limits_of(std::initializer_list<const char*> reliable,
                 std::initializer_list<const char*> no_crash) {
  Limits limits;
  for (const char* text : reliable) limits.add(*parse_reliable(text));
  limits.no_crash.insert(no_crash.begin(), no_crash.end());
  return limits;
}

TEST(Limits, InWords) {
  EXPECT_EQ(describe(Limits{}), "");
  EXPECT_EQ(describe(limits_of({"a"}, {})), "a is reliable");
  EXPECT_EQ(describe(limits_of({"b>c", "a"}, {})), "a and b>c are reliable");
  EXPECT_EQ(describe(limits_of({}, {"a"})), "a does not crash");
  EXPECT_EQ(describe(limits_of({}, {"c", "a", "b"})), "a, b and c do not crash");
  EXPECT_EQ(describe(limits_of({"a>b"}, {"a", "b"})), "a>b is reliable, and a and b do not crash");
}

TEST(Limits, SayWhatMayBeLostAndWhoMayCrash) {
  const Limits limits = limits_of({"a>b", "c"}, {"b"});
  struct Case {
    const char* from;
    const char* to;
    bool may_be_lost;
  };
  const Case table[] = {{"a", "b", false}, {"b", "a", true},  {"a", "c", false}, {"c", "a", false},
                        {"b", "c", false}, {"c", "b", false}, {"a", "d", true},  {"d", "b", true}};
  for (const Case& one : table) {
    EXPECT_EQ(limits.may_lose(one.from, one.to), one.may_be_lost) << one.from << one.to;
  }
  EXPECT_TRUE(limits.may_crash("a"));
  EXPECT_FALSE(limits.may_crash("b"));
  EXPECT_TRUE(limits.may_crash("c"));
}

TEST(Limits, OfSomeNodes) {
  const Limits limits = limits_of({"a>b", "b>c", "c"}, {"b", "c"});
  EXPECT_EQ(limits.within({"a", "b"}), limits_of({"a>b"}, {"b"}));
  EXPECT_EQ(limits.within({"a", "b", "c", "d"}), limits);
  EXPECT_TRUE(limits.within({"d"}).empty());
  Limits both = limits_of({"a"}, {});
  both.add(limits_of({"a", "a>b"}, {"c"}));
  EXPECT_EQ(both, limits_of({"a", "a>b"}, {"c"}));
}

TEST(Limits, WhatIsNeitherANodeNorALink) {
  struct Case {
    const char* text;
    const char* message;
  };
  const Case table[] = {
      {"", "`` is neither a node nor a link: it is empty"},
      {">b", "`>b` is neither a node nor a link: the sender before `>` is missing"},
      {"a>", "`a>` is neither a node nor a link: the receiver after `>` is missing"},
      {"a>b>c", "`a>b>c` is neither a node nor a link: there is more than one `>` in it"},
      {"a>a", "`a>a` is neither a node nor a link: nobody loses a message to itself"},
  };
  for (const Case& one : table) {
    const Result<Reliable> read = parse_reliable(one.text);
    ASSERT_FALSE(read.ok()) << one.text;
    EXPECT_EQ(read.error().message, one.message);
    EXPECT_NE(read.error().remedy, "");
  }
}

// ---- Within a FaultModel ----

FaultModel limited(Limits limits) {
  FaultModel model{{"a", "b"}, 3, 3, 2, CrashModel::kSilent};
  model.limits = std::move(limits);
  return model;
}

TEST(FaultModelWithLimits, SingleFaults) {
  const auto all = [](Limits limits) {
    return to_string(FaultSet(all_faults(limited(std::move(limits)))));
  };
  EXPECT_EQ(all(limits_of({"a>b"}, {"b"})), "drop b>a@1, drop b>a@2, crash a@1, crash a@2");
  EXPECT_EQ(all(limits_of({"a"}, {"a"})), "crash b@1, crash b@2");
  EXPECT_EQ(all(limits_of({"b"}, {"a", "b"})), "no faults");
}

TEST(FaultModelWithLimits, Admits) {
  const FaultModel model = limited(limits_of({"a>b"}, {"b"}));
  EXPECT_TRUE(model.admits({Omission{"b", "a", 1}, Crash{"a", 1}}));
  EXPECT_FALSE(model.admits({Omission{"a", "b", 1}}));
  EXPECT_FALSE(model.admits({Crash{"b", 1}}));
  EXPECT_EQ(model.most_crashes(), 1U);
}

TEST(FaultModelWithLimits, AreToldWithTheBounds) {
  FaultModel model = limited(limits_of({"a>b"}, {"b"}));
  EXPECT_EQ(describe_bounds(model),
            "EOT 3, EFF 3, 2 crashes, assuming a>b is reliable, and b does not crash");
  model.crash_model = CrashModel::kStop;
  model.limits = limits_of({"a"}, {});
  EXPECT_EQ(describe_bounds(model),
            "EOT 3, EFF 3, 2 crashes, crash model stop, assuming a is reliable");
}

// By hand: b's losses at 3 ticks; a loses nothing, and crashes at one of 3 ticks or never.
TEST(FaultModelWithLimits, Combinations) {
  EXPECT_EQ(combinations(limited(limits_of({"a>b"}, {"b"}))), "3.20e+01");
  EXPECT_EQ(combinations(limited(limits_of({"a"}, {"a", "b"}))), "1.00e+00");
  FaultModel many{{}, 4, 3, 2, CrashModel::kSilent};
  for (int i = 0; i < 1000; ++i) many.nodes.push_back(std::to_string(1000 + i));
  many.limits.no_crash.insert("1000");
  EXPECT_NE(combinations(many).find("e+"), std::string::npos);
}

TEST(ScenarioWithLimits, WhatIsBeyondThem) {
  Scenario scenario = scenario_of(limited(limits_of({"a>b"}, {"b"})));
  scenario.faults = {Omission{"a", "b", 1}, Omission{"b", "a", 1}, Crash{"a", 2}, Crash{"b", 2}};
  EXPECT_TRUE(validate(scenario).ok());
  EXPECT_EQ(to_string(beyond_limits(scenario)), "drop a>b@1, crash b@2");
}

TEST(ScenarioWithLimits, NamesNodesOfTheRun) {
  struct Case {
    Limits limits;
    const char* message;
    const char* remedy;
  };
  const Case table[] = {
      {limits_of({"x"}, {}),
       "`--reliable x` names node \"x\", which is not in this run; nodes: a, b",
       "name one of the nodes, or add \"x\" with --nodes"},
      {limits_of({"a>A"}, {}),
       "`--reliable a>A` names node \"A\", which is not in this run; nodes: a, b",
       "did you mean \"a\"?"},
      {limits_of({}, {"x"}),
       "`--no-crash x` names node \"x\", which is not in this run; nodes: a, b",
       "name one of the nodes, or add \"x\" with --nodes"},
  };
  for (const Case& one : table) {
    const Status status = validate(scenario_of(limited(one.limits)), "--");
    ASSERT_FALSE(status.ok()) << one.message;
    EXPECT_EQ(status.error().message, one.message);
    EXPECT_EQ(status.error().remedy, one.remedy);
  }
}

}  // namespace
}  // namespace clew
