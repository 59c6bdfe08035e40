// A server of Canonical's raft as a node: a library that nobody here wrote, run by the explorer.
//
//   Cluster cluster({"a", "b", "c"});
//   for (const char* name : {"a", "b", "c"}) cluster.node<RaftNode>(name, Options{});
//   cluster.client({cluster.ask("a", Request{Propose{"x"}})});
//
// The library does all input and output through a struct of functions, raft_io, which Io fills:
// what the library sends is sent by the Env, what it stores is Durable, what it wants to know of
// time is counted from the timers that have fired. Everything else that the library remembers is
// hidden in its memory, so the node does not declare its state: it is run again, from its last
// start, to be where it was.
//
// Timers: "tick" is a heartbeat's time (100 ms); "timeout" is so long that whoever waits for a
// leader waits no longer; "disk" does the first pending work of a slow disk.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "node/node.h"
#include "systems/raft/io.h"

namespace clew::raft {

// A variable of the past, for properties to speak of: no crash takes it away, no server reads it.
template <class T>
class History : public node::Field<T> {
 public:
  History(node::AnyNode* node, std::string name)
      : node::Field<T>(node, std::move(name), {}, true) {}
};

// An entry that a server took for committed, and in which term the server was then.
struct Committed {
  uint64_t index = 0;
  Entry entry{};
  uint64_t in_term = 0;
  CLEW_FIELDS(Committed, index, entry, in_term)
};

// A command that a server applied, and as the how-manieth.
struct Applied {
  uint64_t position = 0;
  std::string command{};
  CLEW_FIELDS(Applied, position, command)
};

class RaftNode : public node::Node<RaftNode, Message, Request, Reply> {
 public:
  explicit RaftNode(Options options);
  ~RaftNode() override;

  bool declares_state() const override { return false; }
  void start(Env& env) override;
  void timer(Env& env, std::string_view name) override;
  template <class M>
  void receive(Env& env, Id from, const M& message) {
    take(env, from, message);
  }
  void request(Env& env, node::RequestId id, const Propose& propose);
  void request(Env& env, node::RequestId id, const Transfer& transfer);

  // What properties ask. Of a node that is down: what its disk has.
  bool leads() const;
  bool gave_up() const;  // the library met what it takes for impossible
  bool strays() const;   // the library sent a message to a server that does not exist
  uint64_t term() const;
  uint64_t commit_index() const;
  Log log() const;

  node::Durable<Ballot> ballot{this, "ballot"};
  node::Durable<Log> stored{this, "log"};
  node::Durable<Snapshot> snapshot{this, "snapshot"};
  node::Field<std::vector<std::string>> applied{this, "applied"};

  History<std::set<uint64_t>> led{this, "led"};  // terms
  History<std::set<Committed>> committed{this, "committed"};
  History<std::set<Applied>> ever_applied{this, "ever_applied"};

 private:
  struct Server;  // what the library knows
  class Handling;

  void take(Env& env, Id from, const Message& message);
  void begin_server();
  void note_commits();

  const Options options_;
  std::unique_ptr<Server> server_;  // since the last start
};

}  // namespace clew::raft
