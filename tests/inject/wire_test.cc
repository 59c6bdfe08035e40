#include "inject/wire.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>

namespace clew::inject {
namespace {

Observed some_run() {
  Observed seen;
  seen.ending = Observed::Ending::kHung;
  seen.trouble = "none";
  seen.nodes = {"n", "workload"};
  Point point{.node = "n", .thread = "server", .call = "write", .io = Io::kWrite};
  point.object = {Object::Kind::kFile, "log", "/srv/log"};
  point.stack = {"merge (master.cc:81)", "main"};
  point.truncated = true;
  seen.points = {point};
  Call call{.node = 1, .process = 2, .thread = 3, .row = find_call(SYS_write)};
  call.life = 4;
  call.occurrence = 300;
  call.object = point.object;
  call.offset = UINT64_MAX;
  call.result = -5;
  call.finished = true;
  seen.happenings = {call, Line{"n", "ready\xc3\xa9"}, Change{Change::Kind::kKilled, "n", 11},
                     Struck{1}, Told{"n", "acked(1)"}};
  seen.reached = {1, 0};
  seen.warnings = {{"what", "remedy"}};
  seen.crash_states = {{"none", "all"}, {}};
  seen.extracted = {{4, "text"}};
  seen.listening = {{"n", 7000, ""}, {"n", 0, "/srv/socket"}};
  seen.seconds = 0.25;
  seen.passed = 7;
  return seen;
}

TEST(Wire, WhatIsSentArrives) {
  const Observed seen = some_run();
  const std::optional<Arrived> arrived = decode(encode(seen, "news"));
  ASSERT_TRUE(arrived.has_value());
  EXPECT_EQ(arrived->news, "news");
  const Observed& other = arrived->observed;
  EXPECT_EQ(other.points, seen.points);
  EXPECT_EQ(other.seconds, 0.25);
  EXPECT_EQ(other.passed, 7U);
  EXPECT_EQ(other.crash_states, seen.crash_states);
  EXPECT_EQ(other.listening, seen.listening);
  ASSERT_EQ(other.happenings.size(), 5U);
  const Call& call = std::get<Call>(other.happenings[0]);
  EXPECT_EQ(call.row, find_call(SYS_write));
  EXPECT_EQ(call.offset, UINT64_MAX);
  EXPECT_EQ(call.result, -5);
  EXPECT_EQ(std::get<Line>(other.happenings[1]).text, "ready\xc3\xa9");
  // All the rest, in one comparison.
  EXPECT_EQ(encode(other, "news"), encode(seen, "news"));
}

TEST(Wire, NothingThatIsCutOffArrives) {
  const std::string bytes = encode(some_run(), "news");
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(decode(std::string_view(bytes).substr(0, size)).has_value()) << size;
  }
  EXPECT_FALSE(decode(bytes + "x").has_value());
}

// Whatever the bytes are: what arrives can be used.
TEST(Wire, ChangedBytesDoNoHarm) {
  const std::string bytes = encode(some_run(), "news");
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (const unsigned bit : {1U, 4U, 64U, 128U}) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(static_cast<unsigned char>(changed[i]) ^ bit);
      const std::optional<Arrived> arrived = decode(changed);
      if (!arrived) continue;
      for (const Happening& one : arrived->observed.happenings) {
        const Call* const call = std::get_if<Call>(&one);
        if (call == nullptr) continue;
        EXPECT_LT(call->point, arrived->observed.points.size());
        EXPECT_LT(call->node, arrived->observed.nodes.size());
        EXPECT_NE(call->row, nullptr);
      }
    }
  }
}

TEST(Wire, CallsOfNoPointDoNotArrive) {
  Observed seen = some_run();
  std::get<Call>(seen.happenings[0]).point = 1;
  EXPECT_FALSE(decode(encode(seen, "")).has_value());
}

}  // namespace
}  // namespace clew::inject
