// Four bugs of ZooKeeper: of its leader election, and of what leaders and followers agree on next.
//
//   ZOOK-1, ZOOK-2    3.1 and 3.3: a follower gets what it lacks and the epoch in one Sync
//   ZOOK-3, ZOOK-4    3.4: the epoch is agreed on first, by a majority
//
//   follower                        leader
//      | --- FollowerInfo{epoch} ----> |
//      | <-- LeaderInfo{epoch} ------- |    3.4: higher than what any of a majority has seen
//      | --- AckEpoch ---------------> |    3.4
//      | <-- Sync, or NewLeader ------ |    the history of the leader
//      | --- Ack --------------------> |
//      | <-- UpToDate ---------------- |    once a majority takes part
//      |                               |
//      | --- Forward{value} ---------> |    a write
//      | <-- Proposal{zxid, value} --- |
//      | --- Ack{zxid} --------------> |
//      | <-- Commit{zxid} ------------ |    of a majority
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "zookeeper_election.h"

namespace bugs {
namespace zookeeper {

struct Ack {
  Zxid zxid{};  // counter 0: of the epoch itself
  CLEW_FIELDS(Ack, zxid)
};
struct UpToDate {
  CLEW_FIELDS(UpToDate)
};

// Atomic broadcast, as of 3.1.0: ZOOK-1.

using Value = uint8_t;

struct Entry {
  Zxid zxid{};
  Value value = 0;
  CLEW_FIELDS(Entry, zxid, value)
};
using History = std::vector<Entry>;

struct Write {
  Value value = 0;
  CLEW_FIELDS(Write, value)
};
struct Done {
  CLEW_FIELDS(Done)
};

// The follower drops what is later than `keep`, and adds the rest.
struct Sync {
  uint8_t boot = 0;
  uint8_t epoch = 0;
  Zxid keep{};
  History rest{};
  CLEW_FIELDS(Sync, boot, epoch, keep, rest)
};
struct Forward {
  Value value = 0;
  CLEW_FIELDS(Forward, value)
};
// To itself: what is in the log is on its way to the thread that sends.
struct Logged {
  Entry entry{};
  CLEW_FIELDS(Logged, entry)
};
struct Proposal {
  Entry entry{};
  CLEW_FIELDS(Proposal, entry)
};
struct Commit {
  Zxid zxid{};
  CLEW_FIELDS(Commit, zxid)
};
using BroadcastMessage = std::variant<Notification, FollowerInfo, Sync, Ack, UpToDate, Ping, Pong,
                                      Forward, Logged, Proposal, Commit>;

struct Replica : Elector<Replica, BroadcastMessage, Write, Done> {
  using Base = Elector<Replica, BroadcastMessage, Write, Done>;
  using Base::receive;

  Replica(Ensemble of, Variant which) : Base(std::move(of)), variant(which) {}

  // What clients ask for waits until this server is part of an epoch; until it is answered, they
  // ask again after each election.
  void request(Env& env, clew::node::RequestId id, const Write& write) {
    asked.edit()[write.value] = id;
    waiting.edit().push_back(write.value);
    submit(env);
  }
  void submit(Env& env) {
    if (!serving || waiting->empty()) return;
    for (uint8_t i = 0; i < applied; ++i) tell_client(env, log[i].value);
    const std::vector<Value> now = waiting;
    waiting = {};
    for (const Value value : now) {
      if (role == Role::kLeading) {
        propose(env, value);
      } else {
        env.send(vote->leader, Forward{value});
      }
    }
  }

