// Raft (Ongaro and Ousterhout: In Search of an Understandable Consensus Algorithm) as LogCabin has
// it, as far as electing a leader and sending a snapshot to a follower that is far behind.
//
//   candidate                another        leader                     follower
//     | -- RequestVote -------> |             | -- Append{previous} -----> |   without entries,
//     until | <- Vote --------------- |             | <- Appended -------------- |   it has
//     answered |  of a majority: leads,                | -- Append{.., entries} --> | |  and adds
//     an entry                    |  or, if it has no such entry any more:
//                                             | -- Chunk{offset} --------> |   a part of its
//                                             snapshot | <- Stored ---------------- |
//
// A leader has one request under way to each follower; what is under way to one that is down
// arrives when it is up again, as if it were asked again until then. Who hears of a leader does not
// vote, until its timer fires. When an entry is committed, a leader writes a snapshot, and once
// that is done (SnapshotDone) it throws away what the snapshot covers. Entries hold nothing but the
// term of their leader.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bug.h"

namespace bugs {

namespace raft_snapshot {

using Term = uint8_t;
using Index = uint8_t;  // of entries, from 1

inline constexpr uint8_t kChunks = 3;  // of a snapshot

struct RequestVote {
  Term term = 0;
  Term last_term = 0;
  Index last = 0;
  CLEW_FIELDS(RequestVote, term, last_term, last)
};
struct Vote {
  Term term = 0;
  bool granted = false;
  CLEW_FIELDS(Vote, term, granted)
};
struct Append {
  Term term = 0;
  Index previous = 0;
  Term previous_term = 0;
  std::vector<Term> entries;
  CLEW_FIELDS(Append, term, previous, previous_term, entries)
};
struct Appended {
  Term term = 0;
  bool agrees = false;
  Index last = 0;  // where it agrees, or the last one that it has
  CLEW_FIELDS(Appended, term, agrees, last)
};
struct Chunk {
  Term term = 0;
  Index last = 0;  // that the snapshot covers
  Term last_term = 0;
  uint8_t offset = 0;
  CLEW_FIELDS(Chunk, term, last, last_term, offset)
};
struct Stored {
  Term term = 0;
  uint8_t chunks = 0;  // that it has; with the mistake, nobody looks at it
  CLEW_FIELDS(Stored, term, chunks)
};
struct SnapshotDone {
  Index last = 0;
  CLEW_FIELDS(SnapshotDone, last)
};
using Message = std::variant<RequestVote, Vote, Append, Appended, Chunk, Stored, SnapshotDone>;

// The snapshot that a follower is given.
struct Sending {
  Index last = 0;
  Term last_term = 0;
  uint8_t offset = 0;
  CLEW_FIELDS(Sending, last, last_term, offset)
};
// What a leader knows of a follower.
struct Peer {
  bool has_answered = false;
  bool asked = false;  // a request is under way
  Index next = 1;      // entry to send
  Index match = 0;     // it has what the leader has, so far
  std::optional<Sending> sending{};
  CLEW_FIELDS(Peer, has_answered, asked, next, match, sending)
};

enum class Role : uint8_t { kFollower, kCandidate, kLeader };

// Entries, the first of which may be gone, as a snapshot covers them.
struct Log {
  Index snapshot = 0;  // the last one that it covers
  Term snapshot_term = 0;
  std::vector<Term> entries;
  CLEW_FIELDS(Log, snapshot, snapshot_term, entries)

  Index last() const { return static_cast<Index>(snapshot + entries.size()); }
  Term last_term() const { return term_of(last()); }
  // Requires that it is covered at most as the last one.
  Term term_of(Index index) const {
    return index == snapshot ? snapshot_term : entries[index - snapshot - 1U];
  }
  bool has(Index index, Term term) const {
    return index >= snapshot && index <= last() && term_of(index) == term;
  }
  std::vector<Term> from(Index index) const {
    return {entries.begin() + (index - snapshot - 1), entries.end()};
  }
  void append(Index previous, const std::vector<Term>& more) {
    entries.resize(previous - snapshot);
    entries.insert(entries.end(), more.begin(), more.end());
  }
  void cover(Index index, Term term) {
    entries = has(index, term) ? from(static_cast<Index>(index + 1)) : std::vector<Term>{};
    snapshot = index;
    snapshot_term = term;
  }
};

struct Server : clew::node::Node<Server, Message> {
  Server(std::vector<Id> all, Term last_term, Variant of)
      : others(std::move(all)), most_terms(last_term), variant(of) {}

