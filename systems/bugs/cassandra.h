// Lightweight transactions of Apache Cassandra 2.0 (UPDATE ... IF ...), on one row that three
// replicas keep: Paxos, one instance after the other, without a leader.
//
//   clew::Cluster cluster = bugs::cass_1(bugs::Variant::kBug);
//
//   coordinator, any replica        each replica
//      | ---- Prepare{ballot} ------> |    promises to take part in no lower ballot, and tells
//      | <--- Prepared{..} ---------- |    which update is in progress, and what it committed last
//      |  of two: an update that is in progress is finished first; then its own one's turn comes
//      | ---- Propose{ballot, ..} --> |    accepts unless it promised a higher ballot
//      | <--- Proposed{accepted} ---- |
//      |  of two: decided             |
//      | ---- Commit{ballot, ..} ---> |    writes the row
//      | <--- Committed{ballot} ----- |
//      |  of two: the client is told  |
//
// All requests go to all three, the coordinator itself among them, and all answers arrive: 18
// messages for an update that nobody disturbs. Where a condition matters, two replicas are asked
// for the row before an update is proposed: 4 more.
//
// What is inferred, for all models of this header:
//  - Ballots are times in the system. Here each coordinator has ballots of its own: the replicas'
//    first ones are 1, 2 and 3, and who tries again takes one that is higher by three.
//  - Who tries again waits for some random time first. Messages take any time here, so that waiting
//    would add nothing.
//  - What has to do with one bug is as it was; all else is as it was repaired later.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "bug.h"

namespace bugs::cassandra {

using clew::node::RequestId;

using Ballot = int8_t;  // 0: none
using Update = int8_t;  // by number; 0: none

// What a model is made of, and which mistakes the replicas make.
struct Setup {
  Ballot last_ballot = 3;  // a coordinator that would need a higher one gives up
  bool keeps_row = false;  // or nobody would read it
  bool reads = false;      // before it proposes: an update wants a row without the first update
  // Remembers whose promises counted, by ballot of what they had committed.
  bool keeps_promises = false;

  bool stores_proposal_ballot = true;  // CASS-1: with an update that is in progress
  bool retries_after_two = false;      // CASS-2: answers, with less than two acceptances
  bool stores_accepted_ballot = true;  // CASS-3: as the one in progress
  bool sends_missing_commits = true;   // CASS-5: to those whose promises show that they miss one
};

struct Proposal {
  Ballot ballot = 0;
  Update update = 0;
  CLEW_FIELDS(Proposal, ballot, update)
};

struct Prepare {
  Ballot ballot = 0;
  CLEW_FIELDS(Prepare, ballot)
};
struct Prepared {
  Ballot ballot = 0;
  bool promised = false;
  Proposal in_progress{};
  Proposal committed{};  // the most recent one
  CLEW_FIELDS(Prepared, ballot, promised, in_progress, committed)
};
struct Read {
  Ballot ballot = 0;
  CLEW_FIELDS(Read, ballot)
};
struct Row {
  Ballot ballot = 0;
  std::set<Update> row{};
  CLEW_FIELDS(Row, ballot, row)
};
struct Propose {
  Ballot ballot = 0;
  Update update = 0;
  CLEW_FIELDS(Propose, ballot, update)
};
struct Proposed {
  Ballot ballot = 0;
  bool accepted = false;
  CLEW_FIELDS(Proposed, ballot, accepted)
};
struct Commit {
  Ballot ballot = 0;
  Update update = 0;
  CLEW_FIELDS(Commit, ballot, update)
};
struct Committed {
  Ballot ballot = 0;
  CLEW_FIELDS(Committed, ballot)
};
// A replica that was down is there again. Until it has the answer, it hears nothing else.
struct Connect {
  CLEW_FIELDS(Connect)
};
struct Connected {
  CLEW_FIELDS(Connected)
};
using Message = std::variant<Prepare, Prepared, Read, Row, Propose, Proposed, Commit, Committed,
                             Connect, Connected>;

struct Cas {
  Update update = 0;
  CLEW_FIELDS(Cas, update)
};
enum class Result : uint8_t { kApplied, kNotApplied, kUnknown };
struct Done {
  Result result = Result::kUnknown;
  CLEW_FIELDS(Done, result)
};

// Of a coordinator.
enum class Phase : uint8_t { kIdle, kPrepare, kRead, kPropose, kCommit };

struct Replica : clew::node::Node<Replica, Message, Cas, Done> {
  static constexpr uint8_t kQuorum = 2;

  Replica(Setup of, std::vector<Id> everyone) : setup(of), all(std::move(everyone)) {}

