#include "domain/fault.h"

#include <gtest/gtest.h>

namespace clew {
namespace {

const std::string kOmissionForm =
    "write FROM>TO@TICK, quoted because of the shell: 'a>b@2' loses everything that a sends to b "
    "at tick 2";
const std::string kCrashForm = "write NODE@TICK: c@3 makes c crash at tick 3";

TEST(Fault, TheParsedFormIsThePrintedForm) {
  for (const std::string text : {"a>b@2", "node 1>Zoë@2147483647", "->+@1"}) {
    const Result<Omission> omission = parse_omission(text);
    ASSERT_TRUE(omission.ok()) << text;
    EXPECT_EQ(to_string(*omission), text);
  }
  for (const std::string text : {"c@3", "a b@1", "ü@99"}) {
    const Result<Crash> crash = parse_crash(text);
    ASSERT_TRUE(crash.ok()) << text;
    EXPECT_EQ(to_string(*crash), text);
  }
  EXPECT_EQ(*parse_omission("a>b@2"), (Omission{"a", "b", 2}));
  EXPECT_EQ(*parse_crash("c@3"), (Crash{"c", 3}));
}

struct WrongFault {
  std::string text;
  std::string message;
};

TEST(Fault, WrongOmissions) {
  const WrongFault table[] = {
      {"", "`` is not an omission: there is no `>` in it"},
      {"a", "`a` is not an omission: there is no `>` in it"},
      {"a@2", "`a@2` is not an omission: there is no `>` in it"},
      {"a>b", "`a>b` is not an omission: there is no `@` and tick after the nodes"},
      {"a@2>b", "`a@2>b` is not an omission: there is no `@` and tick after the nodes"},
      {">b@2", "`>b@2` is not an omission: the sender before `>` is missing"},
      {"a>@2", "`a>@2` is not an omission: the receiver after `>` is missing"},
      {"a>b>c@2", "`a>b>c@2` is not an omission: there is more than one `>` or `@` in it"},
      {"a>b@2@3", "`a>b@2@3` is not an omission: there is more than one `>` or `@` in it"},
      {"a@1>b@3", "`a@1>b@3` is not an omission: there is more than one `>` or `@` in it"},
      {"a\t>b@2",
       "`a >b@2` is not an omission: the sender before `>` has control characters in it"},
      {"a>b@", "`a>b@` is not an omission: its tick is not a positive integer"},
      {"a>b@x", "`a>b@x` is not an omission: its tick is not a positive integer"},
      {"a>b@0", "`a>b@0` is not an omission: its tick is not a positive integer"},
      {"a>b@-1", "`a>b@-1` is not an omission: its tick is not a positive integer"},
      {"a>b@+1", "`a>b@+1` is not an omission: its tick is not a positive integer"},
      {"a>b@1.5", "`a>b@1.5` is not an omission: its tick is not a positive integer"},
      {"a>b@2 ", "`a>b@2 ` is not an omission: its tick is not a positive integer"},
      {"a>b@2147483648", "`a>b@2147483648` is not an omission: its tick is too large"},
      {"a>b@-9999999999",
       "`a>b@-9999999999` is not an omission: its tick is not a positive integer"},
      {"a>a@2", "`a>a@2` is not an omission: nobody loses a message to itself"},
  };
  for (const WrongFault& wrong : table) {
    const Result<Omission> omission = parse_omission(wrong.text);
    ASSERT_FALSE(omission.ok()) << wrong.text;
    EXPECT_EQ(omission.error().message, wrong.message);
    EXPECT_EQ(omission.error().remedy, kOmissionForm);
  }
}

TEST(Fault, WrongCrashes) {
  const WrongFault table[] = {
      {"", "`` is not a crash: there is no `@` and tick in it"},
      {"c", "`c` is not a crash: there is no `@` and tick in it"},
      {"@3", "`@3` is not a crash: the node before `@` is missing"},
      {"a>b@3", "`a>b@3` is not a crash: there is more than one `>` or `@` in it"},
      {"c@d@3", "`c@d@3` is not a crash: there is more than one `>` or `@` in it"},
      {"c@three", "`c@three` is not a crash: its tick is not a positive integer"},
      {"c@99999999999", "`c@99999999999` is not a crash: its tick is too large"},
  };
  for (const WrongFault& wrong : table) {
    const Result<Crash> crash = parse_crash(wrong.text);
    ASSERT_FALSE(crash.ok()) << wrong.text;
    EXPECT_EQ(crash.error().message, wrong.message);
    EXPECT_EQ(crash.error().remedy, kCrashForm);
  }
}

TEST(Fault, CrashModels) {
  EXPECT_EQ(*parse_crash_model("silent"), CrashModel::kSilent);
  EXPECT_EQ(*parse_crash_model("stop"), CrashModel::kStop);
  EXPECT_STREQ(to_string(CrashModel::kSilent), "silent");
  EXPECT_STREQ(to_string(CrashModel::kStop), "stop");
  const Result<CrashModel> model = parse_crash_model("Stop");
  ASSERT_FALSE(model.ok());
  EXPECT_EQ(model.error().message, "`Stop` is not a crash model");
  EXPECT_EQ(model.error().remedy,
            "choose `silent` (a crashed node goes on alone, unheard) or `stop` (it is gone)");
}

TEST(Fault, SetsKnowNeitherOrderNorRepetition) {
  FaultSet one{Crash{"c", 3}, Omission{"b", "a", 1}, Omission{"a", "b", 2}, Crash{"a", 4}};
  FaultSet other;
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(other.insert(Crash{"a", 4}), round == 0);
    EXPECT_EQ(other.insert(Omission{"b", "a", 1}), round == 0);
    EXPECT_EQ(other.insert(Crash{"c", 3}), round == 0);
    EXPECT_EQ(other.insert(Omission{"a", "b", 2}), round == 0);
  }
  EXPECT_EQ(FaultSet({Crash{"a", 1}, Crash{"a", 1}}).size(), 1U);
  EXPECT_EQ(to_string(one), "drop a>b@2, drop b>a@1, crash a@4, crash c@3");
  EXPECT_EQ(to_string(FaultSet{}), "no faults");
}

TEST(Fault, SetsAreAskedByKindAndByFault) {
  const FaultSet set{Crash{"b", 2}, Omission{"a", "b", 1}, Crash{"a", 3}, Omission{"b", "c", 4}};
  ASSERT_EQ(set.of<Omission>().size(), 2U);
  EXPECT_EQ(set.of<Omission>()[1], (Omission{"b", "c", 4}));
  std::vector<NodeName> crashed;
  for (const Crash& crash : set.of<Crash>()) crashed.push_back(crash.node);
  EXPECT_EQ(crashed, (std::vector<NodeName>{"a", "b"}));
  const FaultSet none;
  EXPECT_TRUE(none.of<Crash>().empty());
  const FaultSet no_crash{Omission{"a", "b", 1}};
  EXPECT_TRUE(no_crash.of<Crash>().empty());

  EXPECT_TRUE(set.contains(Crash{"a", 3}));
  EXPECT_FALSE(set.contains(Crash{"a", 4}));
  EXPECT_TRUE(set.includes(FaultSet{Crash{"b", 2}, Omission{"a", "b", 1}}));
  EXPECT_TRUE(set.includes({}));
  EXPECT_FALSE(set.includes({Crash{"b", 2}, Omission{"a", "b", 2}}));
  EXPECT_EQ(to_string(set.without(1)), "drop a>b@1, crash a@3, crash b@2");
  EXPECT_EQ(to_string(difference(set, {Crash{"b", 2}, Crash{"c", 1}})),
            "drop a>b@1, drop b>c@4, crash a@3, crash c@1");
  EXPECT_EQ(tick_of(set[1]), 4);
  EXPECT_EQ(tick_of(set[3]), 2);
}

}  // namespace
}  // namespace clew
