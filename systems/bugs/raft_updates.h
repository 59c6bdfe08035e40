// Replication of a log by Raft (Ongaro and Ousterhout: In Search of an Understandable Consensus
// Algorithm) while its leader stays: what it takes to see everything that so many concurrent
// updates may do. Nothing is wrong with it; exploring it to the end is the task.
//
//   client        leader              each of two followers
//     | -- Put ----> |                     |
//     |              | --- Append -------> |    the entries that it is not known to have
//     |              | <-- Appended ------ |
//     | <-- Done --- |  of a majority      |
//     |              | --- Append -------> |    how much of it is committed
//     |              | <-- Appended ------ |
//
// inferred: that a leader has one request under way to each follower (as Kudu has), so what is put
// meanwhile travels together; and that it tells what is committed at once, not with a heartbeat.
#pragma once

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "bug.h"

namespace bugs {

namespace raft_updates_of {

struct Append {
  uint8_t previous = 0;  // index of the entry before these
  std::vector<uint8_t> entries;
  uint8_t committed = 0;
  CLEW_FIELDS(Append, previous, entries, committed)
};
struct Appended {
  uint8_t last = 0;  // index
  uint8_t committed = 0;
  CLEW_FIELDS(Appended, last, committed)
};
using Message = std::variant<Append, Appended>;

struct Put {
  uint8_t value = 0;
  CLEW_FIELDS(Put, value)
};
struct Done {
  uint8_t index = 0;
  CLEW_FIELDS(Done, index)
};

// What the leader knows of a follower.
struct Peer {
  uint8_t last = 0;
  uint8_t committed = 0;
  bool asked = false;  // a request is under way
  CLEW_FIELDS(Peer, last, committed, asked)
};

struct Server : clew::node::Node<Server, Message, Put, Done> {
  explicit Server(std::vector<Id> of_leader) : followers(std::move(of_leader)) {}

  void request(Env& env, clew::node::RequestId id, const Put& put) {
    log.edit().push_back(put.value);
    waiting.edit().push_back(id);
    tell_all(env);
  }
  void receive(Env& env, Id from, const Append& append) {
    std::vector<uint8_t> next = *log;
    if (append.previous > next.size()) throw std::logic_error("a gap in the log");
    next.resize(append.previous);
    next.insert(next.end(), append.entries.begin(), append.entries.end());
    if (!append.entries.empty()) {
      log = next;
      env.sync();
    }
    if (append.committed > committed) committed = append.committed;
    env.send(from, Appended{static_cast<uint8_t>(next.size()), append.committed});
  }
  void receive(Env& env, Id from, const Appended& appended) {
    peers.edit()[from] = Peer{appended.last, appended.committed, false};
    if (appended.last > committed) commit(env, appended.last);
    tell(env, from);
  }

  // Has the entries up to this one in two of three logs, its own and another one.
  void commit(Env& env, uint8_t last) {
    for (uint8_t index = committed + 1; index <= last; ++index) {
      env.reply(waiting->front(), Done{index});
      waiting.edit().erase(waiting.edit().begin());
    }
    committed = last;
    tell_all(env);
  }
  void tell_all(Env& env) {
    for (const Id follower : followers) tell(env, follower);
  }
  void tell(Env& env, Id follower) {
    const auto found = peers->find(follower);
    const Peer known = found == peers->end() ? Peer{} : found->second;
    if (known.asked || (known.last == log->size() && known.committed == committed)) return;
    const std::vector<uint8_t> missing(log->begin() + known.last, log->end());
    env.send(follower, Append{known.last, missing, committed});
    peers.edit()[follower] = Peer{known.last, known.committed, true};
  }

  const std::vector<Id> followers;  // of the leader; others have none
  Durable<std::vector<uint8_t>> log{this, "log"};
  Field<uint8_t> committed{this, "committed"};
  Field<std::map<Id, Peer>> peers{this, "peers"};
  Field<std::vector<clew::node::RequestId>> waiting{this, "waiting"};
};

inline bool agree(const States& states) {
  const auto& leader = states.node<Server>("a");
  return std::ranges::all_of(std::vector<std::string>{"b", "c"}, [&](const std::string& name) {
    const auto& follower = states.node<Server>(name);
    return follower.committed <= leader.committed && follower.log->size() <= leader.log->size() &&
           std::equal(follower.log->begin(), follower.log->end(), leader.log->begin());
  });
}

}  // namespace raft_updates_of

// So many clients put one value each, all at the same time.
inline Cluster raft_updates(uint8_t updates) {
  using raft_updates_of::Server;
  Cluster cluster({"a", "b", "c"});
  const std::vector<Id> followers = {cluster.id("b"), cluster.id("c")};
  cluster.node<Server>("a", followers);
  for (const char* name : {"b", "c"}) cluster.node<Server>(name, std::vector<Id>{});
  for (uint8_t i = 1; i <= updates; ++i) {
    cluster.client({cluster.ask("a", raft_updates_of::Put{i})});
  }
  cluster.symmetric({"b", "c"});
  cluster.most = {0, 0, 0, 0, 0};
  cluster.limits = {};
  cluster.channels = clew::explore::Channels::kFifo;
  cluster.always("what a follower has, its leader has", raft_updates_of::agree);
  cluster.finally("everybody has everything", [updates](const States& states) {
    return std::ranges::all_of(
        std::vector<std::string>{"a", "b", "c"}, [&](const std::string& name) {
          const auto& server = states.node<Server>(name);
          return server.log->size() == updates && server.committed == updates;
        });
  });
  return cluster;
}

}  // namespace bugs