  // The leader's part.
  void begin_leading(Env&) {
    following = static_cast<uint8_t>(variant == Variant::kBug ? last().epoch + 1 : epoch + 1);
    applied = static_cast<uint8_t>(log->size());
  }
  void admit(Env& env, Id from, const FollowerInfo& info) {
    const bool is_ahead = std::pair(info.epoch, info.last) > std::pair(epoch.get(), last());
    if (variant == Variant::kRepair && !serving && is_ahead) return look(env);
    const History& all = log;
    const History committed(all.begin(), all.begin() + applied);
    Sync sync{info.boot, following, committed.back().zxid, {}};
    // The bug: what lies between the oldest and the newest is taken for known.
    if (variant == Variant::kBug) {
      sync.keep = std::min(info.last, sync.keep);
    } else {
      for (const Entry& entry : committed) {
        if (entry.zxid <= info.last) sync.keep = entry.zxid;
      }
    }
    for (const Entry& entry : committed) {
      if (entry.zxid > sync.keep) sync.rest.push_back(entry);
    }
    env.send(from, sync);
    for (size_t i = committed.size(); i < all.size(); ++i) env.send(from, Proposal{all[i]});
  }
  void receive(Env& env, Id from, const Ack& ack) {
    if (role != Role::kLeading || !learners->contains(from)) return;
    if (ack.zxid.epoch != following) return;
    if (ack.zxid.counter > 0) return count(env, from, ack.zxid);
    supporters.edit().insert(from);
    if (serving) return env.send(from, UpToDate{});
    if (!is_majority(supporters->size() + 1)) return;
    keep_epoch(env);
    for (const Id id : *supporters) env.send(id, UpToDate{});
    serve(env);
    submit(env);
  }
  void propose(Env& env, Value value) {
    const auto counter = static_cast<uint8_t>(last().epoch == following ? last().counter + 1 : 1);
    const Entry entry{{following, counter}, value};
    log.edit().push_back(entry);
    env.sync();
    env.send(env.self(), Logged{entry});
  }
  void receive(Env& env, Id, const Logged& logged) {
    if (role != Role::kLeading || logged.entry.zxid.epoch != following) return;
    for (const Id id : *learners) env.send(id, Proposal{logged.entry});
  }
  void receive(Env& env, Id, const Forward& forward) {
    if (role == Role::kLeading && serving) propose(env, forward.value);
  }
  // What a majority has is committed, in order.
  void count(Env& env, Id from, Zxid zxid) {
    if (log->size() == applied || zxid < log[applied].zxid) return;
    acks.edit()[zxid].insert(from);
    while (applied < log->size()) {
      const Zxid next = log[applied].zxid;
      const auto at = acks->find(next);
      if (at == acks->end() || !is_majority(at->second.size() + 1)) return;
      acks.edit().erase(next);
      apply(env);
      for (const Id id : *learners) env.send(id, Commit{next});
    }
  }

  // The follower's part.
  void receive(Env& env, Id from, const Sync& sync) {
    if (!follows(from) || sync.boot != boots || sync.epoch < following) return;
    if (variant == Variant::kRepair && sync.epoch < epoch) return look(env);
    // Once more, since it has knocked twice: then all that it has is the leader's.
    const Zxid keep = following == sync.epoch ? last() : sync.keep;
    const Zxid committed = sync.rest.empty() ? sync.keep : sync.rest.back().zxid;
    History next;
    for (const Entry& entry : *log) {
      if (entry.zxid <= keep) next.push_back(entry);
    }
    for (const Entry& entry : sync.rest) {
      if (entry.zxid > keep) next.push_back(entry);
    }
    applied = static_cast<uint8_t>(
        std::ranges::count_if(next, [&](const Entry& entry) { return entry.zxid <= committed; }));
    log = std::move(next);
    following = sync.epoch;
    keep_epoch(env);
    env.send(from, Ack{{sync.epoch, 0}});
  }
  void receive(Env& env, Id from, const UpToDate&) {
    if (!follows(from) || following == 0) return;
    serve(env);
    submit(env);
  }
  void receive(Env& env, Id from, const Proposal& proposal) {
    if (!follows(from) || following == 0 || proposal.entry.zxid <= last()) return;
    log.edit().push_back(proposal.entry);
    env.sync();
    env.send(from, Ack{proposal.entry.zxid});
  }
  void receive(Env& env, Id from, const Commit& commit) {
    if (!follows(from) || following == 0) return;
    while (applied < log->size() && log[applied].zxid <= commit.zxid) apply(env);
  }