  void start(Env& env) override { env.set_timer("election"); }
  void timer(Env& env, std::string_view) override {
    hears_leader = false;
    if (panicked || term >= most_terms) return;
    enter(env, static_cast<Term>(term + 1));
    role = Role::kCandidate;
    voted_for = env.self();
    env.sync();
    votes = std::set<Id>{env.self()};
    for (const Id other : others) {
      env.send(other, RequestVote{term, log->last_term(), log->last()});
    }
  }
  void enter(Env& env, Term next) {
    term = next;
    voted_for = std::nullopt;
    env.sync();
    role = Role::kFollower;
    hears_leader = false;
    chunks = 0;
    votes = std::set<Id>{};
    peers = std::map<Id, Peer>{};
    env.set_timer("election");
  }

  void receive(Env& env, Id from, const RequestVote& request) {
    if (panicked) return;
    const bool ignored = hears_leader || *role == Role::kLeader || request.term < term;
    if (!ignored && request.term > term) enter(env, request.term);
    const bool complete =
        std::pair(request.last_term, request.last) >= std::pair(log->last_term(), log->last());
    const bool granted = !ignored && complete && (!*voted_for || **voted_for == from);
    if (granted) voted_for = from;
    env.sync();
    env.send(from, Vote{term, granted});
  }
  void receive(Env& env, Id from, const Vote& vote) {
    if (!is_answer_to(env, vote.term, Role::kCandidate) || !vote.granted) return;
    votes.edit().insert(from);
    if (is_majority(votes->size())) lead(env);
  }
  void lead(Env& env) {
    role = Role::kLeader;
    env.cancel_timer("election");
    votes = std::set<Id>{};
    for (const Id other : others) peers.edit()[other].next = static_cast<Index>(log->last() + 1);
    log.edit().entries.push_back(term);
    env.sync();
    for (const Id other : others) tell(env, other);
  }

  void tell(Env& env, Id to) {
    Peer peer = peers->at(to);
    if (peer.asked) return;
    if (!peer.sending && peer.next <= log->snapshot) {
      peer.sending = Sending{log->snapshot, log->snapshot_term};
    }
    if (peer.sending) {
      env.send(to, Chunk{term, peer.sending->last, peer.sending->last_term, peer.sending->offset});
    } else {
      if (peer.has_answered && peer.next > log->last()) return;
      const auto previous = static_cast<Index>(peer.next - 1);
      const std::vector<Term> entries = log->from(peer.next);
      env.send(to, Append{term, previous, log->term_of(previous),
                          peer.has_answered ? entries : std::vector<Term>{}});
    }
    peer.asked = true;
    peers.edit()[to] = peer;
  }
  void receive(Env& env, Id from, const Append& append) {
    if (!is_of_leader(env, append.term)) return refuse(env, from, Appended{term});
    const bool agrees = log->has(append.previous, append.previous_term);
    if (agrees && !append.entries.empty()) {
      log.edit().append(append.previous, append.entries);
      env.sync();
    }
    const Index last =
        agrees ? static_cast<Index>(append.previous + append.entries.size()) : log->last();
    env.send(from, Appended{term, agrees, last});
  }
  void receive(Env& env, Id from, const Appended& appended) {
    if (!is_answer_to(env, appended.term, Role::kLeader)) return;
    Peer& peer = peers.edit()[from];
    peer.asked = false;
    peer.has_answered = true;
    if (appended.agrees) {
      peer.match = appended.last;
      peer.next = static_cast<Index>(appended.last + 1);
    } else {
      peer.next =
          std::min(static_cast<Index>(peer.next - 1), static_cast<Index>(appended.last + 1));
    }
    commit(env);
    tell(env, from);
  }
  void commit(Env& env) {
    const auto has_last = [&](const auto& one) { return one.second.match == log->last(); };
    const auto copies = static_cast<size_t>(std::ranges::count_if(*peers, has_last));
    if (committed == log->last() || !is_majority(copies + 1)) return;
    committed = log->last();
    env.send(env.self(), SnapshotDone{committed});
  }
  void receive(Env& env, Id, const SnapshotDone& done) {
    if (*role != Role::kLeader || done.last > committed || done.last <= log->snapshot) return;
    log.edit().cover(done.last, log->term_of(done.last));
    env.sync();
  }

