#include "service/messages.h"

#include <gtest/gtest.h>

namespace clew::service {
namespace {

using inject::Call;
using inject::Change;
using inject::Io;
using inject::Object;

// Two nodes, a and b, and what they do, one after the other.
struct Talk {
  Talk() { seen.nodes = {"a", "b"}; }

  Talk& call(Io io, uint32_t node, int64_t result) {
    seen.points.push_back({.node = seen.nodes[node], .call = "call", .io = io});
    Call made{.node = node, .point = static_cast<uint32_t>(seen.points.size() - 1)};
    // The one that listens has a port that is the same in every run.
    made.object = {Object::Kind::kSocket, node == 0 ? "b:7000" : "a"};
    made.result = result;
    made.finished = true;
    seen.happenings.emplace_back(made);
    return *this;
  }
  Talk& sends(uint32_t node, int64_t bytes) { return call(Io::kSend, node, bytes); }
  Talk& receives(uint32_t node, int64_t bytes) { return call(Io::kReceive, node, bytes); }
  Talk& closes(uint32_t node) { return call(Io::kClose, node, 0); }
  Talk& crashes(const std::string& who) {
    seen.happenings.emplace_back(Change{Change::Kind::kCrashed, who, 0});
    return *this;
  }
  std::map<uint32_t, uint32_t> messages() const { return find_messages(seen); }

  inject::Observed seen;
};

using SentBy = std::map<uint32_t, uint32_t>;

TEST(Messages, ByteByByte) {
  EXPECT_EQ(Talk().sends(0, 2).receives(1, 1).receives(1, 1).messages(), (SentBy{{2, 1}, {3, 1}}));
  EXPECT_EQ(Talk().sends(0, 2).sends(0, 3).receives(1, 5).messages(), (SentBy{{3, 2}}));
}

TEST(Messages, EachWayIsItsOwn) {
  EXPECT_EQ(Talk().sends(0, 1).sends(1, 1).receives(0, 1).receives(1, 1).messages(),
            (SentBy{{3, 2}, {4, 1}}));
}

TEST(Messages, WhoWaitsHasBegunBefore) {
  EXPECT_EQ(Talk().receives(1, 1).sends(0, 2).receives(1, 1).messages(), (SentBy{{1, 2}, {3, 2}}));
}

TEST(Messages, WhatNobodyTakesIsLost) {
  EXPECT_EQ(Talk().sends(0, 2).closes(1).sends(0, 1).receives(1, 1).messages(), (SentBy{{4, 3}}));
  EXPECT_EQ(Talk().sends(0, 2).crashes("b").sends(0, 1).receives(1, 1).messages(),
            (SentBy{{4, 3}}));
  EXPECT_EQ(Talk().sends(0, -1).receives(1, 1).messages(), SentBy{});
}

// example: src/service/messages.h
TEST(Messages, Example) {
  const Talk talk = Talk().sends(1, 1).sends(0, 1).sends(0, 4).sends(1, 1).sends(1, 1).sends(1, 1);
  const inject::Observed seen = Talk(talk).receives(1, 5).seen;
  const std::map<uint32_t, uint32_t> sent_by = find_messages(seen);
  EXPECT_EQ(sent_by.at(7), 3U);
}

}  // namespace
}  // namespace clew::service