  // The other bug: nobody remembers an epoch in which nothing was written.
  void keep_epoch(Env& env) {
    if (variant == Variant::kRepair) epoch = *following;
    env.sync();
  }
  void apply(Env& env) {
    tell_client(env, log[applied].value);
    ++applied;
  }
  void tell_client(Env& env, Value value) {
    const auto at = asked->find(value);
    if (at == asked->end()) return;
    env.reply(at->second, Done{});
    asked.edit().erase(value);
    std::erase(waiting.edit(), value);
  }
  Zxid last() const { return log->back().zxid; }
  // The election as it was knew nothing of epochs but what a zxid tells.
  Vote own_vote(Id self) const {
    return {variant == Variant::kBug ? uint8_t{0} : epoch.get(), last(), self};
  }
  static bool better(const Vote& a, const Vote& b) { return a > b; }
  FollowerInfo info() const { return {boots, epoch, last()}; }
  void begin_served() {
    following = epoch;
    applied = static_cast<uint8_t>(log->size());
  }
  void forget() {
    following = 0;
    applied = 0;
    acks = {};
    waiting = {};
    for (const auto& [value, request] : *asked) waiting.edit().push_back(value);
  }
  // The history that clients of this server see.
  History served() const {
    if (!serving) return {};
    return {log->begin(), log->begin() + applied};
  }

  const Variant variant;
  Durable<History> log{this, "log", History{Entry{Zxid{1, 1}, 0}}};
  Durable<uint8_t> epoch{this, "epoch", 1};
  Field<uint8_t> following{this, "following"};  // the epoch it takes part in; 0: none yet
  Field<uint8_t> applied{this, "applied"};      // so many of the log
  Field<std::map<Zxid, std::set<Id>>> acks{this, "acks"};
  Field<std::map<Value, clew::node::RequestId>> asked{this, "asked"};  // and not answered
  Field<std::vector<Value>> waiting{this, "waiting"};                  // and not sent anywhere
};

inline bool is_prefix(const History& one, const History& other) {
  return std::ranges::mismatch(one, other).in1 == one.end();
}
inline bool agree(const History& one, const History& other) {
  return is_prefix(one, other) || is_prefix(other, one);
}
// Where both have a zxid, it is of the same value.
inline bool same_values(const History& one, const History& other) {
  return std::ranges::all_of(one, [&](const Entry& entry) {
    const auto at = std::ranges::find(other, entry.zxid, &Entry::zxid);
    return at == other.end() || at->value == entry.value;
  });
}

// The election alone, as of 3.3.1: ZOOK-2.

// A server that was down is there again.
struct Connect {
  CLEW_FIELDS(Connect)
};
struct NewLeader {
  uint8_t boot = 0;
  uint8_t epoch = 0;
  CLEW_FIELDS(NewLeader, boot, epoch)
};
using CandidateMessage =
    std::variant<Notification, Connect, FollowerInfo, NewLeader, Ack, UpToDate, Ping, Pong>;

struct Candidate : Elector<Candidate, CandidateMessage> {
  using Base = Elector<Candidate, CandidateMessage>;
  using Base::receive;
  static constexpr uint8_t kMostRefusals = 1;

  Candidate(Ensemble of, Variant which) : Base(std::move(of)), variant(which) {}

  void come_back(Env& env) {
    processed = *logged;
    for (const Id id : ensemble.voters) {
      if (id != env.self()) env.send(id, Connect{});
    }
  }
  // The connection may have broken before the last notification arrived: it is sent again.
  void receive(Env& env, Id from, const Connect&) const {
    const auto last = last_sent->find(from);
    if (last != last_sent->end()) env.send(from, last->second);
  }

  void begin_leading(Env&) {
    following = static_cast<uint8_t>(processed->epoch + 1);
    // The bug: nobody supports it yet.
    if (variant == Variant::kBug) processed = Zxid{following, 0};
  }
  void admit(Env& env, Id from, const FollowerInfo& info) {
    env.send(from, NewLeader{info.boot, following});
  }
  void receive(Env& env, Id from, const Ack& ack) {
    if (role != Role::kLeading || !learners->contains(from)) return;
    if (ack.zxid.epoch != following) return;
    supporters.edit().insert(from);
    if (serving) return env.send(from, UpToDate{});
    if (!is_majority(supporters->size() + 1)) return;
    log_epoch(env);
    for (const Id id : *supporters) env.send(id, UpToDate{});
    serve(env);
  }

  void receive(Env& env, Id from, const NewLeader& leader) {
    if (!follows(from) || following != 0 || leader.boot != boots) return;
    if (leader.epoch < processed->epoch) {
      if (refusals < kMostRefusals) ++refusals;
      return look(env);
    }
    refusals = 0;
    following = leader.epoch;
    log_epoch(env);
    env.send(from, Ack{{following, 0}});
  }
  void receive(Env& env, Id from, const UpToDate&) {
    if (follows(from) && following != 0) serve(env);
  }
  void log_epoch(Env& env) {
    processed = Zxid{following, 0};
    logged = *processed;
    env.sync();
  }