  // What was sent to it before it crashed is lost with the connections.
  void start(Env& env) override {
    if (!has_started) {
      has_started = true;
      return env.sync();
    }
    deaf_to = std::set<Id>(all.begin(), all.end());
    for (const Id id : all) {
      if (id != env.self()) env.send(id, Connect{});
    }
    env.send(env.self(), Connected{});
  }
  void receive(Env& env, Id from, const Connect&) { env.send(from, Connected{}); }
  void receive(Env&, Id from, const Connected&) { deaf_to.edit().erase(from); }
  template <class M>
  void receive(Env& env, Id from, const M& message) {
    if (!deaf_to->contains(from)) take(env, from, message);
  }

  // ---------------------------------------------------------------- what it does as a replica

  // The ballots below which it takes part in nothing, as it is stored.
  Ballot stored_ballot() const {
    if (in_progress_ballot == 0 && proposal != 0) {
      throw std::runtime_error("an update is in progress, but in_progress_ballot is null");
    }
    return in_progress_ballot;
  }
  // With the mistake of CASS-1, an update seems to be as recent as the last promise.
  Proposal in_progress() const {
    return {setup.stores_proposal_ballot ? *proposal_ballot : *in_progress_ballot, proposal};
  }
  Proposal committed() const { return {most_recent_commit_at, most_recent_commit}; }

  void take(Env& env, Id from, const Prepare& prepare) {
    if (prepare.ballot <= stored_ballot()) return env.send(from, Prepared{prepare.ballot});
    const Prepared promise{prepare.ballot, true, in_progress(), committed()};
    in_progress_ballot = prepare.ballot;
    env.sync();
    env.send(from, promise);
  }

  void take(Env& env, Id from, const Propose& propose) {
    const Ballot stored = stored_ballot();
    if (propose.ballot < stored) return env.send(from, Proposed{propose.ballot, false});
    proposal = propose.update;
    if (setup.stores_proposal_ballot) proposal_ballot = propose.ballot;
    if (setup.stores_accepted_ballot && propose.ballot > stored) {
      in_progress_ballot = propose.ballot;
    }
    env.sync();
    env.send(from, Proposed{propose.ballot, true});
  }

  void take(Env& env, Id from, const Commit& commit) {
    const Ballot stored = stored_ballot();
    if (setup.keeps_row) row.edit().insert(commit.update);
    if (commit.ballot > most_recent_commit_at) {
      most_recent_commit_at = commit.ballot;
      most_recent_commit = commit.update;
    }
    if (commit.ballot > stored) in_progress_ballot = commit.ballot;
    const Ballot proposed = setup.stores_proposal_ballot ? *proposal_ballot : stored;
    if (proposal != 0 && commit.ballot >= proposed) {
      proposal = 0;
      if (setup.stores_proposal_ballot) proposal_ballot = 0;
    }
    env.sync();
    env.send(from, Committed{commit.ballot});
  }
  void take(Env& env, Id from, const Read& read) { env.send(from, Row{read.ballot, row}); }

  // ---------------------------------------------------------------- what it does as coordinator

  void request(Env& env, RequestId id, const Cas& cas) {
    asked = id;
    own = cas.update;
    take_ballot(env);
  }
  // With a ballot that it has never used, also before a crash.
  void take_ballot(Env& env) {
    const Ballot next = ballot == 0 ? static_cast<Ballot>(env.self().number + 1)
                                    : static_cast<Ballot>(ballot + static_cast<int>(all.size()));
    if (next > setup.last_ballot) return finish(env, Result::kUnknown);
    ballot = next;
    env.sync();
    go_on(Phase::kPrepare);
    proposes = 0;
    finishes = false;
    if (setup.keeps_promises) promises = {};
    send_all(env, Prepare{ballot});
  }
  void go_on(Phase next) {
    phase = next;
    answers = 0;
    acceptances = 0;
    best = {};
    newest = {};
    differs = false;
  }
  template <class M>
  void send_all(Env& env, const M& message) {
    for (const Id id : all) env.send(id, message);
  }
  bool waits(Phase in, Ballot answered) const { return *phase == in && answered == ballot; }

