// Fast synchronization of go-ethereum: one node fetches the state of all accounts, a tree, from
// another one.
//
//   a: fetches                                  b: serves
//     | <----------------------------- Status --- |    whenever it comes up, or was dropped: it
//     dials | --- Status ---------------------------->  | | --- GetHead, then GetAncestor
//     --------->  |    which block to begin with | <-------------------- Head, Ancestor ---- | |
//     --- GetNodes{count} ------------------->  |    parts of the tree, until all are there; the |
//     <-------------------- Nodes{count} ------ |    timer says that nothing came | --- Disconnect
//     ------------------------>  |    if it takes b for one that stalls
//
// Channels are FIFO. A connection begins when b dials; what belongs to an older one is thrown away,
// as TCP does. A node that comes back after a crash says first that what was before is gone, as its
// operating system would (Closed).
#pragma once

#include <optional>
#include <variant>

#include "bug.h"

namespace bugs {

namespace ethereum {

inline constexpr uint8_t kTree = 3;      // parts that there are: a root and two below it
inline constexpr uint8_t kFewItems = 2;  // who is too slow for so few is of no use

using Connection = uint8_t;
inline constexpr Connection kConnections = 8;  // then they count from 0 again

struct Status {
  Connection of = 0;
  CLEW_FIELDS(Status, of)
};
struct Closed {
  CLEW_FIELDS(Closed)
};
struct Disconnect {
  Connection of = 0;
  CLEW_FIELDS(Disconnect, of)
};
struct GetHead {
  Connection of = 0;
  CLEW_FIELDS(GetHead, of)
};
struct Head {
  Connection of = 0;
  CLEW_FIELDS(Head, of)
};
struct GetAncestor {
  Connection of = 0;
  CLEW_FIELDS(GetAncestor, of)
};
struct Ancestor {
  Connection of = 0;
  CLEW_FIELDS(Ancestor, of)
};
struct GetNodes {
  Connection of = 0;
  uint8_t count = 0;
  CLEW_FIELDS(GetNodes, of, count)
};
struct Nodes {
  Connection of = 0;
  uint8_t count = 0;
  CLEW_FIELDS(Nodes, of, count)
};
using Message =
    std::variant<Status, Closed, Disconnect, GetHead, Head, GetAncestor, Ancestor, GetNodes, Nodes>;

// Has the whole chain, and answers.
struct Server : clew::node::Node<Server, Message> {
  explicit Server(Id other) : fetcher(other) {}

  void start(Env& env) override {
    if (ran) env.send(fetcher, Closed{});
    ran = true;
    dial(env);
  }
  void receive(Env&, Id, const Status& status) {
    if (status.of == connection) connected = true;
  }
  void receive(Env& env, Id, const Closed&) {
    if (connected) dial(env);
  }
  void receive(Env& env, Id, const Disconnect& disconnect) {
    if (is_current(disconnect.of)) dial(env);
  }
  void receive(Env& env, Id, const GetHead& get) {
    if (is_current(get.of)) env.send(fetcher, Head{get.of});
  }
  void receive(Env& env, Id, const GetAncestor& get) {
    if (is_current(get.of)) env.send(fetcher, Ancestor{get.of});
  }
  void receive(Env& env, Id, const GetNodes& get) {
    if (is_current(get.of)) env.send(fetcher, Nodes{get.of, get.count});
  }
  template <class Other>
  void receive(Env&, Id, const Other&) const {}  // what only those who fetch receive

  void dial(Env& env) {
    connected = false;
    connection = static_cast<Connection>((connection + 1) % kConnections);
    env.sync();
    env.send(fetcher, Status{connection});
  }
  bool is_current(Connection of) const { return connected && of == connection; }

  const Id fetcher;
  Durable<bool> ran{this, "ran"};
  Durable<Connection> connection{this, "connection"};  // no two alike, also after a crash
  Field<bool> connected{this, "connected"};            // or else it waits for an answer
};

enum class Stage : uint8_t { kNone, kHead, kAncestor, kState };

struct Fetcher : clew::node::Node<Fetcher, Message> {
  Fetcher(Id other, Variant of) : server(other), variant(of) {}

