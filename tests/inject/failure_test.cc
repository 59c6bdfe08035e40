#include "inject/failure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>

#include "base/random.h"

namespace clew::inject {
namespace {

constexpr Effect kEffects[] = {Effect::kError,   Effect::kShort,       Effect::kTorn,
                               Effect::kCorrupt, Effect::kCrashBefore, Effect::kCrashAfter,
                               Effect::kReset,   Effect::kTimeout,     Effect::kCut,
                               Effect::kDrop,    Effect::kPowerBefore, Effect::kPowerAfter};

// example: src/inject/failure.h
TEST(Failure, Example) {
  const Failure failure = *parse_failure("EIO!@4c1be0d2#3");
  EXPECT_TRUE(failure.occurrence == 3);
  EXPECT_TRUE(to_string(failure) == "EIO!@4c1be0d2#3");
}

TEST(Failure, TheParsedFormIsThePrintedForm) {
  const struct {
    std::string text;
    Failure failure;
  } table[] = {
      {"EIO@4c1be0d2", {"4c1be0d2", 1, 1, Effect::kError, EIO}},
      {"ENOSPC!@4c1be0d2", {"4c1be0d2", 1, 1, Effect::kError, ENOSPC, true}},
      {"errno 999@00000000", {"00000000", 1, 1, Effect::kError, 999}},
      {"crash-before@4c1be0d2", {"4c1be0d2", 1, 1, Effect::kCrashBefore}},
      {"crash-after@4c1be0d2#2", {"4c1be0d2", 1, 2, Effect::kCrashAfter}},
      {"crash-after@4c1be0d2~3", {"4c1be0d2", 3, 1, Effect::kCrashAfter}},
      {"crash-after@4c1be0d2~4294967295#2", {"4c1be0d2", 4294967295, 2, Effect::kCrashAfter}},
      {"short@4c1be0d2#4294967295", {"4c1be0d2", 1, 4294967295, Effect::kShort}},
      {"torn@4c1be0d2", {"4c1be0d2", 1, 1, Effect::kTorn}},
      {"corrupt@4c1be0d2", {"4c1be0d2", 1, 1, Effect::kCorrupt}},
      {"reset@4c1be0d2", {"4c1be0d2", 1, 1, Effect::kReset}},
      {"timeout@4c1be0d2", {"4c1be0d2", 1, 1, Effect::kTimeout}},
      {"cut@4c1be0d2", {"4c1be0d2", 1, 1, Effect::kCut}},
      {"drop@ffffffff", {"ffffffff", 1, 1, Effect::kDrop}},
      {"power-before(none)@4c1be0d2", {"4c1be0d2", 1, 1, Effect::kPowerBefore, 0, false, "none"}},
      {"power-after(all-but-3)@4c1be0d2#9",
       {"4c1be0d2", 1, 9, Effect::kPowerAfter, 0, false, "all-but-3"}},
  };
  for (const auto& [text, failure] : table) {
    EXPECT_EQ(to_string(failure), text);
    const Result<Failure> parsed = parse_failure(text);
    ASSERT_TRUE(parsed.ok()) << text << ": " << parsed.error().message;
    EXPECT_EQ(*parsed, failure) << text;
  }
}

TEST(Failure, EveryFailureSurvivesBeingPrinted) {
  Random random(1);
  for (const Effect effect : kEffects) {
    for (int error = 1; error < (effect == Effect::kError ? 200 : 2); ++error) {
      Failure failure{.point = fmt::format("{:08x}", static_cast<uint32_t>(random.next())),
                      .life = static_cast<uint32_t>(random.uniform_below(3) + 1),
                      .occurrence = static_cast<uint32_t>(random.uniform_below(4) + 1),
                      .effect = effect};
      if (effect == Effect::kError) failure.error = error, failure.lasting = random.chance(0.5);
      if (failure.is_power()) failure.keeps = "only-17-torn-512";
      const Result<Failure> parsed = parse_failure(to_string(failure));
      ASSERT_TRUE(parsed.ok()) << parsed.error().message;
      EXPECT_EQ(*parsed, failure) << to_string(failure);
    }
  }
}

TEST(Failure, WrongTextsSayWhy) {
  const struct {
    std::string text;
    std::string why;
  } table[] = {
      {"", "there is no `@` and point in it"},
      {"EIO", "there is no `@` and point in it"},
      {"@4c1be0d2", "there is no error and no other failure ``"},
      {"EOI@4c1be0d2", "there is no error and no other failure `EOI`"},
      {"!@4c1be0d2", "there is no error and no other failure `!`"},
      {"errno 5@4c1be0d2", "there is no error and no other failure `errno 5`"},
      {"errno 0@4c1be0d2", "there is no error and no other failure `errno 0`"},
      {"errno 0999@4c1be0d2", "there is no error and no other failure `errno 0999`"},
      {"torn!@4c1be0d2", "there is no error and no other failure `torn!`"},
      {"torn(none)@4c1be0d2", "`torn` has nothing in parentheses"},
      {"EIO(none)@4c1be0d2", "there is no error and no other failure `EIO(none)`"},
      {"power-after@4c1be0d2",
       "`power-after` wants what the disk keeps, as in `power-after(none)`"},
      {"power-after()@4c1be0d2",
       "`power-after` wants what the disk keeps, as in `power-after(none)`"},
      {"power-after(@4c1be0d2",
       "`power-after` wants what the disk keeps, as in `power-after(none)`"},
      {"power-before(a b)@4c1be0d2",
       "`power-before` wants what the disk keeps, as in `power-before(none)`"},
      {"power-before(none)x@4c1be0d2",
       "`power-before` wants what the disk keeps, as in `power-before(none)`"},
      {"EIO@", "after the `@` there is no point, which has 8 hexadecimal digits"},
      {"EIO@4C1BE0D2", "after the `@` there is no point, which has 8 hexadecimal digits"},
      {"EIO@4c1be0d", "after the `@` there is no point, which has 8 hexadecimal digits"},
      {"EIO@4c1be0d2~", "after the `~` there is no positive number"},
      {"EIO@4c1be0d2~0#2", "after the `~` there is no positive number"},
      {"EIO@4c1be0d2~4294967296", "after the `~` there is no positive number"},
      {"EIO@4c1be0d2~2~3", "after the `~` there is no positive number"},
      {"EIO@4c1be0d2#2~3", "after the `#` there is no positive number"},
      {"EIO@~2", "after the `@` there is no point, which has 8 hexadecimal digits"},
      {"EIO@4c1be0d2@", "after the `@` there is no point, which has 8 hexadecimal digits"},
      {"EIO@4c1be0d2#", "after the `#` there is no positive number"},
      {"EIO@4c1be0d2#0", "after the `#` there is no positive number"},
      {"EIO@4c1be0d2#-1", "after the `#` there is no positive number"},
      {"EIO@4c1be0d2#2 ", "after the `#` there is no positive number"},
      {"EIO@4c1be0d2#4294967296", "after the `#` there is no positive number"},
  };
  for (const auto& [text, why] : table) {
    const Result<Failure> parsed = parse_failure(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_EQ(parsed.error().message, fmt::format("`{}` is not a failure: {}", text, why));
    EXPECT_TRUE(parsed.error().remedy.starts_with("write WHAT@POINT")) << parsed.error().remedy;
  }
}

TEST(Failure, WhoIsKilled) {
  for (const Effect effect : kEffects) {
    const bool power = effect == Effect::kPowerBefore || effect == Effect::kPowerAfter;
    const bool crash = effect == Effect::kCrashBefore || effect == Effect::kCrashAfter;
    EXPECT_EQ(Failure{.effect = effect}.is_power(), power);
    EXPECT_EQ(Failure{.effect = effect}.ends_node(), power || crash || effect == Effect::kTorn);
  }
}

TEST(Failure, Sentences) {
  const struct {
    std::string failure;
    std::string call;
    Io io;
    std::string sentence;
  } table[] = {
      {"EIO@4c1be0d2", "write", Io::kWrite, "write fails with EIO"},
      {"EIO@4c1be0d2#2", "write", Io::kWrite, "write fails with EIO, the 2nd time"},
      {"EIO!@4c1be0d2", "write", Io::kWrite,
       "write and all that follows on the same target fail with EIO"},
      {"short@4c1be0d2", "read", Io::kRead, "read reads only half of what was asked for"},
      {"short@4c1be0d2", "recvmsg", Io::kReceive,
       "recvmsg receives only half of what was asked for"},
      {"short@4c1be0d2", "pwritev2", Io::kWrite, "pwritev2 writes only half of what was asked for"},
      {"short@4c1be0d2", "sendto", Io::kSend, "sendto sends only half of what was asked for"},
      {"torn@4c1be0d2#3", "write", Io::kWrite,
       "write writes only half, then the node is killed, the 3rd time"},
      {"corrupt@4c1be0d2#11", "read", Io::kRead,
       "one bit differs of what read reads, the 11th time"},
      {"crash-before@4c1be0d2", "rename", Io::kNames, "the node is killed before rename"},
      {"crash-after@4c1be0d2#21", "rename", Io::kNames,
       "the node is killed after rename, the 21st time"},
      {"reset@4c1be0d2", "sendto", Io::kSend, "the connection is reset at sendto"},
      {"timeout@4c1be0d2", "connect", Io::kConnect, "the connection times out at connect"},
      {"cut@4c1be0d2", "connect", Io::kConnect,
       "from connect on the two nodes cannot reach each other"},
      {"drop@4c1be0d2", "sendto", Io::kSend, "the datagram of sendto is lost"},
      {"power-before(none)@4c1be0d2", "fsync", Io::kSync,
       "the power goes before fsync: nothing that was not synced is left"},
      {"power-after(all)@4c1be0d2", "write", Io::kWrite,
       "the power goes after write: all is left, synced or not"},
      {"power-after(all-but-3)@4c1be0d2#112", "write", Io::kWrite,
       "the power goes after write: of what was not synced all-but-3 is left, the 112th time"},
  };
  for (const auto& [failure, call, io, sentence] : table) {
    EXPECT_EQ(describe(*parse_failure(failure), {.call = call, .io = io}), sentence);
  }
}

TEST(Failure, Plans) {
  EXPECT_EQ(to_string(Plan{}), "no failures");
  EXPECT_EQ(to_string(Plan{*parse_failure("EIO@4c1be0d2"), *parse_failure("torn@99ab01ff")}),
            "EIO@4c1be0d2, torn@99ab01ff");
}

constexpr Kinds kAll{.lasting = true,
                     .short_io = true,
                     .torn = true,
                     .corrupt = true,
                     .reset = true,
                     .timeout = true,
                     .cut = true,
                     .drop = true,
                     .power = true};

// All kinds, but of the errors only these.
Kinds all_with(std::vector<int> errors) {
  Kinds kinds = kAll;
  kinds.errors = std::move(errors);
  return kinds;
}

Point point_of(const std::string& call, Io io, Object::Kind kind) {
  return {.node = "a", .call = call, .io = io, .object = {kind, "x"}};
}

// Without the points.
std::string offered(const Point& point, const Kinds& kinds) {
  std::string text;
  for (const Failure& failure : failures_at(point, 2, kinds)) {
    EXPECT_EQ(failure.point, point.id());
    EXPECT_EQ(failure.occurrence, 2U);
    const std::string whole = to_string(failure);
    text += (text.empty() ? "" : " ") + whole.substr(0, whole.find('@'));
  }
  return text;
}

TEST(FailuresAt, WhatFitsTheCallAndItsObject) {
  using Kind = Object::Kind;
  const struct {
    std::string call;
    Io io;
    Kind kind;
    std::string failures;
  } table[] = {
      {"pwrite64", Io::kWrite, Kind::kFile, "EIO EIO! short torn corrupt crash-before crash-after"},
      {"write", Io::kWrite, Kind::kOutput, "EIO EIO! short crash-before crash-after"},
      {"write", Io::kWrite, Kind::kPipe, "short crash-before crash-after"},
      {"read", Io::kRead, Kind::kFile, "EIO EIO! short corrupt crash-before"},
      {"fsync", Io::kSync, Kind::kFile, "EIO EIO! crash-before crash-after"},
      {"sync", Io::kSync, Kind::kNone, "crash-before crash-after"},
      {"rename", Io::kNames, Kind::kFile, "EIO EIO! crash-before crash-after"},
      {"sendto", Io::kSend, Kind::kSocket,
       "ECONNRESET ECONNRESET! short crash-before crash-after reset timeout cut"},
      {"sendto", Io::kSend, Kind::kDatagrams, "crash-before crash-after cut drop"},
      {"sendmsg", Io::kSend, Kind::kDatagrams, "crash-before crash-after cut drop"},
      {"write", Io::kWrite, Kind::kDatagrams, "crash-before crash-after cut drop"},
      {"recvfrom", Io::kReceive, Kind::kDatagrams, "crash-before crash-after cut"},
      {"recvfrom", Io::kReceive, Kind::kSocket,
       "ECONNRESET ECONNRESET! short crash-before crash-after reset timeout cut"},
      {"connect", Io::kConnect, Kind::kSocket, "crash-before crash-after timeout cut"},
      {"no such call", Io::kWrite, Kind::kFile, ""},
  };
  for (const auto& [call, io, kind, failures] : table) {
    EXPECT_EQ(offered(point_of(call, io, kind), all_with({EIO, ECONNRESET})), failures) << call;
  }
}

TEST(FailuresAt, NothingWhereTheTableNamesNoError) {
  size_t rows = 0;
  for (const CallRow& row : all_calls()) {
    if (!row.errors.empty() || row.io == Io::kSync) continue;
    ++rows;
    EXPECT_EQ(offered(point_of(row.name, row.io, Object::Kind::kFile), kAll), "") << row.name;
  }
  EXPECT_GT(rows, 0U);
}

TEST(FailuresAt, OnlyErrorsOfTheRowAndOnlySoMany) {
  size_t errors = 0;
  for (const CallRow& row : all_calls()) {
    for (const Failure& failure :
         failures_at(point_of(row.name, row.io, Object::Kind::kNone), 1, {.most_errors = 3})) {
      if (failure.effect != Effect::kError) continue;
      ++errors;
      const auto end =
          row.errors.begin() + static_cast<std::ptrdiff_t>(std::min<size_t>(3, row.errors.size()));
      EXPECT_NE(std::find(row.errors.begin(), end, failure.error), end) << to_string(failure);
    }
  }
  EXPECT_GT(errors, 20U);
}

TEST(FailuresAt, OnlyTheKindsThatAreAskedFor) {
  const Point write = point_of("pwrite64", Io::kWrite, Object::Kind::kFile);
  const Kinds none{.crash = false, .error = false};
  EXPECT_EQ(offered(write, none), "");
  EXPECT_EQ(offered(write, {.error = false}), "crash-before crash-after");
  EXPECT_EQ(offered(write, {.crash = false, .error = false, .lasting = true, .errors = {EIO}}),
            "EIO!");
  EXPECT_EQ(offered(write, {.crash = false, .error = false, .short_io = true}), "short");
  EXPECT_EQ(offered(write, {.crash = false, .error = false, .torn = true}), "torn");
  EXPECT_EQ(offered(write, {.crash = false, .error = false, .corrupt = true}), "corrupt");
  EXPECT_EQ(offered(write, {.crash = false, .error = false, .power = true}), "");
}

TEST(FailuresAt, AreSortedByEffectAndDistinct) {
  for (const CallRow& row : all_calls()) {
    for (const auto kind : {Object::Kind::kFile, Object::Kind::kSocket, Object::Kind::kDatagrams}) {
      const std::vector<Failure> failures = failures_at(point_of(row.name, row.io, kind), 1, kAll);
      EXPECT_TRUE(std::ranges::is_sorted(failures, {}, &Failure::effect)) << row.name;
      Plan plan = failures;
      std::ranges::sort(plan);
      EXPECT_EQ(std::ranges::adjacent_find(plan), plan.end()) << row.name;
    }
  }
}

TEST(Failure, KnowsTornRenames) {
  for (const char* keeps : {"torn-3-target", "torn-3-names", "first-3-names"}) {
    EXPECT_TRUE(tears_a_rename(keeps)) << keeps;
  }
  for (const char* keeps : {"none", "all-but-3", "torn-3-half", "torn-3-512", ""}) {
    EXPECT_FALSE(tears_a_rename(keeps)) << keeps;
  }
}

}  // namespace
}  // namespace clew::inject
