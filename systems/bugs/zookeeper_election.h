// How ZooKeeper's servers choose a leader (FastLeaderElection, as of 3.1 to 3.4), and how leader
// and followers notice that they have lost each other. What a follower and its leader then tell
// each other is what the models of zookeeper.h add.
//
//   looking                         looking
//      | --- Notification{vote} -----> |    whoever hears of a better vote takes it up, and tells
//      | <-- Notification{vote} ------ |    all; a majority of equal votes settles it
//   following                       leading
//      | --- FollowerInfo -----------> |    then they agree on an epoch and a history, and serve
//      | --- Ping -------------------> |    a follower that hears nothing more asks, and looks for
//      | <-- Pong -------------------- |    another leader if there is no answer
//
// A server that goes back to looking has closed its connections: others know by its notification,
// or by a Ping that nobody answers. Timers fire when nothing else can happen, so no answer means
// that nobody is there.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "bug.h"

namespace bugs::zookeeper {

enum class Role : uint8_t { kLooking, kFollowing, kLeading };

// Of a transaction: which leader's, and the how-manieth of these.
struct Zxid {
  uint8_t epoch = 0;
  uint8_t counter = 0;
  CLEW_FIELDS(Zxid, epoch, counter)
};
// The greatest one should win.
struct Vote {
  uint8_t epoch = 0;  // of the last leader that the candidate took part with; since 3.4
  Zxid last{};        // in the candidate's history
  Id leader;
  CLEW_FIELDS(Vote, epoch, last, leader)
};

struct Notification {
  Vote vote{};
  uint8_t round = 0;
  Role role = Role::kLooking;
  CLEW_FIELDS(Notification, vote, round, role)
};
struct FollowerInfo {
  uint8_t boot = 0;   // of the follower: which connection this is
  uint8_t epoch = 0;  // that it has taken part in
  Zxid last{};
  CLEW_FIELDS(FollowerInfo, boot, epoch, last)
};
struct Ping {
  CLEW_FIELDS(Ping)
};
struct Pong {
  CLEW_FIELDS(Pong)
};

// What an election is like; others than voters only watch.
struct Ensemble {
  std::vector<Id> voters{};
  std::optional<Id> leader{};  // from the start: all are served by it
  bool all_suffice = false;    // once all have voted, a server takes its own vote for the outcome
};

// Self has own_vote(), better(), info(), begin_leading(), admit(), forget() and, if it likes, those
// of the end.
template <class Self, class Message, class Request = clew::node::None,
          class Reply = clew::node::None>
struct Elector : clew::node::Node<Self, Message, Request, Reply> {
  using Env = typename clew::node::Node<Self, Message, Request, Reply>::Env;

  explicit Elector(Ensemble of) : ensemble(std::move(of)) {}

  void start(Env& env) override {
    ++boots;
    env.sync();
    if (boots == 1 && ensemble.leader) return begin_settled(env);
    if (boots > 1) self().come_back(env);
    look(env);
  }
  void timer(Env& env, std::string_view name) override {
    if (name == "settle") return decide(env);
    if (name == "tick") return tick(env);
    if (probing) return look(env);  // nobody has answered
    probing = true;
    env.set_timer(name);
    if (name == "silence") {
      env.send(vote->leader, Ping{});
    } else {
      tell_all(env);  // those who are about to follow are not that slow
    }
  }

  void look(Env& env) {
    for (const char* name : {"settle", "tick", "initiation", "silence"}) env.cancel_timer(name);
    stop();
    role = Role::kLooking;
    ++round;
    vote = self().own_vote(env.self());
    if (is_voter(env.self())) votes.edit()[env.self()] = vote;
    tell_all(env);
  }