  Vote own_vote(Id self) const { return {0, processed, self}; }
  static bool better(const Vote& a, const Vote& b) { return a > b; }
  FollowerInfo info() const { return {boots, 0, processed}; }
  void begin_served() { following = processed->epoch; }
  void forget() { following = 0; }
  void noted(Id to, const Notification& sent) { last_sent.edit()[to] = sent; }

  const Variant variant;
  Durable<Zxid> logged{this, "logged", Zxid{0, 1}};
  Field<Zxid> processed{this, "processed", Zxid{0, 1}};
  Field<uint8_t> following{this, "following"};  // the epoch it takes part in; 0: none yet
  Field<uint8_t> refusals{this, "refusals"};    // of leaders, one after the other
  Field<std::map<Id, Notification>> last_sent{this, "last_sent"};
};

// Since 3.4 an epoch is agreed on before anybody takes part in it: ZOOK-3, ZOOK-4.

struct LeaderInfo {
  uint8_t boot = 0;
  uint8_t epoch = 0;
  CLEW_FIELDS(LeaderInfo, boot, epoch)
};
struct AckEpoch {
  uint8_t epoch = 0;  // that it took part in before
  CLEW_FIELDS(AckEpoch, epoch)
};
using MemberMessage = std::variant<Notification, FollowerInfo, LeaderInfo, AckEpoch, NewLeader, Ack,
                                   UpToDate, Ping, Pong>;

struct Member : Elector<Member, MemberMessage> {
  using Base = Elector<Member, MemberMessage>;
  using Base::receive;
  static constexpr uint8_t kMostReturns = 3;
  static constexpr Zxid kLast{0, 1};  // nobody writes anything

  // Mistakes: votes are not compared as they should be; watchers are counted as voters are.
  struct Mistakes {
    bool order = false;
    bool quorum = false;
  };
  Member(Ensemble of, Mistakes which, uint8_t epoch = 1)
      : Base(std::move(of)), mistakes(which), first_epoch(epoch) {}

  // The leader's part.
  void begin_leading(Env&) { highest = *accepted; }
  void admit(Env& env, Id from, const FollowerInfo& info) {
    if (following != 0) return env.send(from, LeaderInfo{info.boot, following});
    if (info.epoch > highest) highest = info.epoch;
    knocking.edit()[from] = info;
    if (!is_majority(voters_of(*learners) + 1)) return;
    following = static_cast<uint8_t>(highest + 1);
    accepted = *following;
    env.sync();
    for (const auto& [id, waits] : *knocking) env.send(id, LeaderInfo{waits.boot, following});
    knocking = {};
  }
  void receive(Env& env, Id from, const AckEpoch& ack) {
    if (role != Role::kLeading || !learners->contains(from)) return;
    if (ack.epoch > current) return look(env);  // the follower should lead
    ready.edit().insert(from);
    if (current == following) return env.send(from, NewLeader{0, following});
    if (!is_majority(voters_of(*ready) + 1)) return;
    current = *following;
    env.sync();
    for (const Id id : *ready) env.send(id, NewLeader{0, following});
  }
  void receive(Env& env, Id from, const Ack& ack) {
    if (role != Role::kLeading || !learners->contains(from)) return;
    if (ack.zxid.epoch != following) return;
    supporters.edit().insert(from);
    if (serving) return env.send(from, UpToDate{});
    if (!is_majority(voters_of(*supporters) + 1)) return;
    for (const Id id : *supporters) env.send(id, UpToDate{});
    serve(env);
  }
  bool has_quorum() const {
    const size_t synced = mistakes.quorum ? supporters->size() : voters_of(*supporters);
    return is_majority(synced + 1);
  }

