#include "domain/fault_model.h"

#include <gtest/gtest.h>

namespace clew {
namespace {

FaultModel model_of(size_t nodes, Tick eot, Tick eff, int crashes) {
  FaultModel model{{}, eot, eff, crashes, CrashModel::kSilent};
  for (size_t i = 0; i < nodes; ++i) model.nodes.push_back(std::string(1, char('a' + i)));
  return model;
}

std::string in_order(const std::vector<Fault>& faults) {
  std::string text;
  for (const Fault& fault : faults) text += (text.empty() ? "" : ", ") + to_string(fault);
  return text.empty() ? "no faults" : text;
}

TEST(FaultModel, Admits) {
  FaultModel model = model_of(3, 6, 4, 1);
  struct Case {
    FaultSet faults;
    bool admitted;
  };
  const Case table[] = {
      {{}, true},
      {{Omission{"a", "b", 1}, Omission{"a", "b", 3}, Omission{"c", "a", 3}, Crash{"b", 5}}, true},
      {{Omission{"a", "b", 0}}, false},
      {{Omission{"a", "b", 4}}, false},
      {{Omission{"a", "a", 1}}, false},
      {{Omission{"a", "z", 1}}, false},
      {{Omission{"z", "a", 1}}, false},
      {{Crash{"a", 0}}, false},
      {{Crash{"a", 1}}, true},
      {{Crash{"a", 6}}, false},
      {{Crash{"z", 1}}, false},
      {{Crash{"a", 1}, Crash{"b", 1}}, false},
  };
  for (const Case& one : table) {
    EXPECT_EQ(model.admits(one.faults), one.admitted) << to_string(one.faults);
  }
}

TEST(FaultModel, AdmitsEachNodeToCrashOnce) {
  FaultModel model = model_of(3, 6, 0, 3);
  EXPECT_TRUE(model.admits({Crash{"a", 1}, Crash{"b", 1}, Crash{"c", 5}}));
  EXPECT_FALSE(model.admits({Crash{"a", 1}, Crash{"a", 2}}));
}

TEST(FaultModel, OmissionsEndWithTheRunEvenIfEffIsLarger) {
  EXPECT_TRUE(model_of(2, 3, 9, 0).admits({Omission{"a", "b", 2}}));
  EXPECT_FALSE(model_of(2, 3, 9, 0).admits({Omission{"a", "b", 3}}));
}

FaultModel eventually(FaultModel model, Tick ticks) {
  model.eventually = ticks;
  return model;
}

TEST(FaultModel, LeavesTimeAfterTheLastFault) {
  const FaultModel model = eventually(model_of(2, 6, 4, 1), 3);
  EXPECT_EQ(model.last_fault(), 3);
  EXPECT_TRUE(model.admits({Omission{"a", "b", 3}, Crash{"b", 3}}));
  EXPECT_FALSE(model.admits({Crash{"b", 4}}));
  EXPECT_FALSE(eventually(model_of(2, 6, 5, 0), 3).admits({Omission{"a", "b", 4}}));
  // Whatever happens is followed by a tick anyway.
  for (Tick ticks : {0, 1}) {
    const FaultModel any = eventually(model_of(2, 4, 4, 1), ticks);
    EXPECT_EQ(all_faults(any), all_faults(model_of(2, 4, 4, 1)));
    EXPECT_EQ(combinations(any), combinations(model_of(2, 4, 4, 1)));
  }
  EXPECT_EQ(in_order(all_faults(eventually(model_of(2, 4, 2, 1), 3))),
            "drop a>b@1, drop b>a@1, crash a@1, crash b@1");
  EXPECT_EQ(in_order(all_faults(eventually(model_of(2, 4, 4, 1), 4))), "no faults");
}

TEST(FaultModel, WhatCannotBeSearched) {
  struct Case {
    FaultModel model;
    std::string message;
  };
  const Case table[] = {
      {model_of(2, 1, 0, 0), ""},
      {model_of(2, 6, 6, 9), ""},
      {model_of(2, 100'000, 0, 0), ""},
      {model_of(2, 0, 0, 0), "EOT must be from 1 to 100000, not 0"},
      {model_of(2, 100'001, 0, 0), "EOT must be from 1 to 100000, not 100001"},
      {model_of(2, 6, 7, 0),
       "EFF must be from 0 to EOT, here 6, not 7: messages are lost at ticks before EFF"},
      {model_of(2, 6, -1, 0),
       "EFF must be from 0 to EOT, here 6, not -1: messages are lost at ticks before EFF"},
      {model_of(2, 6, 4, -1), "the number of crashes must not be negative: -1"},
      {eventually(model_of(2, 6, 4, 1), 3), ""},
      {eventually(model_of(2, 6, 1, 1), 5), ""},
      {eventually(model_of(2, 6, 0, 1), 6),
       "eventually 6 leaves no tick for faults: it must be less than EOT, here 6"},
      {eventually(model_of(2, 6, 4, 1), -1),
       "eventually -1 leaves no tick for faults: it must be less than EOT, here 6"},
      {eventually(model_of(2, 6, 5, 1), 3),
       "EFF 5 leaves less than 3 ticks after the last loss, which eventually 3 asks for"},
  };
  for (const Case& one : table) {
    Status status = validate(one.model);
    EXPECT_EQ(status.ok() ? "" : status.error().message, one.message);
  }
}

TEST(FaultModel, Bounds) {
  EXPECT_EQ(describe_bounds(model_of(2, 6, 4, 1)), "EOT 6, EFF 4, 1 crash");
  EXPECT_EQ(describe_bounds(model_of(2, 4, 2, 0)), "EOT 4, EFF 2, 0 crashes");
  EXPECT_EQ(describe_bounds(model_of(2, 9, 0, 2)), "EOT 9, EFF 0, 2 crashes");
  EXPECT_EQ(describe_bounds(eventually(model_of(2, 6, 4, 1), 3)),
            "EOT 6, EFF 4, 1 crash, eventually 3");
}

TEST(FaultModel, AllSingleFaults) {
  struct Case {
    FaultModel model;
    std::string faults;
  };
  const Case table[] = {
      {model_of(2, 1, 1, 1), "no faults"},
      {model_of(2, 4, 1, 0), "no faults"},
      {model_of(2, 3, 3, 0), "drop a>b@1, drop b>a@1, drop a>b@2, drop b>a@2"},
      {model_of(2, 3, 0, 2), "crash a@1, crash a@2, crash b@1, crash b@2"},
      {model_of(2, 2, 2, 1), "drop a>b@1, drop b>a@1, crash a@1, crash b@1"},
      {model_of(1, 3, 3, 0), "no faults"},
  };
  for (const Case& one : table) EXPECT_EQ(in_order(all_faults(one.model)), one.faults);
}

// What the paper's tables 1 and 2 say for each program and its bounds.
TEST(FaultModel, CombinationsAreThoseOfThePaper) {
  struct Case {
    FaultModel model;
    std::string combinations;
  };
  const Case table[] = {
      {model_of(3, 4, 2, 0), "4.10e+03"},  {model_of(3, 4, 2, 1), "4.07e+04"},
      {model_of(3, 5, 3, 0), "2.62e+05"},  {model_of(4, 5, 0, 1), "2.40e+01"},
      {model_of(4, 8, 0, 1), "3.60e+01"},  {model_of(4, 9, 7, 1), "2.43e+26"},
      {model_of(5, 6, 4, 1), "1.85e+25"},  {model_of(3, 11, 10, 1), "8.07e+18"},
      {model_of(3, 8, 7, 1), "3.08e+13"},  {model_of(3, 7, 6, 1), "4.81e+11"},
      {model_of(3, 10, 9, 1), "1.26e+17"}, {model_of(4, 22, 21, 1), "6.20e+76"},
  };
  for (const Case& one : table) {
    EXPECT_EQ(combinations(one.model), one.combinations) << describe_bounds(one.model);
  }
}

TEST(FaultModel, CombinationsBeyondAllFloatingPointNumbers) {
  EXPECT_EQ(combinations(model_of(2, 400, 400, 0)), "6.67e+240");    // 2^800
  EXPECT_EQ(combinations(model_of(2, 1000, 1000, 0)), "1.15e+602");  // 2^2000
}

TEST(FaultModel, CombinationsWithMoreCrashesThanNodes) {
  EXPECT_EQ(combinations(model_of(2, 3, 0, 2)), "1.60e+01");
  EXPECT_EQ(combinations(model_of(2, 3, 0, 5)), "1.60e+01");
}

TEST(FaultModel, SizeAndInclusion) {
  FaultSet none;
  FaultSet some{Omission{"a", "b", 1}, Omission{"b", "a", 1}, Crash{"a", 2}};
  FaultSet other{Omission{"a", "b", 1}, Crash{"a", 3}};
  EXPECT_EQ(none.size(), 0U);
  EXPECT_EQ(some.size(), 3U);
  EXPECT_TRUE(some.includes(none));
  EXPECT_TRUE(some.includes(some));
  EXPECT_TRUE(some.includes({Omission{"b", "a", 1}, Crash{"a", 2}}));
  EXPECT_FALSE(some.includes(other));
  EXPECT_FALSE(none.includes(some));
}

}  // namespace
}  // namespace clew
