#include "domain/run.h"

#include <gtest/gtest.h>

#include <limits>

namespace clew {
namespace {

TEST(Fact, PrintsAsItIsWrittenInAProgram) {
  EXPECT_EQ(to_string(Fact{"log", {"b", "data"}}), "log(\"b\", \"data\")");
  EXPECT_EQ(to_string(Fact{"n", {int64_t{-7}, "7", ""}}), "n(-7, \"7\", \"\")");
  EXPECT_EQ(to_string(Fact{"done", {}}), "done()");
  EXPECT_EQ(to_string(Datum{std::numeric_limits<int64_t>::min()}), "-9223372036854775808");
}

TEST(Fact, OrdersByRelationThenIntegersBeforeStrings) {
  EXPECT_LT((Fact{"a", {"z"}}), (Fact{"b", {"a"}}));
  EXPECT_LT((Fact{"a", {int64_t{9}}}), (Fact{"a", {"1"}}));
  EXPECT_LT((Fact{"a", {"x"}}), (Fact{"a", {"x", int64_t{0}}}));
}

TEST(Message, OnlyWhatCouldHaveArrivedIsLost) {
  using Fate = Message::Fate;
  const std::tuple<Fate, const char*, bool> table[] = {
      {Fate::kDelivered, "delivered", false},
      {Fate::kOmitted, "omitted", true},
      {Fate::kSenderCrashed, "sender-crashed", true},
      {Fate::kReceiverStopped, "receiver-stopped", true},
      {Fate::kAfterEnd, "after-end", false},
  };
  for (const auto& [fate, name, lost] : table) {
    Message message;
    message.fate = fate;
    EXPECT_STREQ(to_string(fate), name);
    EXPECT_EQ(message.lost(), lost) << name;
  }
}

TEST(Outcome, Names) {
  EXPECT_STREQ(to_string(Outcome::Kind::kHolds), "holds");
  EXPECT_STREQ(to_string(Outcome::Kind::kViolated), "violated");
  EXPECT_STREQ(to_string(Outcome::Kind::kVacuous), "vacuous");
}

}  // namespace
}  // namespace clew