  void take(Env& env, Id from, const Prepared& prepared) {
    if (!waits(Phase::kPrepare, prepared.ballot)) return;
    if (!prepared.promised) return take_ballot(env);
    if (prepared.in_progress.ballot > best->ballot) best = prepared.in_progress;
    if (prepared.committed.ballot > newest->ballot) newest = prepared.committed;
    if (setup.keeps_promises) promises.edit()[from] = prepared.committed.ballot;
    ++answers;
    if (answers == kQuorum) prepared_by_quorum(env);
  }
  void prepared_by_quorum(Env& env) {
    const Proposal unfinished = best, last = newest;
    finishes = unfinished.update != 0 && unfinished.ballot > last.ballot;
    if (finishes) return propose(env, unfinished.update);
    if (setup.keeps_promises && setup.sends_missing_commits && send_missing(env, last)) {
      return take_ballot(env);
    }
    if (!setup.reads) return propose(env, own);
    go_on(Phase::kRead);
    env.send(env.self(), Read{ballot});
    env.send(all[(env.self().number + 1U) % all.size()], Read{ballot});
  }
  // Whether somebody did not have this commit.
  bool send_missing(Env& env, Proposal last) const {
    bool any = false;
    for (const auto& [id, committed] : *promises) {
      if (committed == last.ballot) continue;
      env.send(id, Commit{last.ballot, last.update});
      any = true;
    }
    return any;
  }

  void take(Env& env, Id, const Row& read) {
    if (!waits(Phase::kRead, read.ballot)) return;
    if (read.row.contains(1)) differs = true;
    ++answers;
    if (answers < kQuorum) return;
    if (!differs) return propose(env, own);
    not_applied = *own;
    finish(env, Result::kNotApplied);
  }

  void propose(Env& env, Update update) {
    go_on(Phase::kPropose);
    proposes = update;
    send_all(env, Propose{ballot, update});
  }
  void take(Env& env, Id, const Proposed& proposed) {
    if (!waits(Phase::kPropose, proposed.ballot)) return;
    ++answers;
    if (proposed.accepted) ++acceptances;
    if (acceptances == kQuorum) return commit(env);
    if (setup.retries_after_two) {
      if (answers == kQuorum) take_ballot(env);
    } else if (finishes) {
      if (answers - acceptances == kQuorum) take_ballot(env);
    } else if (answers == all.size()) {
      // Whoever has accepted it may see to it that it is decided, so it must not be tried again.
      acceptances == 0 ? take_ballot(env) : finish(env, Result::kUnknown);
    }
  }

  void commit(Env& env) {
    go_on(Phase::kCommit);
    decided = Proposal{ballot, proposes};
    send_all(env, Commit{ballot, proposes});
  }
  void take(Env& env, Id, const Committed& committed) {
    if (!waits(Phase::kCommit, committed.ballot)) return;
    ++answers;
    if (answers < kQuorum) return;
    finishes ? take_ballot(env) : finish(env, Result::kApplied);
  }
  void finish(Env& env, Result result) {
    go_on(Phase::kIdle);
    proposes = 0;
    finishes = false;
    own = 0;
    env.reply(**asked, Done{result});
    asked = std::nullopt;
  }

  const Setup setup;
  const std::vector<Id> all;
  Durable<bool> has_started{this, "has_started"};
  Field<std::set<Id>> deaf_to{this, "deaf_to"};  // until they have noticed that it was down

  // As a replica. The names are those of the table system.paxos.
  Durable<Ballot> in_progress_ballot{this, "in_progress_ballot"};  // that it promised last
  Durable<Update> proposal{this, "proposal"};                      // that it accepted last
  Durable<Ballot> proposal_ballot{this, "proposal_ballot"};
  Durable<Ballot> most_recent_commit_at{this, "most_recent_commit_at"};
  Durable<Update> most_recent_commit{this, "most_recent_commit"};
  Durable<std::set<Update>> row{this, "row"};  // each update writes a column of its own

