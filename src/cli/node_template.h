// What `clew new-node` writes: a small system with a bug, to be found and mended.
#pragma once

namespace clew::cli {

// NAME stands for the name of the class.
inline constexpr const char* kNodeTemplate =
    R"(// A lock server, a client of which asks for the lock and gives it back.
//
//   clew explore THIS_FILE      explores every interleaving, crash and loss, few of them first
//
// It has a bug: see what clew finds, then mend it (a remark below says how).
#include <clew/explore.h>

using namespace clew;

// What nodes tell each other. CLEW_FIELDS names every member once.
struct Lock {
  CLEW_FIELDS(Lock)
};
struct Granted {
  CLEW_FIELDS(Granted)
};
struct Unlock {
  CLEW_FIELDS(Unlock)
};
using Message = std::variant<Lock, Granted, Unlock>;

// What a client asks of a node, and what it is answered.
struct Work {
  CLEW_FIELDS(Work)
};
struct Done {
  CLEW_FIELDS(Done)
};

// A handler is a function of the fields and its input, and of nothing else: no clock, no thread, no
// static variable. What is no Field must never change.
struct NAMEServer : Node<NAMEServer, Message> {
  void receive(Env& env, Id from, const Lock&) {
    if (!holder.get()) {
      holder = from;
      env.send(from, Granted{});
    } else {
      waiting.edit().push_back(from);
    }
  }
  void receive(Env& env, Id, const Unlock&) {
    holder = std::nullopt;
    if (waiting->empty()) return;
    const Id next = waiting->front();
    waiting.edit().erase(waiting.edit().begin());
    holder = next;
    env.send(next, Granted{});
  }
  void receive(Env&, Id, const Granted&) {}

  // The bug: all but Durable fields is forgotten in a crash. With Durable and env.sync() before
  // every send the server remembers who has the lock.
  Field<std::optional<Id>> holder{this, "holder"};
  Field<std::vector<Id>> waiting{this, "waiting"};
};

struct NAMEClient : Node<NAMEClient, Message, Work, Done> {
  explicit NAMEClient(Id of) : server(of) {}

  void request(Env& env, RequestId id, const Work&) {
    asked = id;
    env.send(server, Lock{});
  }
  void receive(Env& env, Id, const Granted&) {
    has_lock = true;
    env.set_timer("finish");
  }
  void timer(Env& env, std::string_view) override {
    has_lock = false;
    env.send(server, Unlock{});
    env.reply(asked, Done{});
  }
  void receive(Env&, Id, const Lock&) {}
  void receive(Env&, Id, const Unlock&) {}

  const Id server;
  Field<RequestId> asked{this, "asked"};
  Field<bool> has_lock{this, "has_lock"};
};

// What is explored: nodes, what clients ask, and what must hold.
Cluster describe() {
  Cluster cluster({"server", "ann", "bob"});
  const Id server = cluster.id("server");
  cluster.node<NAMEServer>("server");
  cluster.node<NAMEClient>("ann", server);
  cluster.node<NAMEClient>("bob", server);
  cluster.client({cluster.ask("ann", Work{})});
  cluster.client({cluster.ask("bob", Work{})});
  cluster.always("one at a time", [](const States& states) {
    return !(states.node<NAMEClient>("ann").has_lock && states.node<NAMEClient>("bob").has_lock);
  });
  return cluster;
}
)";

}  // namespace clew::cli
