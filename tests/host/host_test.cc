#include "host/host.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include "tests/host/running.h"

namespace clew::host {
namespace {

TEST(Host, AnswersAClient) {
  const node::Names names{"a"};
  Running a(setup_of(names, "a", free_places(names), std::make_shared<MemoryDisk>()));
  Caller caller = a.caller();
  EXPECT_EQ(ask_text(caller, "Get{\"k\"}"), "Value{value: none}");
  EXPECT_EQ(ask_text(caller, "Put{key: \"k\", value: -3}"), "Value{value: -3}");
  const Result<std::string> reply =
      caller.ask(node::encode(RegisterRequest{Get{"k"}}), kTestPatience);
  ASSERT_TRUE(reply.ok());
  EXPECT_EQ(*reply, node::encode(Value{-3}));
  EXPECT_EQ(a.stop().why, Host::End::Why::kStopped);
}

TEST(Host, TellsATextThatIsNoRequest) {
  const node::Names names{"a"};
  Running a(setup_of(names, "a", free_places(names), std::make_shared<MemoryDisk>()));
  Caller caller = a.caller();
  EXPECT_EQ(ask_text(caller, "Gett{\"k\"}"),
            "error: column 1: `Gett` where one of these is expected");
  EXPECT_EQ(ask_text(caller, "Get{\"k\"}"), "Value{value: none}");
}

TEST(Host, CopiesToPeers) {
  const node::Names names{"a", "b", "c"};
  const Config config = free_places(names);
  Running a(setup_of(names, "a", config, std::make_shared<MemoryDisk>()));
  Running b(setup_of(names, "b", config, std::make_shared<MemoryDisk>()));
  Running c(setup_of(names, "c", config, std::make_shared<MemoryDisk>()));
  Caller to_a = a.caller(), to_c = c.caller();
  EXPECT_EQ(ask_text(to_a, "Put{\"k\", 5}"), "Value{value: 5}");
  while (ask_text(to_c, "Get{\"k\"}") != "Value{value: 5}") {
  }
}

TEST(Host, KeepsWhatIsDurable) {
  const node::Names names{"a"};
  const auto disk = std::make_shared<MemoryDisk>();
  const Config config = free_places(names);
  {
    Running a(setup_of(names, "a", config, disk));
    Caller caller = a.caller();
    EXPECT_EQ(ask_text(caller, "Put{\"k\", 5}"), "Value{value: 5}");
  }
  Running again(setup_of(names, "a", config, disk));
  Caller caller = again.caller();
  EXPECT_EQ(ask_text(caller, "Get{\"k\"}"), "Value{value: 5}");
  EXPECT_EQ(ask_text(caller, "Later{1}"), "Value{value: 2}");
}

TEST(Host, AnswersForOtherNodes) {
  const node::Names names{"a", "b"};
  const Config config = free_places(names);
  Running a(setup_of(names, "a", config, std::make_shared<MemoryDisk>()));
  Running b(setup_of(names, "b", config, std::make_shared<MemoryDisk>()));
  Caller caller = a.caller();
  EXPECT_EQ(ask_text(caller, "Elsewhere{b}"), "Value{value: 1}");
  EXPECT_EQ(ask_text(caller, "Elsewhere{a}"), "Value{value: 0}");
}

TEST(Host, NeverLosesWhatANodeSendsToItself) {
  const node::Names names{"a"};
  const auto disk = std::make_shared<MemoryDisk>();
  Running a(setup_of(names, "a", free_places(names), disk));
  Caller caller = a.caller();
  EXPECT_EQ(ask_text(caller, "Walk{5000}"), "Value{value: 5000}");
}

// Nor does a crash lose it, after whichever flush.
TEST(Host, NeverLosesWhatANodeSendsToItselfInACrash) {
  const node::Names names{"a"};
  const auto disk = std::make_shared<MemoryDisk>();
  const Config config = free_places(names);
  {
    Running a(setup_of(names, "a", config, disk));
    Caller caller = a.caller();
    EXPECT_EQ(ask_text(caller, "Walk{5000}"), "Value{value: 5000}");
  }
  size_t under_way = 0;
  for (const auto& fields : disk->past) {
    const int64_t walked =
        fields.contains("walked") ? *node::decode<int64_t>(fields.at("walked")) : 0;
    if (walked == 0) continue;  // before the request
    if (walked < 5000) ++under_way;
    const auto again = std::make_shared<MemoryDisk>();
    again->fields = fields;
    Running a(setup_of(names, "a", config, again));
    Caller caller = a.caller();
    // What was under way goes on, between steps that are asked for now.
    int64_t asked = 0;
    std::string value, all;
    const auto until = Clock::now() + kTestPatience;
    do {
      value = ask_text(caller, "Walk{1}");
      all = "Value{value: " + std::to_string(5000 + ++asked) + "}";
    } while (value != all && Clock::now() < until);
    EXPECT_EQ(value, all);
  }
  EXPECT_GT(under_way, 2U);
}

TEST(Host, EndsWhenAHandlerThrows) {
  const node::Names names{"a"};
  Running a(setup_of(names, "a", free_places(names), std::make_shared<MemoryDisk>()));
  Caller caller = a.caller();
  EXPECT_EQ(ask_text(caller, "Throw"),
            "error: the node at " + a.clients().text() + ": it has ended the connection");
  const Host::End end = a.join();
  EXPECT_EQ(end.why, Host::End::Why::kNode);
  EXPECT_EQ(end.error.message, "a failed at Throw of client 0: what a pity");
}

TEST(Host, SaysNothingThatIsNotOnDisk) {
  const node::Names names{"a"};
  const auto disk = std::make_shared<MemoryDisk>();
  Running a(setup_of(names, "a", free_places(names), disk));
  Caller caller = a.caller();
  EXPECT_EQ(ask_text(caller, "Put{\"k\", 5}"), "Value{value: 5}");
  disk->fails = true;
  EXPECT_EQ(ask_text(caller, "Put{\"k\", 6}"),
            "error: the node at " + a.clients().text() + ": it has ended the connection");
  const Host::End end = a.join();
  EXPECT_EQ(end.why, Host::End::Why::kDisk);
  EXPECT_EQ(end.error.message, "the disk is full");
}

TEST(Host, SendsNothingThatIsNotOnDisk) {
  const node::Names names{"a", "b"};
  const Config config = free_places(names);
  const auto disk = std::make_shared<MemoryDisk>();
  Running b(setup_of(names, "b", config, std::make_shared<MemoryDisk>()));
  Running a(setup_of(names, "a", config, disk));
  Caller to_a = a.caller(), to_b = b.caller();
  EXPECT_EQ(ask_text(to_a, "Put{\"k\", 5}"), "Value{value: 5}");
  while (ask_text(to_b, "Get{\"k\"}") != "Value{value: 5}") {
  }
  disk->fails = true;
  EXPECT_TRUE(ask_text(to_a, "Put{\"k\", 6}").ends_with("it has ended the connection"));
  EXPECT_EQ(a.join().why, Host::End::Why::kDisk);
  EXPECT_EQ(ask_text(to_b, "Get{\"k\"}"), "Value{value: 5}");
  b.stop();
  EXPECT_EQ(b.counter("envelopes_received_total"), 1U);
}

}  // namespace
}  // namespace clew::host