  void receive(Env& env, Id from, const Notification& heard) {
    if (heard.role == Role::kLooking) note_looking(env, from);
    if (!is_voter(from)) return answer_observer(env, from);
    if (role != Role::kLooking) {
      if (heard.role == Role::kLooking) answer(env, from);
    } else if (heard.role == Role::kLooking) {
      hear_candidate(env, from, heard);
    } else {
      hear_settled(env, from, heard);
    }
  }
  // Whoever knocks at a server that does not lead yet tries again, for longer than that one waits
  // for better votes.
  void receive(Env& env, Id from, const FollowerInfo& info) {
    if (role != Role::kLeading) {
      knocking.edit()[from] = info;
      if (role == Role::kLooking && vote->leader == env.self() && is_supported()) decide(env);
      return;
    }
    learners.edit().insert(from);
    self().admit(env, from, info);
  }
  void receive(Env& env, Id from, const Ping&) {
    const bool is_mine = role == Role::kLeading && learners->contains(from);
    if (is_mine || (follows(from) && serving)) env.send(from, Pong{});
  }
  void receive(Env& env, Id from, const Pong&) {
    if (follows(from) && probing) {
      probing = false;
      env.cancel_timer("silence");
    } else if (role == Role::kLeading && unanswered->contains(from)) {
      unanswered.edit().erase(from);
      if (unanswered->empty()) env.cancel_timer("tick");
    }
  }

  // A new epoch has begun: followers support the leader, clients are served.
  void serve(Env& env) {
    serving = true;
    probing = false;
    if (role == Role::kLeading) {
      env.cancel_timer("initiation");
      env.set_timer("tick");
    } else {
      env.set_timer("silence");
    }
  }
  bool follows(Id from) const { return role == Role::kFollowing && from == vote->leader; }
  bool is_voter(Id id) const { return std::ranges::count(ensemble.voters, id) > 0; }
  bool is_majority(size_t count) const { return count > ensemble.voters.size() / 2; }
  size_t voters_of(const std::set<Id>& ids) const {
    return static_cast<size_t>(std::ranges::count_if(ids, [&](Id id) { return is_voter(id); }));
  }

  // What not all models need.
  void come_back(Env&) {}
  bool has_quorum() const { return is_majority(voters_of(*supporters) + 1); }
  void noted(Id, const Notification&) {}
  void begin_round() {}
  void change(const Vote& other) { vote = other; }

  const Ensemble ensemble;
  Durable<uint8_t> boots{this, "boots"};
  Field<Role> role{this, "role"};
  Field<bool> serving{this, "serving"};
  Field<bool> probing{this, "probing"};            // it has asked its leader for a sign of life
  Field<uint8_t> round{this, "round"};             // of elections
  Field<Vote> vote{this, "vote"};                  // once it is settled: whom it follows
  Field<std::map<Id, Vote>> votes{this, "votes"};  // of those who look, in this round
  Field<std::map<Id, Notification>> settled{this, "settled"};  // of those who do not
  Field<std::map<Id, FollowerInfo>> knocking{this, "knocking"};
  Field<std::set<Id>> observers{this, "observers"};    // who want to know how it ends
  Field<std::set<Id>> learners{this, "learners"};      // of a leader: who is connected
  Field<std::set<Id>> supporters{this, "supporters"};  // and takes part in its epoch
  Field<std::set<Id>> unanswered{this, "unanswered"};  // who was asked for a sign of life

 private:
  Self& self() { return static_cast<Self&>(*this); }

  void begin_settled(Env& env) {
    round = 1;
    vote = self().own_vote(*ensemble.leader);
    role = env.self() == *ensemble.leader ? Role::kLeading : Role::kFollowing;
    self().begin_served();
    if (role == Role::kLeading) {
      for (const Id id : ensemble.voters) {
        if (id != env.self()) learners.edit().insert(id);
      }
      supporters = learners;
      serving = true;
    } else {
      serve(env);
    }
  }

  void stop() {
    serving = false;
    probing = false;
    votes = {};
    settled = {};
    knocking = {};
    learners = {};
    supporters = {};
    unanswered = {};
    self().forget();
  }
  void notify(Env& env, Id to) {
    const Notification mine{vote, round, role};
    env.send(to, mine);
    self().noted(to, mine);
  }
  void tell_all(Env& env) {
    for (const Id id : ensemble.voters) {
      if (id != env.self()) notify(env, id);
    }
  }

