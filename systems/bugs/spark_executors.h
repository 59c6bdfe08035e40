// How an executor of Spark comes and goes.
//
//   executor                        driver                         manager
//     | --- RegisterExecutor ------> | scheduler: knows it            |    of the cluster
//     | <-- RegisteredExecutor ----- |  and tells the part that       |
//     | --- RegisterBlocks --------> |  hears of lives (Added)        |
//     | <-- RegisteredBlocks ------- |                                |
//     | --- Heartbeat -------------> |  asks the part that knows      |
//     | <-- HeartbeatHeard --------- |  blocks (IsKnown, Known)       |
//     |                              | --- Kill --------------------> |    if a client wants it
//     | <---------------------- Exit | <-- RemoveExecutor ----------- |
//     | --- Disconnected ----------> |
//
// Parts of the driver tell each other what they find by messages, too, each of which is a step. A
// channel is FIFO.
#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <variant>

#include "bug.h"

namespace bugs {

namespace spark_executors {

struct RegisterExecutor {
  CLEW_FIELDS(RegisterExecutor)
};
struct RegisteredExecutor {
  CLEW_FIELDS(RegisteredExecutor)
};
struct RegisterBlocks {
  CLEW_FIELDS(RegisterBlocks)
};
struct RegisteredBlocks {
  CLEW_FIELDS(RegisteredBlocks)
};
struct Heartbeat {
  CLEW_FIELDS(Heartbeat)
};
struct HeartbeatHeard {
  bool register_again = false;  // its blocks
  CLEW_FIELDS(HeartbeatHeard, register_again)
};
// The socket is closed.
struct Disconnected {
  CLEW_FIELDS(Disconnected)
};
struct Kill {
  Id executor;
  CLEW_FIELDS(Kill, executor)
};
struct Exit {
  CLEW_FIELDS(Exit)
};
struct RemoveExecutor {
  Id executor;
  CLEW_FIELDS(RemoveExecutor, executor)
};
// Between parts of the driver.
struct Added {
  Id executor;
  CLEW_FIELDS(Added, executor)
};
struct Removed {
  Id executor;
  CLEW_FIELDS(Removed, executor)
};
struct RemoveBlocks {
  Id executor;
  CLEW_FIELDS(RemoveBlocks, executor)
};
struct IsKnown {
  Id executor;
  CLEW_FIELDS(IsKnown, executor)
};
struct Known {
  Id executor;
  bool yes = false;
  CLEW_FIELDS(Known, executor, yes)
};
// What the driver wants of all who have blocks.
struct Forget {
  CLEW_FIELDS(Forget)
};
using Message = std::variant<RegisterExecutor, RegisteredExecutor, RegisterBlocks, RegisteredBlocks,
                             Heartbeat, HeartbeatHeard, Disconnected, Kill, Exit, RemoveExecutor,
                             Added, Removed, RemoveBlocks, IsKnown, Known, Forget>;

// What the program wants: to wait until the executor is there, to have it killed, to have all that
// have blocks forget some.
struct Begin {
  CLEW_FIELDS(Begin)
};
struct FewerExecutors {
  CLEW_FIELDS(FewerExecutors)
};
struct FewerBlocks {
  CLEW_FIELDS(FewerBlocks)
};
using Wish = std::variant<Begin, FewerExecutors, FewerBlocks>;

struct Driver : clew::node::Node<Driver, Message, Wish, clew::node::None> {
  Driver(Id who, Id first, Variant of) : manager(who), victim(first), variant(of) {}

  void request(Env& env, clew::node::RequestId id, const Begin&) {
    if (with_blocks->empty()) {
      waiting = id;
    } else {
      env.reply(id, {});
    }
  }
  void request(Env& env, clew::node::RequestId id, const FewerExecutors&) const {
    env.send(manager, Kill{victim});
    env.reply(id, {});
  }
  void request(Env& env, clew::node::RequestId id, const FewerBlocks&) const {
    for (const Id executor : *with_blocks) env.send(executor, Forget{});
    env.reply(id, {});
  }

  // Knows executors.
  void receive(Env& env, Id from, const RegisterExecutor&) {
    executors.edit().insert(from);
    env.send(from, RegisteredExecutor{});
    env.send(env.self(), Added{from});
  }
  void receive(Env& env, Id, const RemoveExecutor& remove) {
    remove_executor(env, remove.executor);
  }
  void receive(Env& env, Id from, const Disconnected&) { remove_executor(env, from); }
  void remove_executor(Env& env, Id executor) {
    if (executors->contains(executor)) {
      executors.edit().erase(executor);
      env.send(env.self(), Removed{executor});
      env.send(env.self(), RemoveBlocks{executor});
    } else if (variant == Variant::kRepair) {
      env.send(env.self(), RemoveBlocks{executor});  // it may have registered them again
    }
  }

