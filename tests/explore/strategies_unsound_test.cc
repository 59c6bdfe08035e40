// What the published rules miss: for each rule a small cluster with a story, what there is by the
// engine that sees every world, and what a strategy finds that uses only that rule.
// docs/strategies.md tells the same to users.
#include <gtest/gtest.h>

#include "explore/stateful.h"
#include "tests/explore/reach.h"

namespace clew::explore {
namespace {

constexpr size_t kPlenty = 10'000;

struct Letter {
  int8_t kind = 0;
  CLEW_FIELDS(Letter, kind)
};

// Sends letters, one by one, to one node as soon as it starts.
template <class M>
struct Writer : node::Node<Writer<M>, M> {
  using Base = node::Node<Writer<M>, M>;
  Writer(Id whom, std::vector<M> what) : to(whom), letters(std::move(what)) {}
  void start(typename Base::Env& env) override {
    for (const M& letter : letters) env.send(to, letter);
  }
  void receive(typename Base::Env&, Id, const Letter&) {}

  const Id to;
  const std::vector<M> letters;
};

// The rule alone, on top of what MODIST does.
Reach with(const Cluster& cluster, std::string parts) {
  return reached(cluster, {.name = "modist", .parts = std::move(parts)});
}

// All that is sound finds all of it; the rule gives up and misses something.
void expect_missed(const Cluster& cluster, const std::string& parts, const std::string& missed) {
  const Reach all = everything(cluster, kPlenty);
  ASSERT_TRUE(all.done || all.violated);
  const Reach modist = with(cluster, "");
  EXPECT_TRUE(modist.done || modist.violated);
  EXPECT_EQ(missing(all, modist), "");
  EXPECT_EQ(missing(all, reached(cluster, {.name = "novelty", .symmetry = false})), "");
  EXPECT_EQ(missing(all, reached(cluster, {.name = "dfs"})), "");
  const Reach some = with(cluster, parts);
  EXPECT_TRUE(some.done);
  EXPECT_EQ(missing(all, some), missed);
}

// Event independence. A leader is Ready, gets a Vote, and is then told to Decide. It looks whether
// it has the vote only if it is ready. So Decide and Vote commute in the first state, and nobody
// asks again after Ready, when they do not. Ready, Decide, Vote is never run.
enum : int8_t { kVote, kReady, kDecide };
struct Leader : node::Node<Leader, Letter> {
  void receive(Env&, Id, const Letter& letter) {
    if (letter.kind == kVote) vote = true;
    if (letter.kind == kReady) ready = true;
    if (letter.kind == kDecide && *ready && !*vote) too_soon = true;
  }
  node::Field<bool> vote{this, "vote"}, ready{this, "ready"}, too_soon{this, "too_soon"};
};

TEST(UnsoundTest, EventIndependenceAsksInTheFirstStateOnly) {
  Cluster cluster({"client", "leader"});
  cluster.unit = Unit::kMessage;
  const std::vector<Letter> letters{{kVote}, {kReady}, {kDecide}};
  cluster.node<Writer<Letter>>("client", cluster.id("leader"), letters);
  cluster.node<Leader>("leader");
  const Reach all = everything(cluster, kPlenty);
  EXPECT_EQ(all.ends.size(), 2U);
  EXPECT_EQ(with(cluster, "independence").paths, 2U);
  expect_missed(cluster, "independence", "1 of 2 ends");
  cluster.always("decides with a vote",
                 [](const States& states) { return !states.node<Leader>("leader").too_soon; });
  expect_missed(cluster, "independence", "a violation");
}

// Commutative increments. Who completes a quorum of two is told so. In the first state an Ack only
// adds to the counter, whoever sends it, so the two are said to commute.
struct Collector : node::Node<Collector, Letter> {
  void receive(Env&, Id from, const Letter&) {
    ++acks;
    if (*acks == 2) last = from;
  }
  node::Field<int> acks{this, "acks"};
  node::Field<Id> last{this, "last"};
};

Cluster quorum() {
  Cluster cluster({"a", "b", "leader"});
  for (const char* name : {"a", "b"}) {
    cluster.node<Writer<Letter>>(name, cluster.id("leader"), std::vector<Letter>{{}});
  }
  cluster.node<Collector>("leader");
  return cluster;
}

TEST(UnsoundTest, IncrementsForgetTheThreshold) {
  const Cluster cluster = quorum();
  EXPECT_EQ(everything(cluster, kPlenty).ends.size(), 2U);
  EXPECT_EQ(with(cluster, "independence,increments").paths, 1U);
  expect_missed(cluster, "independence,increments", "1 of 2 ends");
  EXPECT_EQ(missing(everything(cluster, kPlenty), with(cluster, "independence")), "");
}

// What two Acks lead to needs both, though they are said to commute: of the order in which the
// other node has Wait after Go nothing is missed.
enum : int8_t { kAck, kWait, kGo };
struct Starter : node::Node<Starter, Letter> {
  explicit Starter(Id whom) : to(whom) {}
  void start(Env& env) override { env.send(to, Letter{kWait}); }
  void receive(Env& env, Id, const Letter&) {
    ++acks;
    if (*acks == 2) env.send(to, Letter{kGo});
  }
  const Id to;
  node::Field<int> acks{this, "acks"};
};
struct Listener : node::Node<Listener, Letter> {
  void receive(Env&, Id, const Letter& letter) { last = letter.kind; }
  node::Field<int8_t> last{this, "last"};
};

TEST(UnsoundTest, IncrementsDoNotForgetWhatTheyLeadTo) {
  Cluster cluster({"a", "b", "starter", "listener"});
  for (const char* name : {"a", "b"}) {
    cluster.node<Writer<Letter>>(name, cluster.id("starter"), std::vector<Letter>{{kAck}});
  }
  cluster.node<Starter>("starter", cluster.id("listener"));
  cluster.node<Listener>("listener");
  const Reach all = everything(cluster, kPlenty);
  EXPECT_EQ(all.ends.size(), 2U);
  EXPECT_EQ(missing(all, with(cluster, "independence,increments")), "");
  EXPECT_EQ(with(cluster, "independence,increments").paths, 2U);
}

// The same of SAMC's local-message independence, which calls two increments independent, too.
TEST(UnsoundTest, LocalIndependenceForgetsTheThreshold) {
  expect_missed(quorum(), "local", "1 of 2 ends");
}

// And what it says of messages that are discarded: Get is discarded by a node that has not been
// told Key and Value, also after one of these; nobody asks what it does after both.
enum : int8_t { kGet, kKey, kValue };
struct Store : node::Node<Store, Letter> {
  void receive(Env&, Id, const Letter& letter) {
    if (letter.kind == kKey) key = true;
    if (letter.kind == kValue) value = true;
    if (letter.kind == kGet && *key && *value) got = true;
  }
  node::Field<bool> key{this, "key"}, value{this, "value"}, got{this, "got"};
};

TEST(UnsoundTest, DiscardedNowIsNotDiscardedAlways) {
  Cluster cluster({"client", "store"});
  cluster.unit = Unit::kMessage;
  cluster.node<Writer<Letter>>("client", cluster.id("store"),
                               std::vector<Letter>{{kGet}, {kKey}, {kValue}});
  cluster.node<Store>("store");
  EXPECT_EQ(everything(cluster, kPlenty).ends.size(), 2U);
  expect_missed(cluster, "local", "1 of 2 ends");
}

// State symmetry with the states of nodes only. Told to Begin, a node sends an Offer to the other
// one, unless it has an offer already. Whether an offer is under way is in no node's state: a's
// Begin seems to have been seen, with no offer in sight, when b has sent one. That both offer is
// missed.
struct Begin {
  CLEW_FIELDS(Begin)
};
struct Offer {
  CLEW_FIELDS(Offer)
};
using Talk = std::variant<Begin, Offer>;
struct Trader : node::Node<Trader, Talk> {
  explicit Trader(Id whom) : other(whom) {}
  void receive(Env& env, Id, const Begin&) {
    if (*offers == 0) env.send(other, Offer{});
  }
  void receive(Env&, Id, const Offer&) { ++offers; }
  const Id other;
  node::Field<int> offers{this, "offers"};
};
// Sends to each of the two.
struct Bell : node::Node<Bell, Talk> {
  void start(Env& env) override {
    env.send(Id{0}, Begin{});
    env.send(Id{1}, Begin{});
  }
  void receive(Env&, Id, const Begin&) {}
  void receive(Env&, Id, const Offer&) {}
};

TEST(UnsoundTest, StatesOfNodesForgetWhatIsUnderWay) {
  Cluster cluster({"a", "b", "bell"});
  cluster.node<Trader>("a", cluster.id("b"));
  cluster.node<Trader>("b", cluster.id("a"));
  cluster.node<Bell>("bell");
  cluster.symmetric({"a", "b"});
  cluster.finally("only one has an offer", [](const States& states) {
    return *states.node<Trader>("a").offers + *states.node<Trader>("b").offers == 1;
  });
  expect_missed(cluster, "symmetry", "a violation");
  EXPECT_EQ(missing(everything(cluster, kPlenty), with(cluster, "symmetry-net")), "");
}

// Also with what is under way in the state, names are forgotten. Of two voters one that is told to
// Suggest asks the other, and one that is Asked and does not lead lets the other Lead. b, the
// spare, gets a going, and should not lead itself. That it leads looks like a, who did, up to
// names: nodes of one class are called alike, and who sent what to whom is no part of the state. To
// the property they are not alike.
struct Hello {
  CLEW_FIELDS(Hello)
};
struct Suggest {
  CLEW_FIELDS(Suggest)
};
struct Asked {
  CLEW_FIELDS(Asked)
};
struct Lead {
  CLEW_FIELDS(Lead)
};
using Ballot = std::variant<Hello, Suggest, Asked, Lead>;
struct Voter : node::Node<Voter, Ballot> {
  Voter(Id whom, bool is_spare) : other(whom), spare(is_spare) {}
  void start(Env& env) override {
    if (!spare) return;
    for (const Ballot& ballot : {Ballot{Hello{}}, Ballot{Suggest{}}, Ballot{Asked{}}}) {
      env.send(other, ballot);
    }
  }
  void receive(Env&, Id, const Hello&) {}
  void receive(Env& env, Id, const Suggest&) { env.send(other, Asked{}); }
  void receive(Env& env, Id, const Asked&) {
    if (!*leads) env.send(other, Lead{});
  }
  void receive(Env&, Id, const Lead&) { leads = true; }
  const Id other;
  const bool spare;
  node::Field<bool> leads{this, "leads"};
};

TEST(UnsoundTest, SymmetryForgetsWhoIsWho) {
  Cluster cluster({"a", "b"});
  cluster.unit = Unit::kMessage;
  cluster.node<Voter>("a", cluster.id("b"), false);
  cluster.node<Voter>("b", cluster.id("a"), true);
  EXPECT_EQ(everything(cluster, kPlenty).ends.size(), 3U);
  expect_missed(cluster, "symmetry-net", "1 of 3 ends");
  cluster.finally("a leads", [](const States& states) { return *states.node<Voter>("a").leads; });
  expect_missed(cluster, "symmetry-net", "a violation");
  cluster.symmetric({"a", "b"});
  const Exploration named = Stateful(cluster, {}).run();
  EXPECT_TRUE(named.violation.has_value());
  EXPECT_EQ(named.not_alike, "a property makes a difference of names");
}

// Nor would names and the network be enough. A shelf is told to Fill and to Look; each of them
// takes a second step, Tidy and Take, that it asks itself for. Fill, Look, Take, Tidy is run. Look,
// Fill, Take, Tidy is left out: after Look and Fill the world is the one after Fill and Look. But
// only where Look comes first can Take and Fill be reversed: Look, Take, Fill, Tidy finds nothing
// to take. What was left out comes last with `postpone`, and misses nothing.
enum : int8_t { kFill, kLook, kTidy, kTake };
struct Shelf : node::Node<Shelf, Letter> {
  void receive(Env& env, Id, const Letter& letter) {
    if (letter.kind == kFill) has = true;
    if (letter.kind == kTake && !*has) empty = true;
    if (letter.kind == kFill) env.send(env.self(), Letter{kTidy});
    if (letter.kind == kLook) env.send(env.self(), Letter{kTake});
  }
  node::Field<bool> has{this, "has"}, empty{this, "empty"};
};

TEST(UnsoundTest, StatesForgetHowTheyCameAbout) {
  Cluster cluster({"client", "shelf"});
  cluster.unit = Unit::kMessage;
  cluster.node<Writer<Letter>>("client", cluster.id("shelf"),
                               std::vector<Letter>{{kFill}, {kLook}});
  cluster.node<Shelf>("shelf");
  const Reach all = everything(cluster, kPlenty);
  EXPECT_EQ(all.ends.size(), 2U);
  EXPECT_EQ(with(cluster, "").paths, 6U);
  for (const char* symmetry : {"symmetry", "symmetry-net"}) {
    expect_missed(cluster, symmetry, "1 of 2 ends");
    const Reach later = with(cluster, std::string(symmetry) + ",postpone");
    EXPECT_EQ(missing(all, later), "");
    EXPECT_TRUE(later.done);
  }
}

// Crash-recovery and reboot symmetry. A server keeps a value in memory and says so. That it
// restarts with an empty disk is tried once, before anybody was told anything; after the Ack it
// seems the same, since what the client knows is on no disk.
struct Put {
  CLEW_FIELDS(Put)
};
struct Ack {
  CLEW_FIELDS(Ack)
};
using Storing = std::variant<Put, Ack>;
struct Forgetful : node::Node<Forgetful, Storing> {
  void receive(Env& env, Id from, const Put&) {
    has = true;
    env.send(from, Ack{});
  }
  void receive(Env&, Id, const Ack&) {}
  node::Field<bool> has{this, "has"};
};
struct Customer : node::Node<Customer, Storing> {
  explicit Customer(Id whom) : server(whom) {}
  void start(Env& env) override { env.send(server, Put{}); }
  void receive(Env&, Id, const Put&) {}
  void receive(Env&, Id, const Ack&) { told = true; }
  const Id server;
  node::Field<bool> told{this, "told"};
};

TEST(UnsoundTest, RecoveryForgetsWhatOthersKnow) {
  Cluster cluster({"customer", "server"});
  cluster.node<Customer>("customer", cluster.id("server"));
  cluster.node<Forgetful>("server");
  cluster.limits.crashes = 1;
  cluster.limits.restarts = 1;
  cluster.finally("what was acknowledged is there", [](const States& states) {
    return !*states.node<Customer>("customer").told || !states.up("server") ||
           *states.node<Forgetful>("server").has;
  });
  expect_missed(cluster, "recovery", "a violation");
}

// Depth: only events of the first half of the first path change places. Whoever comes last is what
// stays, and those two are in the second half.
struct Last : node::Node<Last, Letter> {
  void receive(Env&, Id, const Letter& letter) { last = letter.kind; }
  node::Field<int8_t> last{this, "last"};
};

TEST(UnsoundTest, BoundedLeavesTheSecondHalfAlone) {
  Cluster cluster({"client", "server"});
  cluster.unit = Unit::kMessage;
  cluster.node<Writer<Letter>>("client", cluster.id("server"),
                               std::vector<Letter>{{1}, {2}, {3}, {4}});
  cluster.node<Last>("server");
  EXPECT_EQ(everything(cluster, kPlenty).ends.size(), 4U);
  EXPECT_EQ(with(cluster, "bounded").paths, 2U);
  expect_missed(cluster, "bounded", "3 of 4 ends");
}

// A light, and what switches it on.
struct Light : node::Node<Light, Letter> {
  void receive(Env&, Id, const Letter&) { on = true; }
  node::Field<bool> on{this, "on"};
};

// That a crash has to do with its own node only (FlyMC), or with nobody as long as most are up
// (SAMC), misses nothing here: what a node has sent stays under way, and where one node may crash,
// all others are tried in its place. Without the last of these it would matter to who looks at two
// nodes at once that the switch may break before the light is on.
TEST(UnsoundTest, CrashIndependenceMissesNothing) {
  Cluster cluster({"switch", "light"});
  cluster.node<Writer<Letter>>("switch", cluster.id("light"), std::vector<Letter>{{}});
  cluster.node<Light>("light");
  cluster.limits.crashes = 1;
  expect_missed(cluster, "crash-independence", "");
  expect_missed(cluster, "crash-message", "");
  cluster.always("light before the switch breaks", [](const States& states) {
    return states.up("switch") || !states.up("light") || *states.node<Light>("light").on;
  });
  for (const char* parts : {"crash-independence", "crash-message"}) {
    EXPECT_TRUE(with(cluster, parts).violated) << parts;
  }
}

// MODIST itself: events of different nodes are independent, also for who looks at both. Ends are
// all found; what holds of all states is judged in those of the paths that are run.
TEST(UnsoundTest, NodesAreSeenTogether) {
  Cluster cluster({"a", "b", "c", "d"});
  cluster.node<Writer<Letter>>("a", cluster.id("c"), std::vector<Letter>{{}});
  cluster.node<Writer<Letter>>("b", cluster.id("d"), std::vector<Letter>{{}});
  cluster.node<Light>("c");
  cluster.node<Light>("d");
  cluster.always("c is on before d", [](const States& states) {
    return *states.node<Light>("c").on || !*states.node<Light>("d").on;
  });
  const Reach all = everything(cluster, kPlenty);
  EXPECT_TRUE(all.violated);
  EXPECT_EQ(missing(all, with(cluster, "")), "a violation");
  EXPECT_EQ(missing(all, reached(cluster, {.name = "novelty"})), "");
}

}  // namespace
}  // namespace clew::explore
