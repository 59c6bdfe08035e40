#include "report/firings.h"

#include <gtest/gtest.h>

#include "tests/report/run_builder.h"

namespace clew::report {
namespace {

TEST(Firings, OneParagraphEach) {
  RunBuilder run("a b", 3);
  EXPECT_EQ(firings(run), "");
  fire(run.run(), "log(Peer, Payload)@async :- bcast(Node, Payload), node(Node, Peer);",
       "simple_deliv.ded:11", {"log", {"b", "data"}}, 2,
       {{{"bcast", {"a", "data"}}, 1}, {{"node", {"a", "b"}}, 1}},
       {{{"ack", {"a", "b", "data"}}, 1}});
  fire(run.run(), "a built-in step", "", {"crash", {"a", "b", int64_t{2}}}, 1);
  EXPECT_EQ('\n' + firings(run), R"(
log("b", "data")@2
  by log(Peer, Payload)@async :- bcast(Node, Payload), node(Node, Peer);  (simple_deliv.ded:11)
  from bcast("a", "data")@1  node("a", "b")@1
  without ack("a", "b", "data")@1
crash("a", "b", 2)@1
  by a built-in step
)");
}

TEST(Firings, WhatWasUsedIsWrapped) {
  RunBuilder run("a", 1);
  const Fact fact{"a_relation_with_a_long_name", {"a"}};
  fire(run.run(), "p(X) :- q(X);", "p.ded:1", {"p", {"a"}}, 1, {3, {fact, 1}});
  EXPECT_EQ('\n' + firings(run), R"(
p("a")@1
  by p(X) :- q(X);  (p.ded:1)
  from a_relation_with_a_long_name("a")@1  a_relation_with_a_long_name("a")@1
       a_relation_with_a_long_name("a")@1
)");
}

}  // namespace
}  // namespace clew::report