  // Hears that they live.
  void receive(Env&, Id, const Added& added) { alive.edit().insert(added.executor); }
  void receive(Env&, Id, const Removed& removed) { alive.edit().erase(removed.executor); }
  void receive(Env& env, Id from, const Heartbeat&) const {
    if (alive->contains(from)) {
      env.send(env.self(), IsKnown{from});
    } else {
      env.send(from, HeartbeatHeard{true});
    }
  }
  void receive(Env& env, Id, const Known& known) const {
    env.send(known.executor, HeartbeatHeard{!known.yes});
  }

  // Knows blocks.
  void receive(Env& env, Id from, const RegisterBlocks&) {
    with_blocks.edit().insert(from);
    env.send(from, RegisteredBlocks{});
    if (!waiting) return;
    env.reply(**waiting, {});
    waiting = std::nullopt;
  }
  void receive(Env&, Id, const RemoveBlocks& remove) { with_blocks.edit().erase(remove.executor); }
  void receive(Env& env, Id, const IsKnown& is) const {
    env.send(env.self(), Known{is.executor, with_blocks->contains(is.executor)});
  }
  template <class Other>
  void receive(Env&, Id, const Other&) const {}  // what only others receive

  const Id manager;
  const Id victim;
  const Variant variant;
  Field<std::set<Id>> executors{this, "executors"};
  Field<std::set<Id>> alive{this, "alive"};
  Field<std::set<Id>> with_blocks{this, "with_blocks"};
  Field<std::optional<clew::node::RequestId>> waiting{this, "waiting"};
};

struct Executor : clew::node::Node<Executor, Message> {
  Executor(Id of, uint8_t how_often) : driver(of), beats(how_often) {}

  void start(Env& env) override { env.send(driver, RegisterExecutor{}); }
  void receive(Env& env, Id, const RegisteredExecutor&) {
    if (!exited) env.send(driver, RegisterBlocks{});
  }
  void receive(Env& env, Id, const RegisteredBlocks&) {
    if (exited || beating) return;
    beating = true;
    beat(env);
  }
  void receive(Env& env, Id, const HeartbeatHeard& heard) {
    if (exited) return;
    if (heard.register_again) env.send(driver, RegisterBlocks{});
    beat(env);
  }
  void receive(Env& env, Id, const Exit&) {
    exited = true;
    env.send(driver, Disconnected{});
  }
  template <class Other>
  void receive(Env&, Id, const Other&) const {}  // what only others receive

  void beat(Env& env) {
    if (beaten == beats) return;
    beaten = static_cast<uint8_t>(beaten + 1);
    env.send(driver, Heartbeat{});
  }

  const Id driver;
  const uint8_t beats;
  Field<bool> beating{this, "beating"};
  Field<uint8_t> beaten{this, "beaten"};
  Field<bool> exited{this, "exited"};
};

// Of the cluster: makes executors exit, and says that they have.
struct Manager : clew::node::Node<Manager, Message> {
  explicit Manager(Id of) : driver(of) {}
  void receive(Env& env, Id, const Kill& kill) {
    env.send(kill.executor, Exit{});
    env.send(driver, RemoveExecutor{kill.executor});
  }
  template <class Other>
  void receive(Env&, Id, const Other&) const {}  // what only others receive

  const Id driver;
};

inline Cluster with_one_executor(Variant variant) {
  Cluster cluster({"driver", "manager", "executor"});
  const Id driver = cluster.id("driver"), executor = cluster.id("executor");
  cluster.node<Driver>("driver", cluster.id("manager"), executor, variant);
  cluster.node<Manager>("manager", driver);
  cluster.node<Executor>("executor", driver, uint8_t{2});
  cluster.client({cluster.ask("driver", Wish{Begin{}}),
                  cluster.ask("driver", Wish{FewerExecutors{}}),
                  cluster.ask("driver", Wish{FewerBlocks{}})});
  cluster.most = {0, 0, 0, 0, 0};
  cluster.limits = {};
  cluster.channels = clew::explore::Channels::kFifo;
  cluster.unit = clew::explore::Unit::kMessage;
  cluster.finally("who has blocks is an executor", [](const States& states) {
    const auto& known = states.node<Driver>("driver");
    return std::ranges::includes(*known.executors, *known.with_blocks);
  });
  return cluster;
}

}  // namespace spark_executors

// SPARK-15262.
inline Cluster sprk_2(Variant variant) { return spark_executors::with_one_executor(variant); }

}  // namespace bugs
