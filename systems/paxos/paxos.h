// Single-decree Paxos (Lamport: Paxos Made Simple), as nodes that `clew explore` can explore: an
// example to copy from.
//
//   explore::Cluster cluster = paxos::cluster({.proposers = 2, .acceptors = 3});
//   cluster.limits.crashes = 1;
//
//   proposer                       acceptor
//      | ---- Prepare{ballot} ------> |    promises to take part in no lower ballot,
//      | <--- Promise{ballot, ..} --- |    and tells what it has accepted so far
//      |  of a majority               |
//      | ---- Accept{ballot, value} > |    accepts unless it promised a higher ballot
//      | <--- Accepted{ballot} ------ |
//      |  of a majority: chosen       |
//
// What must hold: no two proposers take different values for chosen. It holds because a proposer
// that hears of accepted values in Promises asks for the one of the highest ballot, not for its
// own.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "explore/cluster.h"
#include "node/node.h"

namespace paxos {

using clew::node::Durable;
using clew::node::Field;
using clew::node::Id;

// What to explore. Each proposer has as many ballots as there are rounds: the first when it starts,
// one more whenever it lost patience (a timer) or comes back after a crash.
struct Setup {
  uint8_t proposers = 2;
  uint8_t acceptors = 3;
  uint8_t rounds = 1;
  // A mistake: acceptors do not compare the ballot of an Accept with what they have promised.
  bool forgetful = false;
};

using Ballot = int8_t;  // 0: none; no two proposers have the same
using Value = int8_t;   // 0: none; each proposer would like a value of its own

struct Prepare {
  Ballot ballot = 0;
  CLEW_FIELDS(Prepare, ballot)
};
struct Promise {
  Ballot ballot = 0;
  Ballot accepted = 0;  // the highest ballot that it has accepted, and the value
  Value value = 0;
  CLEW_FIELDS(Promise, ballot, accepted, value)
};
struct Accept {
  Ballot ballot = 0;
  Value value = 0;
  CLEW_FIELDS(Accept, ballot, value)
};
struct Accepted {
  Ballot ballot = 0;
  CLEW_FIELDS(Accepted, ballot)
};
using Message = std::variant<Prepare, Promise, Accept, Accepted>;

struct Acceptor : clew::node::Node<Acceptor, Message> {
  explicit Acceptor(bool forgets) : forgetful(forgets) {}

  void receive(Env& env, Id from, const Prepare& prepare) {
    if (prepare.ballot <= promised) return;
    promised = prepare.ballot;
    env.sync();  // a promise that a crash takes away is none
    env.send(from, Promise{promised, accepted, value});
  }
  void receive(Env& env, Id from, const Accept& accept) {
    if (accept.ballot < promised && !forgetful) return;
    promised = accept.ballot;
    accepted = accept.ballot;
    value = accept.value;
    env.sync();
    env.send(from, Accepted{accept.ballot});
  }
  template <class Other>
  void receive(Env&, Id, const Other&) {}  // what only proposers receive

  const bool forgetful;
  Durable<Ballot> promised{this, "promised"};
  Durable<Ballot> accepted{this, "accepted"};
  Durable<Value> value{this, "value"};
};

struct Proposer : clew::node::Node<Proposer, Message> {
  Proposer(uint8_t which, Setup of, std::vector<Id> all)
      : number(which), setup(of), acceptors(std::move(all)) {}

  void start(Env& env) override { propose(env); }
  void timer(Env& env, std::string_view) override {
    if (chosen == 0) propose(env);
  }

  // A ballot of its own that it has never used, also before a crash.
  void propose(Env& env) {
    if (round == setup.rounds) return;
    round = static_cast<uint8_t>(round + 1);
    env.sync();
    phase = Phase::kPrepare;
    heard = {};
    best = 0;
    value = static_cast<Value>(number + 1);
    for (const Id acceptor : acceptors) env.send(acceptor, Prepare{ballot()});
    if (round < setup.rounds) env.set_timer("patience");
  }
  void receive(Env& env, Id from, const Promise& promise) {
    if (promise.ballot != ballot() || *phase != Phase::kPrepare) return;
    if (promise.accepted > best) {
      best = promise.accepted;
      value = promise.value;
    }
    heard.edit().insert(from);
    if (!majority()) return;
    phase = Phase::kAccept;
    heard = {};
    for (const Id acceptor : acceptors) env.send(acceptor, Accept{ballot(), value});
  }
  void receive(Env&, Id from, const Accepted& one) {
    if (one.ballot != ballot() || *phase != Phase::kAccept) return;
    heard.edit().insert(from);
    if (!majority()) return;
    phase = Phase::kDone;
    heard = {};
    chosen = *value;
  }
  template <class Other>
  void receive(Env&, Id, const Other&) {}  // what only acceptors receive

  Ballot ballot() const {
    return round == 0 ? Ballot{0} : static_cast<Ballot>((round - 1) * setup.proposers + number + 1);
  }
  bool majority() const { return heard->size() > acceptors.size() / 2; }

  enum class Phase : uint8_t { kPrepare, kAccept, kDone };

  const uint8_t number;  // of the proposers, from 0
  const Setup setup;
  const std::vector<Id> acceptors;
  Durable<uint8_t> round{this, "round"};
  Field<Phase> phase{this, "phase"};
  Field<std::set<Id>> heard{this, "heard"};  // who has answered in this phase
  Field<Ballot> best{this, "best"};          // of the accepted ballots heard of
  Field<Value> value{this, "value"};         // to be asked for
  Field<Value> chosen{this, "chosen"};
};

inline std::vector<std::string> names(char letter, size_t count) {
  std::vector<std::string> all;
  for (size_t i = 1; i <= count; ++i) all.push_back(letter + std::to_string(i));
  return all;
}

// Proposers p1, p2, ... and acceptors a1, a2, ..., which are all alike.
inline clew::explore::Cluster cluster(const Setup& setup) {
  const std::vector<std::string> proposers = names('p', setup.proposers);
  const std::vector<std::string> acceptors = names('a', setup.acceptors);
  std::vector<std::string> all = proposers;
  all.insert(all.end(), acceptors.begin(), acceptors.end());
  clew::explore::Cluster cluster(all);
  std::vector<Id> acceptor_ids, proposer_ids;
  for (const std::string& name : acceptors) {
    acceptor_ids.push_back(cluster.id(name));
    cluster.node<Acceptor>(name, setup.forgetful);
  }
  for (const std::string& name : proposers) {
    const auto number = static_cast<uint8_t>(proposer_ids.size());
    proposer_ids.push_back(cluster.id(name));
    cluster.node<Proposer>(name, number, setup, acceptor_ids);
  }
  if (setup.acceptors > 1) cluster.symmetric(acceptors);
  cluster.always("agreement", [proposer_ids](const clew::explore::States& states) {
    std::set<Value> chosen;
    for (const Id id : proposer_ids) chosen.insert(states.node<Proposer>(id).chosen);
    chosen.erase(0);
    return chosen.size() <= 1;
  });
  return cluster;
}

}  // namespace paxos