  // The follower's part.
  void receive(Env& env, Id from, const LeaderInfo& leader) {
    if (!follows(from) || following != 0 || leader.boot != boots) return;
    if (leader.epoch < accepted) return look(env);
    accepted = leader.epoch;
    following = leader.epoch;
    env.sync();
    env.send(from, AckEpoch{current});
  }
  void receive(Env& env, Id from, const NewLeader& leader) {
    if (!follows(from) || leader.epoch != following || is_synced) return;
    current = leader.epoch;
    is_synced = true;
    env.sync();
    env.send(from, Ack{{following, 0}});
  }
  void receive(Env& env, Id from, const UpToDate&) {
    if (follows(from) && is_synced) serve(env);
  }

  Vote own_vote(Id self) const { return {current, kLast, self}; }
  bool better(const Vote& a, const Vote& b) const {
    if (!mistakes.order) return a > b;
    return a.epoch > b.epoch || (a.epoch == b.epoch && a.last > b.last) ||
           (a.last == b.last && a.leader > b.leader);
  }
  void change(const Vote& other) {
    given_up.edit().insert(*vote);
    if (given_up->contains(other) && returns < kMostReturns) ++returns;
    vote = other;
  }
  void begin_round() {
    given_up = {};
    returns = 0;
  }
  FollowerInfo info() const { return {boots, accepted, kLast}; }
  void begin_served() { following = *current; }
  void forget() {
    following = 0;
    highest = 0;
    ready = {};
    is_synced = false;
    begin_round();
  }