  // As the coordinator of a request.
  Durable<Ballot> ballot{this, "ballot"};
  Field<std::optional<RequestId>> asked{this, "asked"};
  Field<Update> own{this, "own"};
  Field<Phase> phase{this, "phase"};
  Field<uint8_t> answers{this, "answers"};  // in this phase
  Field<uint8_t> acceptances{this, "acceptances"};
  Field<Proposal> best{this, "best"};      // of what is in progress
  Field<Proposal> newest{this, "newest"};  // of what was committed
  Field<std::map<Id, Ballot>> promises{this, "promises"};
  Field<bool> differs{this, "differs"};  // the row, from what the update wants
  Field<Update> proposes{this, "proposes"};
  Field<bool> finishes{this, "finishes"};  // what is in progress, rather than its own one
  // What it has said of updates.
  Field<Proposal> decided{this, "decided"};
  Field<Update> not_applied{this, "not_applied"};
};

// Three replicas; nothing is lost, and nobody crashes. Messages that one step sends travel one by
// one, and overtake each other: who receives them has many threads.
inline Cluster replicas(const Setup& setup) {
  Cluster cluster({"a", "b", "c"});
  const std::vector<Id> all = {cluster.id("a"), cluster.id("b"), cluster.id("c")};
  for (const char* name : {"a", "b", "c"}) cluster.node<Replica>(name, setup, all);
  cluster.unit = clew::explore::Unit::kMessage;
  cluster.most = {};
  return cluster;
}
// Of as many clients, each at a replica of its own, all at once.
inline void ask_for(Cluster& cluster, uint8_t updates) {
  const std::vector<std::string> names = {"a", "b", "c"};
  for (size_t i = 0; i < updates; ++i) {
    cluster.client({cluster.ask(names[i], Cas{static_cast<Update>(i + 1)})});
  }
}

inline std::vector<const Replica*> look(const States& states) {
  std::vector<const Replica*> all;
  for (const char* name : {"a", "b", "c"}) all.push_back(&states.node<Replica>(name));
  return all;
}

// Each coordinator has decided once at most, and ballots are in the order of their names.
inline bool nothing_comes_back(const States& states) {
  std::vector<Update> decided;
  for (const Replica* replica : look(states)) {
    const Update update = replica->decided->update;
    if (update == 0 || (!decided.empty() && decided.back() == update)) continue;
    if (std::ranges::find(decided, update) != decided.end()) return false;
    decided.push_back(update);
  }
  return true;
}
// What was not applied was written by nobody.
inline bool is_nowhere(const States& states) {
  const std::vector<const Replica*> all = look(states);
  return std::ranges::none_of(all, [&](const Replica* said) {
    return said->not_applied != 0 && std::ranges::any_of(all, [&](const Replica* replica) {
             return replica->row->contains(said->not_applied);
           });
  });
}
inline bool accepts_nothing_older(const States& before, const States& after) {
  const std::vector<const Replica*> old = look(before), now = look(after);
  for (size_t i = 0; i < now.size(); ++i) {
    if (now[i]->proposal != 0 && *now[i]->proposal_ballot < *old[i]->proposal_ballot) return false;
  }
  return true;
}
// Of the second update, which is decided after the first one.
inline bool has_the_one_before(const States& states) {
  const auto& coordinator = states.node<Replica>("a");
  if (coordinator.decided->update != 2) return true;
  return std::ranges::all_of(*coordinator.promises, [&](const auto& promise) {
    return states.node<Replica>(promise.first).row->contains(1);
  });
}

inline Cluster concurrent(const Setup& setup, uint8_t updates) {
  Cluster cluster = replicas(setup);
  ask_for(cluster, updates);
  cluster.always("no update comes back after another one", nothing_comes_back);
  return cluster;
}

}  // namespace bugs::cassandra

namespace bugs {

// Paxos-1, Paxos-2 and Paxos-3: concurrent updates, to be exhausted. Whatever was wrong is
// repaired.
inline Cluster paxos_updates(uint8_t updates) {
  Cluster cluster = cassandra::concurrent({}, updates);
  if (updates == 1) cluster.symmetric({"b", "c"});
  return cluster;
}

inline Cluster cass_1(Variant variant) {
  return cassandra::concurrent({.stores_proposal_ballot = variant == Variant::kRepair}, 3);
}

inline Cluster cass_2(Variant variant) {
  Cluster cluster = cassandra::replicas({.last_ballot = 5,
                                         .keeps_row = true,
                                         .reads = true,
                                         .retries_after_two = variant == Variant::kBug});
  cassandra::ask_for(cluster, 2);
  cluster.always("what was not applied is not in the row", cassandra::is_nowhere);
  return cluster;
}

// With more than one update, the other face shows, too: an older update in place of a newer one.
inline Cluster cass_3(Variant variant, uint8_t updates = 1) {
  Cluster cluster =
      cassandra::concurrent({.stores_accepted_ballot = variant == Variant::kRepair}, updates);
  cluster.step("nothing older is accepted", cassandra::accepts_nothing_older);
  if (updates == 1) cluster.symmetric({"b", "c"});
  return cluster;
}

// Connections are what loses messages: those that were under way to a replica that crashes. So
// they are in order here.
inline Cluster cass_5(Variant variant) {
  Cluster cluster = cassandra::replicas({.last_ballot = 7,
                                         .keeps_row = true,
                                         .keeps_promises = true,
                                         .sends_missing_commits = variant == Variant::kRepair});
  cluster.client({cluster.ask("a", cassandra::Cas{1}), cluster.ask("a", cassandra::Cas{2})});
  cluster.channels = clew::explore::Channels::kFifo;
  cluster.limits = {.crashes = 1, .restarts = 1};
  cluster.most = cluster.limits;
  cluster.finally("who takes part in an update has the one before", cassandra::has_the_one_before);
  return cluster;
}

}  // namespace bugs