  void start(Env& env) override {
    if (ran) env.send(server, Closed{});
    ran = true;
    env.sync();
  }
  // A peer is known by its name, which stays the same when it comes back.
  void receive(Env& env, Id, const Status& status) {
    registered = true;
    connection = status.of;
    dropped = false;
    was_slow = false;
    env.send(server, status);
    if (*stage == Stage::kState) return assign(env);
    stage = Stage::kHead;
    env.send(server, GetHead{connection});
  }
  void receive(Env& env, Id, const Closed&) {
    if (!registered) return;
    unregister();
    if (variant == Variant::kBug) return;
    env.cancel_timer("request");
    active = 0;
  }
  void receive(Env& env, Id, const Head& head) {
    if (!is_current(head.of)) return;
    stage = Stage::kAncestor;
    env.send(server, GetAncestor{connection});
  }
  void receive(Env& env, Id, const Ancestor& ancestor) {
    if (!is_current(ancestor.of)) return;
    stage = Stage::kState;
    assign(env);
  }
  void receive(Env& env, Id, const Nodes& nodes) {
    if (!is_current(nodes.of) || active == 0) return;
    env.cancel_timer("request");
    fetched = static_cast<uint8_t>(fetched + nodes.count);
    env.sync();
    active = 0;
    assign(env);
  }
  template <class Other>
  void receive(Env&, Id, const Other&) const {}  // what only servers receive
  void timer(Env& env, std::string_view) override {
    const uint8_t count = active;
    active = 0;
    if (!registered) return;
    was_slow = true;
    judge_unanswered(env, count);
  }

  // Asks an idle peer for what is missing. A request that it has not answered must not get lost: it
  // ends without an answer.
  void assign(Env& env) {
    if (fetched == kTree) return;
    const uint8_t old = active;
    active = fetched == 0 ? 1 : kTree - 1;
    env.send(server, GetNodes{connection, active});
    env.set_timer("request");
    if (old > 0) judge_unanswered(env, old);
  }
  // The mistake: not every request without an answer has timed out.
  void judge_unanswered(Env& env, uint8_t count) {
    if (count > kFewItems) return;
    unregister();
    dropped = true;
    env.send(server, Disconnect{connection});
  }
  bool is_current(Connection of) const { return registered && of == connection; }
  // What it was asked for stays in `active`.
  void unregister() {
    registered = false;
    if (*stage != Stage::kState) stage = Stage::kNone;
  }

  const Id server;
  const Variant variant;
  Durable<bool> ran{this, "ran"};
  Durable<uint8_t> fetched{this, "fetched"};  // parts of the tree
  Field<bool> registered{this, "registered"};
  Field<Connection> connection{this, "connection"};
  Field<Stage> stage{this, "stage"};
  Field<uint8_t> active{this, "active"};  // parts that the outstanding request is for; 0: none
  // For the properties.
  Field<bool> dropped{this, "dropped"};    // as one that stalls, since the last Status
  Field<bool> was_slow{this, "was_slow"};  // a request timed out on this connection
};

inline bool is_done(const States& states) {
  const bool both = states.up("a") && states.up("b");
  return !both || states.node<Fetcher>("a").fetched == kTree;
}
inline Cluster of_two(Variant variant) {
  Cluster cluster({"a", "b"});
  cluster.node<Fetcher>("a", cluster.id("b"), variant);
  cluster.node<Server>("b", cluster.id("a"));
  cluster.limits = {.crashes = 1, .restarts = 1};
  cluster.most.losses = 0;
  cluster.most.duplicates = 0;
  cluster.channels = clew::explore::Channels::kFifo;
  cluster.unit = clew::explore::Unit::kMessage;
  return cluster;
}

}  // namespace ethereum

// Pull request 15138.
inline Cluster ethm_1(Variant variant) {
  Cluster cluster = ethereum::of_two(variant);
  cluster.always("who is dropped was slow", [](const States& states) {
    const auto& fetcher = states.node<ethereum::Fetcher>("a");
    return !fetcher.dropped || fetcher.was_slow;
  });
  cluster.finally("everything is fetched", ethereum::is_done);
  return cluster;
}
// What comes of it: a run that goes on for ever, which only the stateful engine sees.
inline Cluster ethm_1_for_ever(Variant variant) {
  Cluster cluster = ethereum::of_two(variant);
  cluster.eventually("everything is fetched", ethereum::is_done);
  return cluster;
}

}  // namespace bugs