  const Mistakes mistakes;
  const uint8_t first_epoch;
  Durable<uint8_t> accepted{this, "accepted", first_epoch};  // epochs: heard of,
  Durable<uint8_t> current{this, "current", first_epoch};    // and taken part in
  Field<uint8_t> following{this, "following"};               // 0: not known yet
  Field<uint8_t> highest{this, "highest"};                   // of a leader: that it has heard of
  Field<std::set<Id>> ready{this, "ready"};                  // of a leader: who knows the epoch
  Field<bool> is_synced{this, "is_synced"};
  Field<std::set<Vote>> given_up{this, "given_up"};  // votes it had in this round
  Field<uint8_t> returns{this, "returns"};           // to one of these
};

inline std::vector<Id> first(uint8_t count) {
  std::vector<Id> ids;
  for (uint8_t i = 0; i < count; ++i) ids.push_back(Id{i});
  return ids;
}
// Connections keep what they carry, in order, and timeouts are longer than it takes.
inline Cluster cluster_of(const std::vector<std::string>& names, uint8_t crashes,
                          uint8_t restarts) {
  Cluster cluster(names);
  cluster.channels = clew::explore::Channels::kFifo;
  cluster.unit = clew::explore::Unit::kMessage;
  cluster.limits = {.crashes = crashes, .restarts = restarts};
  cluster.most.losses = 0;
  cluster.most.duplicates = 0;
  cluster.most.early_timers = 0;
  return cluster;
}
// Engines that run paths see what holds where nothing is left to happen, only the stateful one what
// goes on for ever.
enum class Ends : uint8_t { kAtRest, kNever };
template <class N>
void must_serve(Cluster& cluster, const std::vector<Id>& ids, Ends ends) {
  const auto holds = [ids](const States& states) {
    const auto up = std::ranges::count_if(ids, [&](Id id) { return states.up(id); });
    if (static_cast<size_t>(up) <= ids.size() / 2) return true;
    return std::ranges::all_of(ids,
                               [&](Id id) { return !states.up(id) || states.node<N>(id).serving; });
  };
  const char* name = "whoever is up has a leader";
  if (ends == Ends::kNever) {
    cluster.eventually(name, holds);
  } else {
    cluster.finally(name, holds);
  }
}

}  // namespace zookeeper

// Two writes, and a server that leads, s2; it may crash, and others after it.
inline Cluster zook_1(Variant variant) {
  using zookeeper::Replica;
  using zookeeper::Write;
  const std::vector<Id> ids = zookeeper::first(3);
  Cluster cluster = zookeeper::cluster_of({"s0", "s1", "s2"}, 3, 3);
  for (const char* name : {"s0", "s1", "s2"}) {
    cluster.node<Replica>(name, zookeeper::Ensemble{ids, ids[2], true}, variant);
  }
  cluster.client({cluster.ask("s2", Write{1})});
  cluster.client({cluster.ask("s1", Write{2})});
  const auto all_pairs = [ids](const States& states, const auto& holds) {
    const auto node = [&](Id id) -> const Replica& { return states.node<Replica>(id); };
    return holds(node(ids[0]), node(ids[1])) && holds(node(ids[0]), node(ids[2])) &&
           holds(node(ids[1]), node(ids[2]));
  };
  cluster.always("servers agree on what they serve", [=](const States& states) {
    return all_pairs(states, [](const Replica& one, const Replica& other) {
      return zookeeper::agree(one.served(), other.served());
    });
  });
  cluster.always("a zxid has one value", [=](const States& states) {
    return all_pairs(states, [](const Replica& one, const Replica& other) {
      return zookeeper::same_values(one.log, other.log);
    });
  });
  return cluster;
}

// Three servers that look for a leader; one of them may crash and come back.
inline Cluster zook_2(Variant variant, zookeeper::Ends ends = zookeeper::Ends::kAtRest) {
  using zookeeper::Candidate;
  const std::vector<Id> ids = zookeeper::first(3);
  Cluster cluster = zookeeper::cluster_of({"s0", "s1", "s2"}, 1, 1);
  for (const char* name : {"s0", "s1", "s2"}) {
    cluster.node<Candidate>(name, zookeeper::Ensemble{ids, {}, true}, variant);
  }
  if (ends == zookeeper::Ends::kAtRest) {
    cluster.always("nobody is locked out", [ids](const States& states) {
      return std::ranges::all_of(ids, [&](Id id) {
        return states.node<Candidate>(id).refusals < Candidate::kMostRefusals;
      });
    });
  }
  zookeeper::must_serve<Candidate>(cluster, ids, ends);
  return cluster;
}

inline void promise_an_end(Cluster& cluster, const std::vector<Id>& ids, zookeeper::Ends ends) {
  using zookeeper::Member;
  if (ends == zookeeper::Ends::kAtRest) {
    cluster.always("an election does not go round", [ids](const States& states) {
      return std::ranges::all_of(
          ids, [&](Id id) { return states.node<Member>(id).returns < Member::kMostReturns; });
    });
  }
  zookeeper::must_serve<Member>(cluster, ids, ends);
}
// Three servers, of which s2 leads; all of them may crash and come back.
inline Cluster zook_3(Variant variant, zookeeper::Ends ends = zookeeper::Ends::kAtRest) {
  using zookeeper::Member;
  const std::vector<Id> ids = zookeeper::first(3);
  Cluster cluster = zookeeper::cluster_of({"s0", "s1", "s2"}, 3, 3);
  for (const char* name : {"s0", "s1", "s2"}) {
    cluster.node<Member>(name, zookeeper::Ensemble{ids, ids[2], false},
                         Member::Mistakes{.order = variant == Variant::kBug});
  }
  promise_an_end(cluster, ids, ends);
  return cluster;
}

// The election of zook_3 by itself, as it is after all three have crashed: s2 has missed an epoch.
inline Cluster zook_3_election(Variant variant, zookeeper::Ends ends) {
  using zookeeper::Member;
  Cluster cluster = zookeeper::cluster_of({"s0", "s1", "s2"}, 0, 0);
  const std::vector<Id> ids = zookeeper::first(3);
  for (const Id id : ids) {
    cluster.node<Member>(cluster.names().name(id), zookeeper::Ensemble{ids, {}, false},
                         Member::Mistakes{.order = variant == Variant::kBug},
                         id == ids[2] ? uint8_t{1} : uint8_t{2});
  }
  promise_an_end(cluster, ids, ends);
  return cluster;
}

// Two voters, of which the second will lead, and a server that only watches.
inline Cluster zook_4(Variant variant) {
  using zookeeper::Member;
  const std::vector<Id> voters = zookeeper::first(2);
  Cluster cluster = zookeeper::cluster_of({"a", "b", "observer"}, 1, 0);
  for (const char* name : {"a", "b", "observer"}) {
    cluster.node<Member>(name, zookeeper::Ensemble{voters, {}, false},
                         Member::Mistakes{.quorum = variant == Variant::kBug});
  }
  cluster.always("who leads has a majority of voters", [voters](const States& states) {
    return std::ranges::all_of(voters, [&](Id id) {
      const Member& member = states.node<Member>(id);
      if (member.role != zookeeper::Role::kLeading || !member.serving) return true;
      return member.is_majority(member.voters_of(*member.supporters) + 1);
    });
  });
  return cluster;
}

}  // namespace bugs