  // Who looks again is not connected any more.
  void note_looking(Env& env, Id from) {
    if (knocking->contains(from)) knocking.edit().erase(from);
    if (role == Role::kFollowing && serving && from == vote->leader) return look(env);
    if (role != Role::kLeading || !learners->contains(from)) return;
    learners.edit().erase(from);
    supporters.edit().erase(from);
    if (serving && !self().has_quorum()) look(env);
  }
  // Something has happened: it is time to see whether leader and followers are still there.
  void answer(Env& env, Id from) {
    notify(env, from);
    if (!serving) return;
    probing = false;
    unanswered = {};
    env.set_timer(role == Role::kFollowing ? "silence" : "tick");
  }
  // Learners that do not answer until nothing else happens are gone.
  void tick(Env& env) {
    if (unanswered->empty()) {
      unanswered = supporters;
      for (const Id id : *supporters) env.send(id, Ping{});
      return env.set_timer("tick");
    }
    for (const Id id : *unanswered) {
      learners.edit().erase(id);
      supporters.edit().erase(id);
    }
    unanswered = {};
    if (!self().has_quorum()) look(env);
  }
  void answer_observer(Env& env, Id from) {
    if (role != Role::kLooking) return notify(env, from);
    observers.edit().insert(from);
  }

  bool is_supported() const {
    const auto same =
        std::ranges::count_if(*votes, [&](const auto& of) { return of.second == *vote; });
    return is_majority(static_cast<size_t>(same));
  }
  void hear_candidate(Env& env, Id from, const Notification& heard) {
    if (heard.round < round) return notify(env, from);
    if (heard.round > round) {
      round = heard.round;
      votes = {};
      self().begin_round();
      const Vote mine = self().own_vote(env.self());
      self().change(self().better(heard.vote, mine) ? heard.vote : mine);
      tell_all(env);
    } else if (self().better(heard.vote, *vote)) {
      self().change(heard.vote);
      tell_all(env);
    } else if (settled->contains(from)) {
      notify(env, from);  // which had a leader when it heard of this vote; told again in time
    }
    if (settled->contains(from)) settled.edit().erase(from);
    votes.edit()[from] = heard.vote;
    votes.edit()[env.self()] = vote;
    if (ensemble.all_suffice && votes->size() == ensemble.voters.size()) return decide(env);
    if (is_supported()) {
      env.set_timer("settle");  // unless a better vote comes in soon
    } else {
      env.cancel_timer("settle");
    }
  }

  // Others have a leader: follow it, if a majority says so, and it says so itself. They need not
  // have come to it in the same round, as they had to before 3.4.6, which is another bug.
  void hear_settled(Env& env, Id from, const Notification& heard) {
    if (heard.round == round) votes.edit()[from] = heard.vote;
    settled.edit()[from] = heard;
    const auto leader = settled->find(heard.vote.leader);
    const bool leads = heard.vote.leader == env.self()
                           ? heard.round == round
                           : leader != settled->end() && leader->second.role == Role::kLeading;
    const auto here =
        std::ranges::count_if(*votes, [&](const auto& of) { return of.second == heard.vote; });
    const auto there = std::ranges::count_if(
        *settled, [&](const auto& of) { return of.second.vote.leader == heard.vote.leader; });
    const bool enough = is_majority(static_cast<size_t>(there)) ||
                        (heard.round == round && is_majority(static_cast<size_t>(here)));
    if (!leads || !enough) return;
    round = heard.round;
    vote = heard.vote;
    decide(env);
  }

  void decide(Env& env) {
    env.cancel_timer("settle");
    const std::map<Id, FollowerInfo> waiting = *knocking;
    const std::set<Id> curious = *observers;
    stop();
    observers = {};
    role = vote->leader == env.self() ? Role::kLeading : Role::kFollowing;
    for (const Id id : curious) notify(env, id);
    if (role == Role::kFollowing) return follow(env);
    env.set_timer("initiation");
    self().begin_leading(env);
    for (const auto& [from, info] : waiting) {
      if (role == Role::kLeading) receive(env, from, info);
    }
  }
  void follow(Env& env) {
    probing = true;
    env.set_timer("silence");
    env.send(vote->leader, self().info());
  }
};

}  // namespace bugs::zookeeper