  void receive(Env& env, Id from, const Chunk& chunk) {
    if (!is_of_leader(env, chunk.term)) return refuse(env, from, Stored{term});
    if (chunk.offset > chunks && variant == Variant::kBug) {
      panicked = true;
      return;
    }
    if (chunk.offset == chunks) chunks = static_cast<uint8_t>(chunks + 1);
    env.send(from, Stored{term, chunks});
    if (chunks < kChunks) return;
    chunks = 0;
    log.edit().cover(chunk.last, chunk.last_term);
    env.sync();
  }
  // The mistake: it takes for granted that the follower still has what it has answered to.
  void receive(Env& env, Id from, const Stored& stored) {
    if (!is_answer_to(env, stored.term, Role::kLeader)) return;
    Peer& peer = peers.edit()[from];
    peer.asked = false;
    Sending& sending = *peer.sending;
    sending.offset =
        variant == Variant::kRepair ? stored.chunks : static_cast<uint8_t>(sending.offset + 1);
    if (sending.offset == kChunks) {
      peer.match = sending.last;
      peer.next = static_cast<Index>(sending.last + 1);
      peer.sending = std::nullopt;
    }
    tell(env, from);
  }

  bool is_majority(size_t count) const { return 2 * count > others.size() + 1; }
  bool is_of_leader(Env& env, Term of) {
    if (panicked || of < term) return false;
    if (of > term) enter(env, of);
    role = Role::kFollower;
    votes = std::set<Id>{};
    hears_leader = true;
    env.set_timer("election");
    return true;
  }
  bool is_answer_to(Env& env, Term of, Role asker) {
    if (panicked) return false;
    if (of > term) enter(env, of);
    return of == term && *role == asker;
  }
  template <class Answer>
  void refuse(Env& env, Id to, const Answer& answer) const {
    if (!panicked) env.send(to, answer);
  }

  const std::vector<Id> others;
  const Term most_terms;
  const Variant variant;
  Durable<Term> term{this, "term"};
  Durable<std::optional<Id>> voted_for{this, "voted_for"};
  Durable<Log> log{this, "log"};
  Field<Role> role{this, "role"};
  Field<bool> hears_leader{this, "hears_leader"};
  Field<std::set<Id>> votes{this, "votes"};
  Field<std::map<Id, Peer>> peers{this, "peers"};
  Field<Index> committed{this, "committed"};  // as leaders know
  Field<uint8_t> chunks{this, "chunks"};      // of a snapshot that it is given
  Field<bool> panicked{this, "panicked"};
};

inline std::vector<const Server*> servers(const States& states) {
  std::vector<const Server*> all;
  for (const char* name : {"a", "b", "c"}) {
    if (states.up(name)) all.push_back(&states.node<Server>(name));
  }
  return all;
}
inline bool leads_alone(const States& states) {
  std::set<Term> terms;
  return std::ranges::all_of(servers(states), [&](const Server* one) {
    return *one->role != Role::kLeader || terms.insert(one->term).second;
  });
}
inline bool is_followed(const States& states, const Server& leader) {
  return *leader.role != Role::kLeader ||
         std::ranges::all_of(servers(states), [&](const Server* one) {
           return *one->term != *leader.term || one->log->last() >= leader.committed;
         });
}

inline Cluster of_three(Variant variant, uint8_t terms) {
  const std::vector<std::string> names = {"a", "b", "c"};
  Cluster cluster(names);
  for (const std::string& name : names) {
    std::vector<Id> others;
    for (const std::string& other : names) {
      if (other != name) others.push_back(cluster.id(other));
    }
    cluster.node<Server>(name, others, terms, variant);
  }
  cluster.limits = {.crashes = 2, .restarts = 2};
  cluster.most.losses = 0;
  cluster.most.duplicates = 0;
  cluster.channels = clew::explore::Channels::kFifo;
  cluster.unit = clew::explore::Unit::kMessage;
  cluster.symmetric(names);
  cluster.always("no server panics", [](const States& states) {
    return std::ranges::none_of(servers(states), [](const Server* one) { return *one->panicked; });
  });
  cluster.always("one leader a term", leads_alone);
  cluster.finally("who follows a leader has what is committed", [](const States& states) {
    return std::ranges::all_of(servers(states),
                               [&](const Server* leader) { return is_followed(states, *leader); });
  });
  return cluster;
}

}  // namespace raft_snapshot

// LogCabin's issue 174. No server stands for election once it has seen that many terms.
inline Cluster raft_1(Variant variant, uint8_t terms = 2) {
  return raft_snapshot::of_three(variant, terms);
}

}  // namespace bugs
